import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWatching } from '../../../src-main/actions/background/watching.ts'
import { createRunningImports } from '../../../src-main/actions/long-work.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import { bookmarkFiles } from '../../../src-main/host/bookmark-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { everything, START, testPorts } from '../ports.ts'

async function watcher(ports?: Awaited<ReturnType<typeof testPorts>>) {
  const used = ports ?? (await testPorts())
  const files = {
    ...bookmarkFiles,
    ofBrowsers: async () => ['/browser/Bookmarks', file].map((path) => ({ browser: 'Chromium', file: path }))
  }
  const bugs: unknown[] = []
  const parts = { imports: createRunningImports(), changes: used.changes, onBug: (bug: unknown) => bugs.push(bug) }
  const watching = createWatching({ ...used, files }, { ...parts, every: 10 })
  onTestFinished(async () => {
    await watching.close()
    expect(bugs).toEqual([])
  })
  watching.start()
  return { ports: used, watching, urls: async () => (await everything(used)).map(({ url }) => url).sort() }
}

let file = ''

function listOf(...names: string[]): string {
  return names.map((name) => `https://${name}.example/\n`).join('')
}

function write(text: string): void {
  writeFileSync(file, text)
  // The file system's clock may be too coarse to tell two writes apart.
  utimesSync(file, new Date(), new Date(Date.now() + Math.random() * 1e6))
}

function freshFile(text: string): void {
  file = join(tempFolder(), 'urls.txt')
  write(text)
}

test('a watched file is imported at once and after each change, until it is no longer watched', async () => {
  freshFile(listOf('a'))
  const { watching, urls } = await watcher()
  expect(await watching.watch(file)).toEqual({ file, lastAt: START, imported: 1, problem: null })
  write(listOf('a', 'b'))
  await vi.waitFor(async () => expect(await urls()).toEqual(['https://a.example/', 'https://b.example/']))
  expect(await watching.list()).toEqual([{ file, lastAt: START, imported: 2, problem: null }])
  expect(await watching.found()).toEqual(['/browser/Bookmarks'])
  expect(readFileSync(file, 'utf8')).toBe(listOf('a', 'b'))
  await watching.unwatch(file)
  expect(await watching.list()).toEqual([])
  expect(await watching.found()).toContain(file)
  await expect(watching.unwatch(file)).rejects.toMatchObject({ code: 'not-found' })
})

test('a file is watched after a restart too, and deleted bookmarks do not come back', async () => {
  freshFile(listOf('a', 'b'))
  const first = await watcher()
  await first.watching.watch(file)
  await first.watching.close()
  const [deleted] = await everything(first.ports)
  await first.ports.library.changeBookmarks([deleted?.id ?? ''], { kind: 'delete' }, START)
  write(listOf('a', 'b', 'c'))
  const { urls } = await watcher(first.ports)
  await vi.waitFor(async () => expect(await urls()).toHaveLength(2))
  expect(await urls()).not.toContain(deleted?.url)
})

test('a missing file and one without bookmarks are reported until the file is valid again', async () => {
  freshFile(listOf('a'))
  const { watching, urls } = await watcher()
  await watching.watch(file)
  const problem = async () => (await watching.list())[0]?.problem
  renameSync(file, `${file}.away`)
  await vi.waitFor(async () => expect(await problem()).toBe('The file is not there.'))
  renameSync(`${file}.away`, file)
  await vi.waitFor(async () => expect(await problem()).toBeNull())
  write('{"nothing":1}')
  await vi.waitFor(async () => expect(await problem()).toMatch(/not a bookmark file/))
  write(listOf('a', 'b'))
  await vi.waitFor(async () => expect(await problem()).toBeNull())
  expect(await urls()).toHaveLength(2)
})

test('a failed import is tried again after a minute, although the file did not change', async () => {
  freshFile(listOf('a'))
  const { watching, urls, ports } = await watcher()
  await watching.watch(file)
  const importing = vi.spyOn(ports.library, 'importBookmarks').mockRejectedValueOnce(new Problem('taken', 'Not now.'))
  write(listOf('a', 'b'))
  const problem = async () => (await watching.list())[0]?.problem
  await vi.waitFor(async () => expect(await problem()).toBe('Not now.'))
  ports.clock.time += 60_000
  await vi.waitFor(async () => expect(await urls()).toHaveLength(2))
  expect(await problem()).toBeNull()
  expect(importing).toHaveBeenCalledTimes(2)
})

test.each([
  ['urls.txt', 'invalid', /full path/],
  ['/missing/urls.txt', 'not-found', /cannot be read/]
])('the path %s is refused', async (path, code, message) => {
  freshFile(listOf('a'))
  const { watching } = await watcher()
  await expect(watching.watch(path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  expect(await watching.list()).toEqual([])
})

test('several files are added and removed at the same time', async () => {
  const files = Array.from({ length: 4 }, (_, index) => `${tempFolder()}/${index}.txt`)
  for (const path of files) writeFileSync(path, listOf(path))
  const { watching } = await watcher()
  await Promise.all(files.map((path) => watching.watch(path)))
  const names = async () => (await watching.list()).map((watched) => watched.file)
  expect(await names()).toEqual(files)
  await Promise.all(files.slice(1).map((path) => watching.unwatch(path)))
  expect(await names()).toEqual(files.slice(0, 1))
})

test('more than 20 files are refused', async () => {
  freshFile(listOf('a'))
  const { watching, ports } = await watcher()
  await ports.library.writeSettings({ watchedFiles: Array.from({ length: 20 }, (_, index) => `/missing/${index}`) })
  await expect(watching.watch(file)).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(/20/) })
})
