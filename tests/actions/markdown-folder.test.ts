import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFolderKeeping } from '../../src-main/actions/background/markdown-folder.ts'
import { changeBookmarks } from '../../src-main/actions/bookmarks/change-bookmarks.ts'
import { createBookmark, editBookmark } from '../../src-main/actions/bookmarks/save-bookmarks.ts'
import { openMarkdownFolder } from '../../src-main/integrations/markdown-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testPorts } from './ports.ts'

async function kept() {
  const data = tempFolder()
  const folder = tempFolder()
  const quick = await testPorts({ markdownFolder: (path) => openMarkdownFolder(data, path) })
  const keeping = createFolderKeeping(quick, quick.changes, (error) => expect.unreachable(String(error)), 1)
  onTestFinished(() => keeping.close())
  const save = async (title: string, more: object = {}) =>
    (await createBookmark(quick, { type: 'link', url: `https://${title}.example/`, title, ...more })).bookmark.id
  const files = () => readdirSync(folder).sort()
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const changed = () => quick.library.writeSettings({})
  /** Waits until this holds: files are written in the background. */
  const eventually = (holds: () => unknown) => vi.waitFor(holds, { timeout: 10_000 })
  /** Waits until the files are these. */
  const settled = async (...names: string[]) => {
    await changed()
    await eventually(() => expect(files()).toEqual(names))
  }
  return {
    ports: quick,
    keeping,
    data,
    folder,
    save,
    read,
    eventually,
    settled,
    changed
  }
}

test('a folder has a file for each bookmark that only the owner can read, and follows edits, renames and deletions', async () => {
  const { ports, keeping, folder, save, read, eventually, settled, changed } = await kept()
  const [a, b] = [await save('a', { tags: ['one'] }), await save('b')]
  keeping.start()
  await keeping.choose(folder)
  await settled('a.md', 'b.md')
  expect(statSync(join(folder, 'a.md')).mode & 0o777).toBe(0o600)
  expect(read('a.md')).toMatch(/^---\ntitle: a\nurl: https:\/\/a\.example\/\n/)
  await editBookmark(ports, a, { title: 'New: name' })
  await settled('New name.md', 'b.md')
  await ports.library.renameTag('one', 'two', ports.now())
  await changed()
  await eventually(() => expect(read('New name.md')).toContain('- two'))
  await changeBookmarks(ports, { ids: [b], change: { kind: 'delete' } })
  await settled('New name.md')
  await eventually(async () => expect(await keeping.state()).toEqual({ folder, files: 1, fault: null }))
})

test('files that somebody made or changed are neither replaced nor removed', async () => {
  const { ports, keeping, folder, save, read, eventually, settled } = await kept()
  writeFileSync(join(folder, 'a.md'), 'mine')
  const [a, b] = [await save('a'), await save('b')]
  keeping.start()
  await keeping.choose(folder)
  await settled('a (2).md', 'a.md', 'b.md')
  writeFileSync(join(folder, 'b.md'), 'my notes')
  await editBookmark(ports, b, { description: 'changed' })
  await editBookmark(ports, a, { description: 'changed' })
  await eventually(async () => {
    await settled('a (2).md', 'a.md', 'b.md')
    expect(read('a (2).md')).toContain('description: changed')
  })
  await changeBookmarks(ports, { ids: [a, b], change: { kind: 'delete' } })
  await settled('a.md', 'b.md')
  expect([read('a.md'), read('b.md')]).toEqual(['mine', 'my notes'])
})

test('a deleted file comes back, and one of the same content is taken over', async () => {
  const { keeping, data, folder, save, settled } = await kept()
  await save('a')
  keeping.start()
  await keeping.choose(folder)
  await settled('a.md')
  rmSync(join(folder, 'a.md'))
  await settled('a.md')
  rmSync(join(data, 'markdown-folder.json'))
  await keeping.choose(folder)
  await settled('a.md')
})

test('a folder that cannot be used is refused, and one that is gone is a fault until it is back', async () => {
  const { ports, keeping, data, folder, save, eventually, settled, changed } = await kept()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const [path, message] of [
    ['relative', /full path/],
    [join(folder, 'none'), /no folder/],
    [file, /is a file/],
    [data, /inside the data folder/]
  ] as const) {
    await expect(keeping.choose(path)).rejects.toThrow(message)
  }
  expect((await keeping.state()).folder).toBeNull()
  rmSync(file)
  await save('a')
  keeping.start()
  await keeping.choose(folder)
  await settled('a.md')
  rmSync(folder, { recursive: true })
  await changed()
  await eventually(async () => expect((await keeping.state()).fault).toMatch(/no folder/))
  mkdirSync(folder)
  await ports.library.writeSettings({})
  await settled('a.md')
  await keeping.choose(null)
  await save('b')
  await changed()
  expect(await keeping.state()).toMatchObject({ folder: null })
  await settled('a.md')
})
