/** A pressed key, as a keyboard event tells it. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Returns the pressed keys as Electron writes them (electronjs.org/docs/latest/tutorial/keyboard-shortcuts);
 * `undefined` while only modifiers are down. `alone` are keys that somebody types with, `unknown` those Electron has no
 * name for.
 */
export function acceleratorOf(
  pressed: PressedKey,
  isMac: boolean
): string | { fault: 'alone' | 'unknown' } | undefined {
  if (MODIFIERS.includes(pressed.key)) return undefined
  const key = keyOf(pressed)
  if (!key) return { fault: 'unknown' }
  const command = pressed.ctrlKey || pressed.metaKey || pressed.altKey
  if (!command && !/^F\d+$/.test(key)) return { fault: 'alone' }
  return [
    pressed.ctrlKey && 'Control',
    pressed.metaKey && (isMac ? 'Command' : 'Super'),
    pressed.altKey && 'Alt',
    pressed.shiftKey && 'Shift',
    key
  ]
    .filter(Boolean)
    .join('+')
}

/** An accelerator's parts, as the keys are called here. */
export function keysOf(accelerator: string, isMac: boolean): string[] {
  return accelerator.split('+').map((part) => (part === 'CommandOrControl' ? (isMac ? 'Command' : 'Control') : part))
}

/** The letter as the keyboard has it; where that is none of Electron's, with Alt on a Mac or in Cyrillic, by its place. */
function keyOf({ key, code }: PressedKey): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const placed = /^(?:Key|Digit)([A-Z\d])$/.exec(code)?.[1]
  return placed ?? (/^F(?:[1-9]|1\d|2[0-4])$/.test(code) ? code : NAMES[code])
}

const MODIFIERS = ['Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'OS', 'CapsLock', 'Fn']

const NAMES: Record<string, string> = {
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  Backslash: '\\',
  BracketLeft: '[',
  BracketRight: ']',
  Comma: ',',
  Delete: 'Delete',
  End: 'End',
  Enter: 'Return',
  Home: 'Home',
  Insert: 'Insert',
  Minus: '-',
  PageDown: 'PageDown',
  PageUp: 'PageUp',
  Period: '.',
  Semicolon: ';',
  Slash: '/',
  Space: 'Space'
}
