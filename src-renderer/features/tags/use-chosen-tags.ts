import { useState } from 'react'

/** Which of the tags shown are chosen: by name, so that they stay chosen in whatever order and under whatever is typed. */
export function useChosenTags(shown: { name: string }[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  const names = shown.map(({ name }) => name)

  /** Chooses or lets go of one, or with `through` of all from the one before to it. */
  function toggle(name: string, through: boolean): void {
    const index = names.indexOf(name)
    const before = through && last !== undefined ? names.indexOf(last) : -1
    const from = before < 0 ? index : Math.min(before, index)
    const range = names.slice(from, (before < 0 ? index : Math.max(before, index)) + 1)
    const turnedOn = !chosen.has(name)
    const next = new Set(chosen)
    for (const one of range) turnedOn ? next.add(one) : next.delete(one)
    setChosen(next)
    setLast(name)
  }

  return {
    chosen,
    toggle,
    all: names.length > 0 && names.every((name) => chosen.has(name)),
    chooseAll: () => setChosen(new Set([...chosen, ...names])),
    clear: () => setChosen(new Set())
  }
}
