import { afterAll } from 'vitest'

type Work = () => void | Promise<void>

/**
 * For the end of a file, called at its top: takes work from hooks too, which `afterAll` does not. What was put down last
 * is done first.
 */
export function later(): (work: Work) => void {
  const all: Work[] = []
  afterAll(async () => {
    for (const work of all.reverse()) await work()
  })
  return (work) => void all.push(work)
}
