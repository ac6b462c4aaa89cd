import { expect, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../../src-main/actions/ports.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { everything, START, testPorts } from '../ports.ts'

const FILE = '/home/owner/Bookmarks'

function give(ports: Ports, addresses: string[], more: { watched?: string; dryRun?: boolean } = {}) {
  const bytes = new TextEncoder().encode(addresses.map((address) => `${address}\n`).join(''))
  return importLibrary(ports, PROFILE, from(bytes), { format: 'urls', ...more })
}

async function* from(bytes: Uint8Array) {
  yield bytes
}

/** Deletes a page, and for good where nothing of it is to be left. */
async function remove(ports: Ports, url: string, forGood: boolean): Promise<void> {
  const ids = (await everything(ports)).filter((one) => one.url === url).map(({ id }) => id)
  await ports.library.changeBookmarks(ids, { kind: 'delete' }, START)
  if (forGood) await ports.library.changeBookmarks(ids, { kind: 'purge' }, START)
}

const urls = async (ports: Ports) => (await everything(ports)).map(({ url }) => url).sort()

test.each([
  ['deleted', false],
  ['deleted for good', true]
])('what a watched file gave and its owner %s does not come back', async (_, forGood) => {
  const ports = await testPorts()
  const pages = ['https://a.example/', 'https://b.example/']
  expect(await give(ports, pages, { watched: FILE })).toMatchObject({ imported: 2, duplicate: 0 })
  await remove(ports, 'https://a.example/', forGood)
  const again = [...pages, 'https://c.example/']
  expect(await give(ports, again, { watched: FILE, dryRun: true })).toMatchObject({ imported: 1, duplicate: 2 })
  expect(await give(ports, again, { watched: FILE })).toMatchObject({ imported: 1, duplicate: 2 })
  expect(await urls(ports)).toEqual(['https://b.example/', 'https://c.example/'])
})

test('a page that was there before the file gave it counts as given', async () => {
  const ports = await testPorts()
  await give(ports, ['https://a.example/'])
  expect(await give(ports, ['https://a.example/'], { watched: FILE })).toMatchObject({ imported: 0, duplicate: 1 })
  await remove(ports, 'https://a.example/', true)
  expect(await give(ports, ['https://a.example/'], { watched: FILE })).toMatchObject({ imported: 0, duplicate: 1 })
})

test('another file, and an import that nobody watches, may bring it again', async () => {
  const ports = await testPorts()
  await give(ports, ['https://a.example/', 'https://b.example/'], { watched: FILE })
  await remove(ports, 'https://a.example/', true)
  await remove(ports, 'https://b.example/', true)
  expect(await give(ports, ['https://a.example/'], { watched: '/home/owner/Other' })).toMatchObject({ imported: 1 })
  expect(await give(ports, ['https://b.example/'])).toMatchObject({ imported: 1 })
})

test('only looking remembers nothing', async () => {
  const ports = await testPorts()
  await give(ports, ['https://a.example/'], { watched: FILE, dryRun: true })
  expect(await give(ports, ['https://a.example/'], { watched: FILE })).toMatchObject({ imported: 1 })
})
