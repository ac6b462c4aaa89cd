import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { strToU8, zipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import type { CommandProcess } from '../../../src-main/cli/command.ts'
import { writeNamedFile } from '../../../src-main/cli/commands/transfer.ts'
import { earmark, expectProblem, json, modeOf, serving, startCommand } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** An empty library without a service. */
function library(): string {
  const data = tempFolder()
  putEmptyLibrary(data)
  return data
}

/** A file with a list of pages to import. */
function list(...pages: string[]): string {
  const file = join(tempFolder(), 'urls.txt')
  writeFileSync(file, pages.map((page) => `https://${page}.example/\n`).join(''))
  return file
}

describe.each([
  { mode: 'through a running service', open: async () => (await serving()).data },
  { mode: 'without a running service', open: async () => library() }
])('$mode', ({ open }) => {
  test('import counts every record, and a second import counts duplicates', async () => {
    const data = await open()
    const file = join(tempFolder(), 'bookmarks.html')
    writeFileSync(
      file,
      `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://one.example/">One</A>
<DT><A HREF="https://two.example/">Two</A>
<DT><A HREF="javascript:alert(1)">Three</A>
</DL>
`
    )
    const rejects = [{ line: 5, name: 'Three', reason: expect.stringContaining('javascript') }]
    expect(await json(['import', file, '--data', data])).toEqual({
      imported: 2,
      duplicate: 0,
      rejected: 1,
      rejects,
      undo: expect.any(Number)
    })
    expect(await json(['import', file, '--data', data])).toEqual({ imported: 0, duplicate: 2, rejected: 1, rejects })
  })

  test('export writes filtered bookmarks in the format of the file’s extension, and an import elsewhere reads them', async () => {
    const data = await open()
    const folder = tempFolder()
    await json(['import', list('one', 'two'), '--data', data])
    const file = join(folder, 'all.jsonl')
    expect(await json(['export', file, '--data', data])).toEqual({
      file,
      format: 'jsonl',
      bytes: statSync(file).size,
      leftOut: expect.any(String)
    })
    expect(modeOf(file)).toBe('600')
    expect(await json(['import', file, '--data', library()])).toMatchObject({ imported: 2, rejected: 0 })
    const table = join(folder, 'one.csv')
    await json(['export', table, '--domain', 'one.example', '--data', data])
    expect(readFileSync(table, 'utf8').trim().split('\r\n')).toHaveLength(2)
    const notes = join(folder, 'notes.zip')
    expect(await json(['export', notes, '--data', data])).toMatchObject({ format: 'markdown' })
    expect(await json(['import', notes, '--data', library()])).toMatchObject({ imported: 2, rejected: 0 })
    expect(await json(['export', join(folder, 'book.epub'), '--data', data])).toMatchObject({ format: 'epub' })
    expect(readdirSync(folder).sort()).toEqual(['all.jsonl', 'book.epub', 'notes.zip', 'one.csv'])
  })

  test.each(['export', 'backup'])('%s overwrites no file of Earmark’s and no device', async (command) => {
    const data = await open()
    const format = command === 'export' ? ['--format', 'jsonl'] : []
    for (const [file, reason] of [
      [join(data, 'library.sqlite'), /keeps its own files/],
      [join(data, 'backups', 'new.jsonl'), /keeps its own files/],
      ['/dev/null', /is not a file/],
      [tempFolder(), /is not a file/]
    ] as const) {
      await expectProblem([command, file, ...format, '--data', data], 'invalid', reason)
    }
    expect(existsSync(join(data, 'backups', 'new.jsonl'))).toBe(false)
    expect(readFileSync(join(data, 'library.sqlite'), 'latin1')).toMatch(/^SQLite format 3/)
    expect(statSync('/dev/null').isFile()).toBe(false)
  })

  test('export to - writes to standard output only', async () => {
    const data = await open()
    await json(['import', list('one', 'two'), '--data', data])
    const { code, stdout, stderr } = await earmark(['export', '-', '--domain', 'one.example', '--data', data])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/"url":"[^"]+"/g)).toEqual(['"url":"https://one.example/"'])
    expect(await earmark(['export', '-', '--json', '--data', data])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('--json cannot be used with -')
    })
  })

  test('an interrupted export leaves no file', async () => {
    const data = await open()
    await json(['import', list(...Array.from({ length: 3000 }, (_, page) => `page-${page}`)), '--data', data])
    const folder = tempFolder()
    const exporting = startCommand(['export', join(folder, 'all.jsonl'), '--data', data])
    await expect.poll(() => readdirSync(folder), { interval: 1 }).not.toEqual([])
    exporting.tell('SIGINT')
    expect(await exporting.ended).toMatchObject({ code: 1, stdout: '', stderr: 'Stopped. Nothing was written.\n' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('export does not follow a link that was prepared beside its file', async () => {
    const data = await open()
    const [folder, other] = [tempFolder(), join(tempFolder(), 'other')]
    writeFileSync(other, 'untouched')
    symlinkSync(other, join(folder, 'all.jsonl.tmp'))
    await json(['export', join(folder, 'all.jsonl'), '--data', data])
    expect(readFileSync(other, 'utf8')).toBe('untouched')
    expect(readdirSync(folder).sort()).toEqual(['all.jsonl', 'all.jsonl.tmp'])
  })
})

describe('import', () => {
  test('--encoding sets the encoding of a file; an unknown one is refused', async () => {
    const file = join(tempFolder(), 'short.csv')
    writeFileSync(file, Buffer.from('url,title\nhttps://a.example/,\xcf\xf0\n', 'latin1'))
    const data = library()
    expect(await json(['import', file, '--encoding', 'windows-1251', '--dry-run', '--data', data])).toMatchObject({
      imported: 1,
      encodings: ['windows-1251']
    })
    await expectProblem(
      ['import', file, '--encoding', 'klingon', '--data', data],
      'invalid',
      /^There is no encoding klingon/
    )
  })

  test('--dry-run counts without importing, and --undo undoes an import', async () => {
    const data = library()
    const file = list('one', 'two')
    const counts = { imported: 2, duplicate: 0, rejected: 0, rejects: [] }
    expect(await json(['import', file, '--dry-run', '--data', data])).toEqual(counts)
    expect(await json(['search', '--data', data])).toMatchObject({ total: 0 })
    const { undo } = await json(['import', file, '--data', data])
    expect(await json(['imports', '--data', data])).toMatchObject({
      imports: [{ id: undo, imported: 2, undone: false, file: basename(file) }]
    })
    expect(await json(['import', '--undo', String(undo), '--data', data])).toEqual({ undone: 2, kept: 0 })
    const { stdout } = await earmark(['imports', '--data', data])
    expect(stdout).toMatch(new RegExp(`^${undo} {2}\\d{4}-\\S+ {2}2 imported {2}undone {2}${basename(file)}\n$`))
    expect(await json(['search', '--data', data])).toMatchObject({ total: 0 })
    await expectProblem(
      ['import', '--undo', String(undo), '--data', data],
      'not-found',
      /^There is no import 1 to undo/
    )
  })

  test('prints details that are not imported', async () => {
    const file = join(tempFolder(), 'keywords.html')
    writeFileSync(
      file,
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://k.example/" SHORTCUTURL="k">K</A>'
    )
    const { stdout } = await earmark(['import', file, '--dry-run', '--data', library()])
    expect(stdout).toContain('Details that are not kept: keywords (1).\n')
  })

  test('without a service waits until all of a large import is indexed', async () => {
    const data = library()
    const pages = Array.from({ length: 3000 }, (_, at) => `a.example/page${at}`)
    const file = join(tempFolder(), 'pages.txt')
    writeFileSync(file, pages.map((page) => `https://${page}\n`).join(''))
    const { code, stdout } = await earmark(['import', file, '--data', data])
    expect([code, stdout]).toEqual([0, expect.stringContaining('3000 imported')])
    for (const word of ['page0', 'page1500', 'page2999']) {
      expect(await json(['search', word, '--exactly', '--data', data])).toMatchObject({ total: 1 })
    }
  })
})

const data = tempFolder(afterAll)
putEmptyLibrary(data)
const program = join(data, 'program')
writeFileSync(program, Buffer.from('\x7fELF\x02\x01\x01\0 a program, \0\xff\xfe', 'latin1'))

test.each([
  [['import', '/nowhere/x.html'], 'not-found', /\/nowhere\/x\.html cannot be read: it does not exist/],
  [['import', program], 'invalid', /bookmark file/],
  [['import', import.meta.dirname], 'not-found', /commands cannot be read: it is a folder/],
  [['export', 'x.docx'], 'invalid', /\.jsonl/],
  [['export', '/nowhere/x.jsonl'], 'not-found', /\/nowhere\/x\.jsonl.* cannot be written/],
  [['backup', '/nowhere/x'], 'not-found', /\/nowhere\/x/]
])('%j exits with 1 and one line', async (args, code, message) => {
  await expectProblem([...args, '--data', data], code, message)
})

test.runIf(process.platform === 'linux')('an export to a folder that takes no files is closed', async () => {
  const content = Readable.from(['{}'])
  const host = { once: () => {}, off: () => {} } as unknown as CommandProcess
  await expect(writeNamedFile('/proc/x.jsonl', data, host, async () => content)).rejects.toMatchObject({
    code: 'not-found',
    message: 'The file /proc/x.jsonl cannot be written.'
  })
  expect(content.destroyed).toBe(true)
})

test('rejected records of JSON files are printed with their title, and damaged files of an archive with their name', async () => {
  const data = library()
  const folder = tempFolder()
  const url = (name: string) => ({ type: 'url', name, url: 'javascript:x' })
  const children = [url('Bookmarklet'), url(''), { type: 'x' }]
  writeFileSync(join(folder, 'Bookmarks'), JSON.stringify({ roots: { bookmark_bar: { children } } }))
  writeFileSync(join(folder, 'cut.zip'), zipSync({ 'metadata_0.json': strToU8('[{"savedAt":"2024-01-01","slug":"a"') }))
  const json = await earmark(['import', join(folder, 'Bookmarks'), '--data', data])
  expect(json.stdout).toMatch(/^ {2}“Bookmarklet”: javascript: .*\n {2}“javascript:x”: .*\n {2}untitled: no address$/m)
  const archive = await earmark(['import', join(folder, 'cut.zip'), '--data', data])
  expect(archive.stdout).toMatch(/^ {2}metadata_0\.json: This JSON file is damaged or cut off/m)
})

test('control characters of file names, addresses and words are not printed', async () => {
  const data = library()
  const file = join(tempFolder(), 'export.zip')
  const name = '\u001b[2J\u001b]0;mine\u0007a\r\n9 imported\u202e.html'
  const html = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="x\u001b[31my:z">t</A></DL>'
  writeFileSync(file, zipSync({ [name]: strToU8(html) }))
  const { stdout, stderr } = await earmark(['import', file, '--data', data])
  expect(stdout).toMatch(
    /^0 imported, 0 already there, 1 rejected\n {2}\[2J\]0;minea 9 imported\.html, line 1, “t”: .*\n/
  )
  expect(`${stdout}${stderr}`).not.toMatch(CONTROL_CHARACTERS)
  const { rejects } = await json(['import', file, '--data', data])
  expect(rejects).toMatchObject([{ file: name }])
  for (const args of [['import', 'no\u001b[31m'], ['bogus\u001b[31m'], ['search', 'a\u001b[31mb tag:"\u001b[31mz"']]) {
    const written = await earmark([...args, '--data', data])
    expect(written.stdout + written.stderr).not.toBe('')
    expect(written.stdout + written.stderr).not.toMatch(CONTROL_CHARACTERS)
  }
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed
const CONTROL_CHARACTERS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/
