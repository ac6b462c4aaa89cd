import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useHotkeys, useWindowEvent } from '@mantine/hooks'
import { useRef } from 'react'
import { useLocation } from 'wouter'

/** Keys that act anywhere in the window. Their handlers, the palette and the sheet of shortcuts read the same tables. */
interface Shortcut {
  /** As `useHotkeys` reads them; the first is shown. `Mod` is Ctrl, or Command on a Mac. */
  combos: string[]
  does: MessageDescriptor
  /** Whether it also acts while the user types in a field. */
  inFields?: boolean
}

export const SHORTCUTS = {
  // Some keyboards have / and ? only with Shift, others without.
  search: { combos: ['/', 'Shift+/'], does: msg`Search` },
  find: { combos: ['Mod+K'], does: msg`Find a bookmark or a command`, inFields: true },
  add: { combos: ['N'], does: msg`Add a bookmark; or just paste` },
  undo: { combos: ['Mod+Z'], does: msg`Undo the last change` },
  redo: { combos: ['Mod+Shift+Z', 'Mod+Y'], does: msg`Redo` },
  sidebar: { combos: ['Mod+B'], does: msg`Hide or show the sidebar`, inFields: true },
  help: { combos: ['?', 'Shift+?'], does: msg`Show these shortcuts` }
} satisfies Record<string, Shortcut>

/** Where `G` and another key lead. */
export const PLACES = [
  { key: 'A', path: '/', name: msg`All` },
  { key: 'L', path: '/?q=type:link', name: msg`Links` },
  { key: 'I', path: '/?q=type:image', name: msg`Images` },
  { key: 'C', path: '/?q=type:color', name: msg`Colors` },
  { key: 'X', path: '/?q=type:text', name: msg`Texts` },
  { key: 'R', path: '/?q=is:opened', name: msg`Recently opened` },
  { key: 'H', path: '/highlights', name: msg`Highlights` },
  { key: 'T', path: '/tags', name: msg`Tags` },
  { key: 'O', path: '/organizations', name: msg`Organizations` },
  { key: 'D', path: '/trash', name: msg`Trash` },
  { key: 'K', path: '/profile/api-keys', name: msg`API Keys` },
  { key: 'S', path: '/settings', name: msg`Settings` }
]

/** Returns the keys of a shortcut. */
export function keysOf({ combos }: Pick<Shortcut, 'combos'>): string[] {
  return combos[0]?.split('+') ?? []
}

/** Returns the key; for a letter of another alphabet, the Latin letter at its place: `j` for the Russian о. */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key > '\u024f' && code.startsWith('Key')
  return isForeign ? code.slice('Key'.length).toLowerCase() : key
}

/** Calls back when a shortcut is pressed, unless a dialog is open or another handler has prevented the event. */
export function useShortcut(name: keyof typeof SHORTCUTS, run: () => void): void {
  const { combos, inFields = false }: Shortcut = SHORTCUTS[name]
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isDialogOpen()) return
    event.preventDefault()
    run()
  }
  const pressForeign = (event: KeyboardEvent) => {
    if (latinKey(event) !== event.key) press(event)
  }
  useHotkeys(
    combos.flatMap((combo) => [
      [combo, press, { preventDefault: false }],
      [combo, pressForeign, { preventDefault: false, usePhysicalKeys: true }]
    ]),
    inFields ? [] : undefined,
    inFields
  )
}

function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}

/** Maximum time between `G` and the key of a place, in ms. */
const SEQUENCE_MS = 1500

/** Goes to a place by two keys, `G` and its own, unless they are typed into a field. */
export function useGoKeys(): void {
  const [, go] = useLocation()
  const until = useRef(0)
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isInField(event) || isDialogOpen()) return
    const isSecond = event.timeStamp < until.current
    const pressed = latinKey(event)
    const place = isSecond && PLACES.find(({ key }) => key.toLowerCase() === pressed)
    until.current = pressed === 'g' && !place ? event.timeStamp + SEQUENCE_MS : 0
    if (!place) return
    // The list must not take the second key.
    event.preventDefault()
    event.stopPropagation()
    go(place.path)
  }
  useWindowEvent('keydown', onKey, { capture: true })
}

function isInField({ target }: KeyboardEvent): boolean {
  return (target as Element).closest?.('input, textarea, select, [contenteditable]') !== null
}

/**
 * Calls back with keys that are pressed while nothing has the focus, as after loading or after a dialog closed.
 *
 * @param onPanelToo whether to call back also with letters that are pressed while a button of the panel has the focus
 */
export function useLooseKeys(press: (event: KeyboardEvent) => void, onPanelToo: boolean): void {
  const onKey = (event: KeyboardEvent) => {
    const isLoose = event.target === document.body || (onPanelToo && isLetterOnButton(event))
    if (isLoose && !event.defaultPrevented && !isDialogOpen()) press(event)
  }
  useWindowEvent('keydown', onKey)
}

function isLetterOnButton(event: KeyboardEvent): boolean {
  const button = (event.target as Element).closest('aside button, aside a')
  return (
    /^[a-z]$/.test(latinKey(event)) && button !== null && button.closest('[role="menu"], [role="listbox"]') === null
  )
}

/** Maximum time until a dialog that a key opens has the focus, in ms. */
const TIMEOUT_MS = 2000

let stopBuffering: (() => void) | undefined

/**
 * Buffers the characters typed after a key that opens a dialog, and writes them into the dialog's field once it has the
 * focus. Until then the list behind would act on them: in Ctrl-K, "order", the `o` would open a page.
 *
 * Keys that write nothing are dropped, except Escape, which ends the buffering. If the dialog has no field, all are
 * dropped.
 *
 * @param onlyField whether to wait for a field, because the dialog gives the focus to another element first
 */
export function bufferTyping({ onlyField = false } = {}): void {
  stopBuffering?.()
  const from = document.activeElement
  let buffer = ''

  const onKey = (event: KeyboardEvent) => {
    if (isModifier(event)) return
    if (event.key === 'Escape') return stop()
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Backspace') buffer = buffer.slice(0, -1)
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) buffer += event.key
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (target === from || target === document.body) return
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (onlyField && !isField) return
    stop()
    if (isField) write(target, buffer)
  }
  // When the timeout ends, the globals may belong to another page.
  const [view, page] = [window, document]
  const stop = () => {
    clearTimeout(timeout)
    view.removeEventListener('keydown', onKey, true)
    page.removeEventListener('focusin', onFocus, true)
    stopBuffering = undefined
  }
  const timeout = setTimeout(stop, TIMEOUT_MS)
  window.addEventListener('keydown', onKey, true)
  document.addEventListener('focusin', onFocus, true)
  stopBuffering = stop
}

function isModifier({ key }: KeyboardEvent): boolean {
  return ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Process', 'Dead'].includes(key)
}

/** Writes into a field as typing does, so that its event listeners are called. */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (text === '') return
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  // By the prototype's setter: React replaces the field's own one, and would not notice a change made by it.
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, field.value + text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
