import { expect, test } from 'vitest'
import { pickIcons } from '../../packaging/pick-icons.ts'

const FILE = '/earmark/src-renderer/ui/icons/icons.ts'

test('an icon’s name becomes its paths, only in the icons file', () => {
  const code = "export const IconX = icon('x')"
  expect(pickIcons().transform(code, FILE)?.code).toMatch(
    /^export const IconX = icon\('[Mm][\d .\-a-zA-Z]+'(, '[^']+')*\)$/
  )
  expect(pickIcons().transform(code, '/earmark/src-renderer/main.tsx')).toBeUndefined()
})

test('an unknown icon name fails the build', () => {
  expect(() => pickIcons().transform("icon('no-such-icon')", FILE)).toThrow('no-such-icon')
})
