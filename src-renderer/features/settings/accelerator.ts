/** The parts of a keyboard event that describe the pressed keys. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Returns the pressed keys as an Electron accelerator (electronjs.org/docs/latest/tutorial/keyboard-shortcuts), or
 * `undefined` while only modifiers are pressed. `alone`: a key without a modifier, which is used for typing. `unknown`: a
 * key for which Electron has no name.
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

/** Returns the keys of an accelerator. */
export function keysOf(accelerator: string, isMac: boolean): string[] {
  return accelerator.split('+').map((part) => (part === 'CommandOrControl' ? (isMac ? 'Command' : 'Control') : part))
}

/** Returns Electron's name of a key: its letter; for other letters, as of Alt on a Mac or Cyrillic, by its position. */
function keyOf({ key, code }: PressedKey): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  const atPosition = /^(?:Key|Digit)([A-Z\d])$/.exec(code)?.[1]
  return atPosition ?? (/^F(?:[1-9]|1\d|2[0-4])$/.test(code) ? code : NAMES[code])
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
