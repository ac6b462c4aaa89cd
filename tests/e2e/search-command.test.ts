import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '../support/program.ts'
import { type Shared, startSharedProgram } from '../support/shared-program.ts'
import { tempFolder } from '../support/temp-folder.ts'

let shared: Shared

beforeAll(async () => {
  shared = await startSharedProgram()
  const file = join(shared.data, 'bookmarks.html')
  writeFileSync(
    file,
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
    <DT><A HREF="https://a.example/1" TAGS="hardware,sensor">MPU6050 gyroscope tutorial</A>
    <DT><A HREF="https://docs.b.example/2" TAGS="hardware">Gyroscope basics</A>
    <DT><A HREF="https://c.example/3">日本語の全文検索</A></DL>`
  )
  await runProgram(['import', file, '--data', shared.data])
})
afterAll(() => shared.remove())

const search = (...args: string[]) => runProgram(['search', ...args, '--data', shared.data])

async function found(...args: string[]): Promise<string[]> {
  const { code, stdout } = await search(...args, '--json')
  expect(code).toBe(0)
  return (JSON.parse(stdout) as { bookmarks: { title: string }[] }).bookmarks.map((one) => one.title)
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

test('further pages are offered', async () => {
  const { stdout } = await search('--limit', '1', '--page', '2')
  expect(stdout).toMatch(/3 found, page 2; --page 3 for more\n$/)
})

test('pages saved more than once are listed, those to be kept first', async () => {
  const file = join(shared.data, 'more.html')
  const items = ['http://www.a.example/1/', 'https://d.example/'].map((url) => `<DT><A HREF="${url}">Again</A>`)
  writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${items.join('')}</DL>`)
  await runProgram(['import', file, '--data', shared.data])
  const duplicates = (...args: string[]) => runProgram(['duplicates', ...args, '--data', shared.data])
  const json = JSON.parse((await duplicates('--json')).stdout)
  expect(json).toMatchObject({ total: 1, page: 1, hasMore: false, settled: true })
  const urls = json.groups[0].bookmarks.map((one: { url: string }) => one.url)
  expect(urls).toEqual(['https://a.example/1', 'http://www.a.example/1/'])
  expect((await duplicates()).stdout).toBe(
    'https://a.example/1  MPU6050 gyroscope tutorial\n  = http://www.a.example/1/  Again\n1 page saved more than once\n'
  )
  expect((await duplicates('--limit', '0')).code).toBe(2)
})

test('what an import has no room for is said', async () => {
  const file = join(shared.data, 'keywords.html')
  writeFileSync(
    file,
    '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://k.example/" SHORTCUTURL="k">K</A>'
  )
  const { stdout } = await runProgram(['import', file, '--dry-run', '--data', shared.data])
  expect(stdout).toContain('Not kept, for a bookmark has no room for it: keywords (1).\n')
})

test('words that were searched for are marked where colors are on', async () => {
  const { stdout } = await runProgram(['search', 'basics', '--data', shared.data], { ...process.env, FORCE_COLOR: '1' })
  expect(stdout).toContain('\x1b[1m\x1b[33mbasics\x1b[39m\x1b[22m')
})

test.each([
  ['--limit', '0'],
  ['--limit', '201'],
  ['--page', 'x'],
  ['--type', 'video']
])('%s %s is a clear error', async (option, value) => {
  const { code, stdout, stderr } = await search(option, value)
  expect(code).toBeGreaterThan(0)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('what docs/launchers.md says of the JSON is there', async () => {
  const { stdout } = await search('basics', '--json')
  const guide = readFileSync(join(import.meta.dirname, '../../docs/launchers.md'), 'utf8')
  const json = JSON.parse(stdout)
  const named = (part: string) => [...(guide.match(part) ?? '')[0].matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(Object.keys(json)).toEqual(expect.arrayContaining(named('The object has .*')))
  expect(Object.keys(json.bookmarks[0])).toEqual(expect.arrayContaining(named('Each bookmark has .*')))
})

test('an import of more than is indexed at once, without a service, stays until words find all of it', async () => {
  const [data, file] = [tempFolder(), join(tempFolder(), 'pages.txt')]
  writeFileSync(file, Array.from({ length: 3000 }, (_, at) => `https://a.example/page${at}\n`).join(''))
  const { code, stdout } = await runProgram(['import', file, '--data', data])
  expect([code, stdout]).toEqual([0, expect.stringContaining('3000 imported')])
  for (const word of ['page0', 'page1500', 'page2999']) {
    const { stdout: said } = await runProgram(['search', word, '--exactly', '--json', '--data', data])
    expect(JSON.parse(said)).toMatchObject({ total: 1 })
  }
})
