import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { createZip } from '../../src-main/formats/zip.ts'

const TIME = new Date(2026, 0, 31, 12, 30, 10).getTime()

async function archive(names: string[]): Promise<Uint8Array> {
  const zip = createZip()
  const pieces: Uint8Array[] = []
  for (const name of names) pieces.push(await zip.add({ name, content: `of ${name}`, time: TIME, isStored: true }))
  return Buffer.concat([...pieces, zip.end()])
}

test('an archive has files with names in any script', async () => {
  const files = unzipSync(await archive(['a.md', '日本 ü.md']))
  expect(Object.keys(files)).toEqual(['a.md', '日本 ü.md'])
  expect(new TextDecoder().decode(files['日本 ü.md'])).toBe('of 日本 ü.md')
})

test('an archive may have more than 65,535 files', async () => {
  const names = Array.from({ length: 65_600 }, (_, index) => `${index}`)
  const files = unzipSync(await archive(names))
  expect(Object.keys(files)).toHaveLength(names.length)
  expect(new TextDecoder().decode(files['65599'])).toBe('of 65599')
})

test('a file is compressed unless it is stored', async () => {
  const content = 'word '.repeat(1000)
  const [packed, stored] = await Promise.all(
    [false, true].map((isStored) => createZip().add({ name: 'a', content, time: TIME, isStored }))
  )
  expect(packed?.length).toBeLessThan(200)
  expect(stored?.length).toBeGreaterThan(content.length)
})
