import { expect, test } from 'vitest'
import { acceleratorOf, keysOf, type PressedKey } from '../../../../src-renderer/features/settings/accelerator.ts'

function pressed(key: string, code: string, ...modifiers: ('ctrl' | 'meta' | 'alt' | 'shift')[]): PressedKey {
  const down = (name: (typeof modifiers)[number]) => modifiers.includes(name)
  return { key, code, ctrlKey: down('ctrl'), metaKey: down('meta'), altKey: down('alt'), shiftKey: down('shift') }
}

test.for([
  [pressed('y', 'KeyY', 'ctrl'), 'Control+Y'],
  [pressed('Y', 'KeyY', 'ctrl', 'shift'), 'Control+Shift+Y'],
  [pressed('a', 'KeyQ', 'alt'), 'Alt+A'],
  [pressed('ф', 'KeyA', 'ctrl', 'alt'), 'Control+Alt+A'],
  [pressed('!', 'Digit1', 'ctrl', 'shift'), 'Control+Shift+1'],
  [pressed(' ', 'Space', 'meta'), 'Super+Space'],
  [pressed('ArrowUp', 'ArrowUp', 'ctrl'), 'Control+Up'],
  [pressed('F9', 'F9'), 'F9'],
  [pressed('Control', 'ControlLeft', 'ctrl'), undefined],
  [pressed('Shift', 'ShiftLeft', 'shift'), undefined],
  [pressed('y', 'KeyY'), { fault: 'alone' }],
  [pressed('Y', 'KeyY', 'shift'), { fault: 'alone' }],
  [pressed('AudioVolumeUp', 'AudioVolumeUp', 'ctrl'), { fault: 'unknown' }]
] as const)('%o is %o', ([event, accelerator]) => {
  expect(acceleratorOf(event, false)).toEqual(accelerator)
})

test('a Mac has Command, and letters under Option', () => {
  expect(acceleratorOf(pressed('y', 'KeyY', 'meta'), true)).toBe('Command+Y')
  expect(acceleratorOf(pressed('å', 'KeyA', 'alt'), true)).toBe('Alt+A')
})

test('the key that is either is shown as the one it is', () => {
  expect(keysOf('CommandOrControl+Shift+Y', false)).toEqual(['Control', 'Shift', 'Y'])
  expect(keysOf('CommandOrControl+Shift+Y', true)).toEqual(['Command', 'Shift', 'Y'])
})
