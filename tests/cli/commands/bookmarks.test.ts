import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { earmark, json, serving } from '../../support/command-line.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

/** `earmark search`, `duplicates` and `add` through a running service. */
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

const find = async (...args: string[]) => (await json(['search', ...args, '--data', data])).bookmarks

describe('search', () => {
  const search = (...args: string[]) => earmark(['search', ...args, '--data', data])
  const titles = async (...args: string[]) => (await find(...args)).map(({ title }: { title: string }) => title)

  test('finds bookmarks by words, tags, sites and types', async () => {
    expect(await titles('gyroscope', 'tutorial')).toEqual(['MPU6050 gyroscope tutorial'])
    expect(await titles('gyroscope', '-tutorial', '--limit', '1')).toEqual(['Gyroscope basics'])
    expect(await titles('--tag', 'Hardware', '--tag', 'sensor')).toEqual(['MPU6050 gyroscope tutorial'])
    expect(await titles('--domain', 'b.example')).toEqual(['Gyroscope basics'])
    expect(await titles('--type', 'image')).toEqual([])
  })

  test('prints titles, addresses, tags and the total for a person', async () => {
    const stdout = 'Gyroscope basics\n  https://docs.b.example/2\n  #hardware\n1 found\n'
    expect(await search('basics')).toEqual({ code: 0, stdout, stderr: '' })
    expect((await search('--limit', '1', '--page', '2')).stdout).toMatch(/3 found, page 2; --page 3 for more\n$/)
  })

  test('prints on stderr which words were searched for instead', async () => {
    expect((await search('gyrosocpe')).stderr).toContain('searched for “gyroscope”')
  })

  test('id: reads a bookmark, and like: finds similar ones', async () => {
    const [{ id, title }] = await find('tutorial')
    const { stdout, code } = await search(`id:${id}`)
    expect([code, stdout]).toEqual([0, expect.stringMatching(`^${title}\nhttps://a.example/1\n`)])
    const read = await json(['search', `id:${id}`, 'gyroscope', '--data', data])
    expect(read).toMatchObject({ total: 1, hasMore: false, bookmarks: [{ id }] })
    expect(await titles(`like:${id}`)).toEqual(['Gyroscope basics'])
    expect(await search('id:0123456789abcdef')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^There is no bookmark with this id/)
    })
  })

  test('--exactly finds only bookmarks with every word', async () => {
    expect((await search('gyroscope', 'xylophone')).stderr).toContain('none of these has “xylophone”')
    const { stdout, stderr } = await search('--exactly', 'gyroscope', 'xylophone')
    expect([stdout, stderr]).toEqual(['0 found\n', expect.stringMatching(/^No bookmark has “xylophone”\./)])
  })

  test('--long prints ids and dates too', async () => {
    const [{ id, createdAt }] = await find('basics')
    expect((await search('basics', '--long')).stdout).toContain(`\n  ${id}  ${createdAt.slice(0, 10)}\n`)
  })

  test('highlights the matching words in color', async () => {
    vi.stubEnv('FORCE_COLOR', '1')
    expect((await search('basics')).stdout).toContain('\x1b[1m\x1b[33mbasics\x1b[39m\x1b[22m')
  })

  test('--json has the fields that docs/launchers.md names', async () => {
    const printed = await json(['search', 'basics', '--data', data])
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/launchers.md'), 'utf8')
    const fields = (part: string) => [...(guide.match(part) ?? '')[0].matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(Object.keys(printed)).toEqual(expect.arrayContaining(fields('The object has .*')))
    expect(Object.keys(printed.bookmarks[0])).toEqual(expect.arrayContaining(fields('Each bookmark has .*')))
  })
})

