import { type RefObject, useEffect, useRef } from 'react'

/** So long after the last scrolling it is kept, in milliseconds: browsers limit how often an address may change. */
const PAUSE_MS = 100

/**
 * Keeps how far a list is scrolled in the entry of the browser's history that shows it, so that coming back to it and
 * loading it again begin there. Another view begins at its top.
 *
 * @param ready whether the list is already that of the view
 * @param onRestored called where the list does not begin at its top
 */
export function useKeptScroll(
  box: RefObject<HTMLElement | null>,
  view: object,
  ready: boolean,
  onRestored: (top: number) => void
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const restored = useRef<object>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each view, when it is there
  useEffect(() => {
    if (!ready || restored.current === view || !box.current) return
    restored.current = view
    const top = keptScroll()
    box.current.scrollTop = top
    if (top > 0) onRestored(top)
  }, [view, ready])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept belongs to the view
  useEffect(() => () => clearTimeout(timer.current), [view])

  return (top: number) => {
    clearTimeout(timer.current)
    if (restored.current === view) timer.current = setTimeout(() => keepScroll(top), PAUSE_MS)
  }
}

function keptScroll(): number {
  return Number(history.state?.scroll ?? 0)
}

function keepScroll(scroll: number): void {
  history.replaceState({ ...history.state, scroll }, '')
}
