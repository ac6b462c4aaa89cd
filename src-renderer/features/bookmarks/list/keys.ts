import type { KeyboardEvent } from 'react'
import type { State } from '../../../../src-main/contract/tag-names.ts'

/** The effect of a key in a list. `extend` chooses everything on the way. */
export type ListKey =
  | { by: number; extend: boolean }
  | { to: number | 'end'; extend: boolean }
  | { act: 'open' | 'edit' | 'select' | 'delete' | 'all' | 'copy' | 'tag' | 'move' | 'leave' | State }

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * @param columns items side by side
 * @param screen rows that fit in sight
 */
export function readKey(event: KeyPress, columns: number, screen: number): ListKey | undefined {
  const { key, shiftKey: extend, altKey } = event
  const command = event.ctrlKey || event.metaKey
  if (altKey) return undefined
  if (command) return key.toLowerCase() === 'a' ? { act: 'all' } : undefined
  const step = {
    ArrowDown: columns,
    j: columns,
    ArrowUp: -columns,
    k: -columns,
    PageDown: columns * screen,
    PageUp: -columns * screen
  }[key]
  if (step) return { by: step, extend }
  if (columns > 1 && key === 'ArrowRight') return { by: 1, extend }
  if (columns > 1 && key === 'ArrowLeft') return { by: -1, extend }
  if (key === 'Home') return { to: 0, extend }
  if (key === 'End') return { to: 'end', extend }
  const act = ACTS[key]
  return act && { act }
}

const ACTS: Record<string, Extract<ListKey, { act: unknown }>['act']> = {
  Enter: 'edit',
  e: 'edit',
  o: 'open',
  t: 'tag',
  m: 'move',
  x: 'select',
  ' ': 'select',
  c: 'copy',
  f: 'favorite',
  u: 'unread',
  a: 'archived',
  Delete: 'delete',
  Backspace: 'delete',
  Escape: 'leave'
}
