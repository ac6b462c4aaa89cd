import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { earmark, json, serving } from '../../support/command-line.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const data = tempFolder(atEnd)

beforeAll(async () => {
  await serving(data, atEnd)
  await importPages(`<DT><A HREF="https://a.example/1" TAGS="hardware,sensor">MPU6050 gyroscope tutorial</A>
    <DT><A HREF="https://docs.b.example/2" TAGS="hardware">Gyroscope basics</A>
    <DT><A HREF="https://c.example/3">日本語の全文検索</A>`)
})

async function importPages(items: string): Promise<void> {
  const file = join(data, 'bookmarks.html')
  writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${items}</DL>`)
  await json(['import', file, '--data', data])
}

const search = (...args: string[]) => earmark(['search', ...args, '--data', data])

async function found(...args: string[]): Promise<string[]> {
  const { bookmarks } = await json(['search', ...args, '--data', data])
  return bookmarks.map(({ title }: { title: string }) => title)
}

test('words, tags, sites and types find bookmarks', async () => {
  expect((await found('gyroscope')).length).toBe(2)
  expect(await found('gyroscope', 'tutorial')).toEqual(['MPU6050 gyroscope tutorial'])
  expect(await found('--tag', 'Hardware', '--tag', 'sensor')).toEqual(['MPU6050 gyroscope tutorial'])
  expect(await found('--domain', 'b.example')).toEqual(['Gyroscope basics'])
  expect(await found('全文')).toEqual(['日本語の全文検索'])
  expect(await found('--type', 'image')).toEqual([])
})

test('a person sees titles, addresses, tags and how many there are', async () => {
  const { stdout, stderr } = await search('basics')
  expect(stdout).toBe('Gyroscope basics\n  https://docs.b.example/2\n  #hardware\n1 found\n')
  expect(stderr).toBe('')
})

test('what was searched for instead is said', async () => {
  expect((await search('6050')).stdout).toContain('words that hold it: “mpu6050”')
  expect((await search('gyrosocpe')).stdout).toContain('searched for “gyroscope”')
})

test('--exactly finds only what has every word', async () => {
  expect((await search('gyroscope', 'xylophone')).stdout).toContain('none of these has “xylophone”')
  const { stdout } = await search('--exactly', 'gyroscope', 'xylophone')
  expect(stdout).toBe('Nothing matches.\n0 found\n')
})

test('a word after - must be missing, and a mistyped option is none', async () => {
  expect(await found('gyroscope', '-tutorial', '--limit', '1')).toEqual(['Gyroscope basics'])
  expect(await search('gyroscope', '--tga', 'x')).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: unknown option '--tga'\n"
  })
  expect(await search('gyroscope', '-limit', '3')).toMatchObject({
    code: 2,
    stderr: "error: unknown option '-limit'\n"
  })
})

test('further pages are offered', async () => {
  const { stdout } = await search('--limit', '1', '--page', '2')
  expect(stdout).toMatch(/3 found, page 2; --page 3 for more\n$/)
})

test('pages saved more than once are listed, those to be kept first', async () => {
  await importPages(
    ['http://www.a.example/1/', 'https://d.example/'].map((url) => `<DT><A HREF="${url}">Again</A>`).join('')
  )
  const duplicates = await json(['duplicates', '--data', data])
  expect(duplicates).toMatchObject({ total: 1, page: 1, hasMore: false, settled: true })
  const urls = duplicates.groups[0].bookmarks.map((one: { url: string }) => one.url)
  expect(urls).toEqual(['https://a.example/1', 'http://www.a.example/1/'])
  expect((await earmark(['duplicates', '--data', data])).stdout).toBe(
    'https://a.example/1  MPU6050 gyroscope tutorial\n  = http://www.a.example/1/  Again\n1 page saved more than once\n'
  )
})

test('words that were searched for are marked where colors are on', async () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect((await search('basics')).stdout).toContain('\x1b[1m\x1b[33mbasics\x1b[39m\x1b[22m')
})

test('what docs/launchers.md says of the JSON is there', async () => {
  const printed = await json(['search', 'basics', '--data', data])
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/launchers.md'), 'utf8')
  const named = (part: string) => [...(guide.match(part) ?? '')[0].matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(Object.keys(printed)).toEqual(expect.arrayContaining(named('The object has .*')))
  expect(Object.keys(printed.bookmarks[0])).toEqual(expect.arrayContaining(named('Each bookmark has .*')))
})