test('duplicates lists pages that were saved more than once, the bookmark to keep first', async () => {
  await importPages(
    ['http://www.a.example/1/', 'https://d.example/'].map((url) => `<DT><A HREF="${url}">Again</A>`).join('')
  )
  const duplicates = await json(['duplicates', '--data', data])
  expect(duplicates).toMatchObject({ total: 1, page: 1, hasMore: false, settled: true })
  const urls = duplicates.groups[0].bookmarks.map(({ url }: { url: string }) => url)
  expect(urls).toEqual(['https://a.example/1', 'http://www.a.example/1/'])
  expect((await earmark(['duplicates', '--data', data])).stdout).toBe(
    'https://a.example/1  MPU6050 gyroscope tutorial\n  = http://www.a.example/1/  Again\n1 page saved more than once\n'
  )
})

describe('add', () => {
  const add = (...args: string[]) => earmark(['add', ...args, '--data', data])
  const addFrom = (input: string, ...args: string[]) => earmark(['add', '-', '--data', data, ...args], input)

  test('saves a page with a title and tags; an existing page gets the missing tags', async () => {
    const url = 'https://add.example/one'
    expect(await add(url, '--title', 'One', '--tag', 'a')).toEqual({ code: 0, stdout: `Saved: ${url}\n`, stderr: '' })
    expect((await add(url, '--tag', 'a', '--tag', 'b')).stdout).toBe(`Already there, now with #b: ${url}\n`)
    expect((await add(url)).stdout).toBe(`Already there: ${url}\n`)
    expect(await find('site:add.example')).toMatchObject([{ title: 'One', url, tags: ['a', 'b'] }])
  })

  test('accepts an address without a scheme', async () => {
    expect((await add('bare.example/x;')).stdout).toBe('Saved: https://bare.example/x;\n')
    expect((await addFrom('Mr.Smith\n')).stdout).toMatch(/^Not saved: Mr\.Smith: not a URL/)
  })

  test('saves the valid addresses, names the invalid one with its reason, and exits with 1', async () => {
    expect(await json(['add', 'https://two.example/', 'README.md', '--data', data], 1)).toEqual({
      saved: 1,
      existing: 0,
      invalid: 1,
      bookmarks: [
        { url: 'https://two.example/', status: 'saved', id: expect.any(String), addedTags: [] },
        { url: 'README.md', status: 'invalid', reason: 'not a URL: it must start with http:// or https://' }
      ]
    })
  })

  test('reads addresses from standard input, one on each line', async () => {
    const list = '# a list\n\nhttps://line.example/1\nhttps://line.example/2\n'
    const stdout = 'Saved: https://line.example/1\nSaved: https://line.example/2\n'
    expect(await addFrom(list)).toEqual({ code: 0, stdout, stderr: '' })
    expect(await addFrom('https://line.example/3\n', '--title', 'Three')).toMatchObject({ code: 0 })
    expect(await find('three site:line.example')).toMatchObject([{ title: 'Three' }])
  })

  test('without an address, or with a title for several, exits with 2 and creates no library', async () => {
    const nowhere = join(data, 'nowhere')
    const stderr = 'error: no address was given\n'
    expect(await addFrom('# none\n', '--data', nowhere)).toEqual({ code: 2, stdout: '', stderr })
    const several = await addFrom('https://a.example\nhttps://b.example\n', '--title', 'T', '--data', nowhere)
    expect(several).toMatchObject({ code: 2, stderr: 'error: --title needs exactly one address\n' })
    expect(existsSync(nowhere)).toBe(false)
  })

  test('saves for an organization; an unknown organization is an error', async () => {
    await json(['organizations', 'create', '--name', 'Acme', '--data', data])
    expect((await add('https://acme.example/', '--organization', 'Acme')).code).toBe(0)
    expect(await find('site:acme.example')).toMatchObject([{ organization: 'Acme', visibility: 'organization' }])
    const unknown = await add('https://acme.example/x', '--organization', 'Nobody')
    const stderr = expect.stringMatching(/^There is no organization/)
    expect(unknown).toEqual({ code: 1, stdout: '', stderr })
  })
})
