import { useEffect } from 'react'
import { useLocation } from 'wouter'

/** How long after `g` the place is waited for, in milliseconds. */
const SEQUENCE_MS = 1500

/** Where `g` and another key lead. */
const PLACES: Record<string, string> = {
  a: '/',
  l: '/links',
  i: '/images',
  c: '/colors',
  x: '/texts',
  r: '/?opened=true',
  t: '/tags',
  o: '/organizations',
  d: '/trash',
  k: '/profile/api-keys',
  s: '/settings'
}

/** Returns the key that leads to a page after `g`, as a person sees it. */
export function keyTo(path: string): string | undefined {
  return Object.entries(PLACES)
    .find(([, place]) => place === path)?.[0]
    .toUpperCase()
}

/** Goes to a place by two keys, `g` and its own, where neither is typed into a field. */
export function useGoKeys(): void {
  const [, go] = useLocation()
  useEffect(() => {
    let until = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
      const path = event.timeStamp < until ? PLACES[event.key] : undefined
      until = event.key === 'g' && path === undefined ? event.timeStamp + SEQUENCE_MS : 0
      if (path === undefined) return
      // The second key is this one's, not the list's.
      event.preventDefault()
      event.stopPropagation()
      go(path)
    }
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [go])
}

function isTaken({ target }: KeyboardEvent): boolean {
  const inField = (target as Element).closest?.('input, textarea, select, [contenteditable]') !== null
  return inField || document.querySelector('[aria-modal="true"]') !== null
}
