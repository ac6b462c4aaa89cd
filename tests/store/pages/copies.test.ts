import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBackup } from '../../../src-main/database/backups.ts'
import { folderOf } from '../../../src-main/database/connection.ts'
import { checkCopies } from '../../../src-main/store/doctor/doctor-files.ts'
import { emptyLibrary, link, PRIVATE, type TestLibrary } from '../library.ts'

const DAY_MS = 86_400_000

/** A library with links at these addresses, and their ids. */
function libraryWith(...urls: string[]) {
  const library = emptyLibrary()
  const ids = library
    .saveBookmarks(
      PRIVATE,
      urls.map((url) => link(url))
    )
    .map(({ id }) => id)
  return { library, ids: ids as [string, ...string[]] }
}

/** Saves a copy, whose file is older than those that are kept in any case. */
async function copy(library: TestLibrary, id: string, text: string, savedAt = 1): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const hash = await library.keepCopyFile(bytes)
  library.saveCopy(id, { hash, size: bytes.length, savedAt })
  utimesSync(join(copiesOf(library), `${hash}.html`), 0, 0)
  return hash
}

const copiesOf = ({ db }: TestLibrary) => join(folderOf(db), 'copies')

const filesOf = (library: TestLibrary) => readdirSync(copiesOf(library)).map((name) => name.replace('.html', ''))

/** Deletes all undo steps. */
const forgetUndo = (library: TestLibrary) => library.forgetSteps(Date.now() + 400 * DAY_MS)

test('a copy is a file of its owner’s alone, and a newer one takes its place', async () => {
  const { library, ids } = libraryWith('https://a.example/')
  expect(library.findCopy(ids[0])).toBeUndefined()
  const hash = await copy(library, ids[0], '<p>One')
  expect(statSync(join(copiesOf(library), `${hash}.html`)).mode & 0o777).toBe(0o600)
  expect(library.findCopy(ids[0])).toEqual({ hash, size: 6, savedAt: 1, isMissing: false })
  await copy(library, ids[0], '<p>Two!', 2)
  expect(new TextDecoder().decode(await library.readCopyFile(ids[0]))).toBe('<p>Two!')
  expect(library.measureCopies()).toEqual({ count: 1, bytes: 7 })
  expect(library.saveCopy('none', { hash, size: 6, savedAt: 1 })).toBe(false)
})

test('the same copy of two pages is stored and counted once, and stays while one of them has it', async () => {
  const { library, ids } = libraryWith('https://a.example/', 'https://b.example/')
  for (const id of ids) await copy(library, id, 'same')
  expect(library.measureCopies()).toEqual({ count: 1, bytes: 4 })
  library.deleteCopy(ids[0], 5)
  forgetUndo(library)
  await library.pruneCopies()
  expect(filesOf(library)).toHaveLength(1)
})

test('a deleted copy comes back with undo, and its file goes when the undo does', async () => {
  const { library, ids } = libraryWith('https://a.example/')
  const hash = await copy(library, ids[0], '<p>One')
  const step = library.deleteCopy(ids[0], 5) ?? 0
  expect(library.findCopy(ids[0])).toBeUndefined()
  expect(library.deleteCopy(ids[0], 6)).toBeUndefined()
  await library.pruneCopies()
  library.undoStep(step)
  expect(library.findCopy(ids[0])).toEqual({ hash, size: 6, savedAt: 1, isMissing: false })
  library.deleteCopy(ids[0], 20_000)
  forgetUndo(library)
  await library.pruneCopies()
  expect(filesOf(library)).toEqual([])
})

test('the trash keeps a copy, and a purge lets it go', async () => {
  const { library, ids } = libraryWith('https://a.example/')
  await copy(library, ids[0], '<p>One')
  const { undo } = library.changeBookmarks([ids[0]], { kind: 'delete' }, 5)
  await library.pruneCopies()
  expect(filesOf(library)).toHaveLength(1)
  library.undoStep(undo ?? 0)
  expect(library.findCopy(ids[0])).toBeDefined()
  library.changeBookmarks([ids[0]], { kind: 'delete' }, 20_000)
  library.purgeTrash(Number.MAX_SAFE_INTEGER)
  await library.pruneCopies()
  expect(filesOf(library)).toEqual([])
})

test('a copy stays when its bookmark gets another address', async () => {
  const { library, ids } = libraryWith('https://a.example/')
  const hash = await copy(library, ids[0], '<p>One')
  const { url, domain, pageKey } = link('https://b.example/')
  library.editBookmark(ids[0], { address: { url, domain, pageKey } }, 5)
  expect(library.findCopy(ids[0])?.hash).toBe(hash)
})

test('a merge keeps the copy of the bookmark that stays, or else takes the newest, and an undo gives it back', async () => {
  const near = ['https://a.example/', 'https://www.a.example/', 'http://a.example/index.html']
  const { library, ids } = libraryWith(...near)
  const [keep, ...others] = ids
  await copy(library, others[0] ?? '', 'older', 1)
  const newest = await copy(library, others[1] ?? '', 'newer', 2)
  const { undo, left } = library.mergeDuplicates([{ keep, others }], 5)
  expect(left).toEqual([])
  expect(library.findCopy(keep)?.hash).toBe(newest)
  library.undoStep(undo ?? 0)
  expect(library.findCopy(keep)).toBeUndefined()
  expect(library.findCopy(others[1] ?? '')?.hash).toBe(newest)
  const own = await copy(library, keep, 'its own', 0)
  library.mergeDuplicates([{ keep, others }], 20_000)
  expect(library.findCopy(keep)?.hash).toBe(own)
})

test('a file goes only when neither the library nor a backup names it, and none goes while a backup is unreadable', async () => {
  const { library, ids } = libraryWith('https://a.example/')
  const hash = await copy(library, ids[0], '<p>One')
  const folder = folderOf(library.db)
  const backup = await makeBackup(
    folder,
    'manual-1.sqlite',
    (file) => library.db.backup(file),
    async () => {}
  )
  library.deleteCopy(ids[0], 5)
  forgetUndo(library)
  await library.pruneCopies()
  expect(filesOf(library)).toEqual([hash])
  // Reading it left nothing beside it.
  expect(readdirSync(join(folder, 'backups'))).toEqual(['manual-1.sqlite'])
  writeFileSync(backup.path, 'damaged')
  await library.pruneCopies()
  expect(filesOf(library)).toEqual([hash])
  rmSync(backup.path)
  // A file that was just written may still get its row.
  writeFileSync(join(copiesOf(library), 'new.tmp'), '')
  await library.pruneCopies()
  expect(filesOf(library)).toEqual(['new.tmp'])
})

test('doctor counts copies whose files are missing or of another size', async () => {
  const { library, ids } = libraryWith('https://a.example/', 'https://b.example/')
  for (const [index, id] of ids.entries()) await copy(library, id, `copy ${index}`)
  expect(checkCopies(library.db)).toMatchObject({ state: 'ok', text: 'All copies of pages are present: 2.' })
  const [name = ''] = readdirSync(copiesOf(library))
  writeFileSync(join(copiesOf(library), name), '')
  expect(checkCopies(library.db)).toMatchObject({
    check: 'copies',
    state: 'problem',
    text: 'Copies of pages whose files are missing or incomplete: 1 of 2.'
  })
})
