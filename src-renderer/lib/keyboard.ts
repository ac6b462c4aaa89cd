import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'

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
  // Before the page is painted: a person who sees it may press a key.
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
  const inField = isInField(event)
  const command = event.ctrlKey || event.metaKey
  const undoInField = inField && event.key.toLowerCase() === 'z'
  return (inField && !command) || undoInField || isDialogOpen()
}

function isInField({ target }: KeyboardEvent): boolean {
  return (target as Element).closest?.('input, textarea, select, [contenteditable]') !== null
}

function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}

/** How long after `g` the place is waited for, in milliseconds. */
const SEQUENCE_MS = 1500

/** Where `g` and another key lead. */
const PLACES: Record<string, string> = {
  a: '/',
  l: '/?q=type:link',
  i: '/?q=type:image',
  c: '/?q=type:color',
  x: '/?q=type:text',
  r: '/?q=is:opened',
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
      if (event.ctrlKey || event.metaKey || event.altKey || isInField(event) || isDialogOpen()) return
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

/** By then the thing a key opens is there, in milliseconds, or it will not come. */
const TIMEOUT_MS = 2000

let stopHolding: (() => void) | undefined

/**
 * Holds what is typed between a key that opens something and the moment its field has the focus, and gives it to that
 * field. Until then keys mean what was there before: of "Ctrl-K, order" an `o` would open a page.
 *
 * Keys that write nothing are dropped, but for Escape, which ends the waiting. So are all, where what opened has no
 * field.
 *
 * @param onlyField what opens gives the focus to something else first, and then to a field
 */
export function holdTyping({ onlyField = false } = {}): void {
  stopHolding?.()
  const from = document.activeElement
  let held = ''

  const onKey = (event: KeyboardEvent) => {
    if (isModifier(event)) return
    if (event.key === 'Escape') return stop()
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Backspace') held = held.slice(0, -1)
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) held += event.key
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (target === from || target === document.body) return
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (onlyField && !isField) return
    stop()
    if (isField) write(target, held)
  }
  // By name: the page may be gone when time is up.
  const [view, page] = [window, document]
  const stop = () => {
    clearTimeout(late)
    view.removeEventListener('keydown', onKey, true)
    page.removeEventListener('focusin', onFocus, true)
    stopHolding = undefined
  }
  const late = setTimeout(stop, TIMEOUT_MS)
  window.addEventListener('keydown', onKey, true)
  document.addEventListener('focusin', onFocus, true)
  stopHolding = stop
}

function isModifier({ key }: KeyboardEvent): boolean {
  return ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Process', 'Dead'].includes(key)
}

/** Writes into a field as typing does, so that its event listeners are called. */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (text === '') return
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  // React looks for changes made past its own setter.
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, field.value + text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
