import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Calls back when a key is pressed that nothing else wants: no field has the focus and no dialog is open.
 *
 * @param key as `KeyboardEvent.key` names it; `Mod+` before it asks for Ctrl, or Command on a Mac, and `Mod+Shift+` for
 *   Shift too
 */
export function useShortcut(key: string, run: (event: KeyboardEvent) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  // Before the page is painted: whoever sees it may press a key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!pressed(key, event) || event.defaultPrevented || isBusy(event)) return
      event.preventDefault()
      latest.current(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [key])
}

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Returns what is written on a key: `Mod` is Ctrl, or Command on a Mac. */
export function keyName(key: string): string {
  return key === 'Mod' ? MOD : key
}

function pressed(key: string, event: KeyboardEvent): boolean {
  const parts = key.split('+')
  const name = parts.at(-1) ?? ''
  const command = parts[0] === 'Mod'
  if (event.altKey || (event.ctrlKey || event.metaKey) !== command) return false
  if (!command) return event.key === name
  return event.shiftKey === parts.includes('Shift') && event.key.toLowerCase() === name
}

/** Typing means letters, and a dialog has the keys for itself. */
function isBusy(event: KeyboardEvent): boolean {
  const inField = (event.target as Element).closest?.('input, textarea, select, [contenteditable]') !== null
  const command = event.ctrlKey || event.metaKey
  const undoInField = inField && event.key.toLowerCase() === 'z'
  return (inField && !command) || undoInField || document.querySelector('[aria-modal="true"]') !== null
}
