import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createSyncing } from '../../../src-main/actions/background/syncing.ts'
import { savePicture } from '../../../src-main/actions/pages/pictures.ts'
import { examineSync } from '../../../src-main/actions/sync/examine-sync.ts'
import { previewSync } from '../../../src-main/actions/sync/preview-sync.ts'
import { changeSyncPassword, leaveSync, setUpSync, syncCode } from '../../../src-main/actions/sync/set-up-sync.ts'
import { syncOnce } from '../../../src-main/actions/sync/sync-once.ts'
import { link, PRIVATE } from '../../store/library.ts'
import { picture } from '../../support/pictures.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { davServer } from '../../support/webdav-server.ts'
import { testPorts } from '../ports.ts'

const DAY_MS = 86_400_000
type TestPorts = Awaited<ReturnType<typeof testPorts>>

/** Two machines whose clocks are right. */
async function machines() {
  const folder = tempFolder()
  const [here, there] = await Promise.all([testPorts({ now: Date.now }), testPorts({ now: Date.now })])
  const { code } = await setUpSync(here, { folder, name: 'here' })
  await syncOnce(here)
  const { backup } = await setUpSync(there, { folder, name: 'there', code })
  return { folder, here, there, code, backup }
}

const save = (ports: TestPorts, url: string) => ports.library.saveBookmarks(PRIVATE, [link(url)])

/** Returns what is kept by now under each name that a code was kept under. */
function watchCodes({ keyFiles }: TestPorts) {
  const writes = vi.spyOn(keyFiles, 'write')
  return () => Promise.all(writes.mock.calls.map(([account]) => keyFiles.read(account)))
}

async function urls({ library }: TestPorts): Promise<(string | null)[]> {
  const { bookmarks } = await library.listBookmarks({ order: 'newest', page: 1, limit: 100 })
  return bookmarks.map(({ url }) => url).sort()
}

test('what is saved on one machine is on the other after a round of each, and the one that joins is backed up', async () => {
  const { here, there, backup } = await machines()
  await save(here, 'https://a.example/')
  await save(there, 'https://b.example/')
  expect(await syncOnce(here)).toEqual({ sent: 1, received: 0, waiting: [] })
  expect(await syncOnce(there)).toEqual({ sent: 1, received: 1, waiting: [] })
  await syncOnce(here)
  expect(await urls(here)).toEqual(['https://a.example/', 'https://b.example/'])
  expect(await urls(there)).toEqual(await urls(here))
  expect(backup).toContain('manual-')
  expect((await here.library.readSync())?.devices).toMatchObject([{ name: 'there' }])
})

test('a folder in use wants its code, a wrong one changes nothing, and a library is set up once', async () => {
  const { folder, here } = await machines()
  const other = await testPorts()
  await expect(setUpSync(other, { folder, name: 'x' })).rejects.toThrow(
    'Another machine synchronizes through this folder'
  )
  const codes = watchCodes(other)
  await expect(setUpSync(other, { folder, name: 'x', code: 'AAAA' })).rejects.toThrow('not copied right')
  expect(await codes()).toEqual([undefined])
  expect(await other.library.readSync()).toBeUndefined()
  await expect(syncOnce(other)).rejects.toThrow('not set up')
  await expect(syncCode(other)).rejects.toThrow('not set up')
  await expect(setUpSync(here, { folder, name: 'x' })).rejects.toMatchObject({ code: 'taken' })
})

test('without the code, or paused, nothing is sent; after leaving nothing is left', async () => {
  const { here, code } = await machines()
  expect(await syncCode(here)).toBe(code)
  const { account = '' } = (await here.library.readSync()) ?? {}
  await here.keyFiles.remove(account)
  await expect(syncOnce(here)).rejects.toThrow('cannot be read from the keychain')
  await here.keyFiles.write(account, code)
  await here.library.setSyncPaused(true)
  await save(here, 'https://a.example/')
  expect(await syncOnce(here)).toMatchObject({ sent: 0, waiting: ['Synchronization is paused.'] })
  await leaveSync(here)
  expect(await here.keyFiles.read(account)).toBeUndefined()
  expect(await urls(here)).toEqual(['https://a.example/'])
})

test('leaving while the bookmarks of another machine come in ends the round, and pausing does', async () => {
  const { here, there } = await machines()
  await save(here, 'https://a.example/')
  await here.library.beginSnapshot(0)
  await syncOnce(here)
  const read = vi.spyOn(there.library, 'snapshotRead').mockImplementation(async () => leaveSync(there))
  await syncOnce(there)
  expect(read).toHaveBeenCalledOnce()
  await expect(there.library.mergeRecords([], 1)).rejects.toMatchObject({ code: 'taken' })
  await save(here, 'https://b.example/')
  vi.spyOn(here.library, 'stampChanges').mockImplementationOnce(async () => {
    await here.library.setSyncPaused(true)
    return false
  })
  expect(await syncOnce(here)).toMatchObject({ sent: 0 })
})

test('what ended between the writing of a segment and its note is written once', async () => {
  const { here, there } = await machines()
  await save(here, 'https://a.example/')
  const library = { ...here.library, segmentSent: () => Promise.reject(new Error('killed')) }
  await expect(syncOnce({ ...here, library })).rejects.toThrow('killed')
  const before = await here.library.readSync()
  await syncOnce(here)
  expect(await here.library.readSync()).toMatchObject({ device: before?.device, segment: before?.segment })
  await syncOnce(there)
  expect(await urls(there)).toEqual(['https://a.example/'])
})

test('a library that went back to an older state goes on as another device, and loses nothing', async () => {
  const { here, there } = await machines()
  const backup = await here.library.backUp('manual-old.sqlite')
  await save(here, 'https://lost.example/')
  await syncOnce(here)
  const { device } = (await here.library.readSync()) ?? {}
  await here.library.restoreBackup(backup.name, 1)
  await save(here, 'https://since.example/')
  await syncOnce(here)
  expect((await here.library.readSync())?.device).not.toBe(device)
  await syncOnce(there)
  expect(await urls(there)).toEqual(['https://lost.example/', 'https://since.example/'])
  expect(await urls(here)).toEqual(await urls(there))
})

test('a restored library goes on as another device though the folder does not show yet that it should', async () => {
  const { folder, here, there } = await machines()
  const backup = await here.library.backUp('manual-old.sqlite')
  await save(here, 'https://lost.example/')
  await syncOnce(here)
  await syncOnce(there)
  const { device = '' } = (await here.library.readSync()) ?? {}
  const files = join(folder, 'earmark-sync', device)
  renameSync(files, join(folder, 'not copied yet'))
  await here.library.restoreBackup(backup.name, 1)
  await save(here, 'https://since.example/')
  await syncOnce(here)
  renameSync(join(folder, 'not copied yet'), files)
  for (const one of [here, there, here]) await syncOnce(one)
  expect(await urls(there)).toEqual(['https://lost.example/', 'https://since.example/'])
  expect(await urls(here)).toEqual(await urls(there))
})

test('what is changed in a restored library before its next round is later than what others changed since the backup', async () => {
  const { here, there } = await machines()
  const id = (await save(here, 'https://a.example/'))[0]?.id ?? ''
  for (const one of [here, there]) await syncOnce(one)
  await here.library.stampChanges(Date.now() - 9 * DAY_MS)
  const backup = await here.library.backUp('manual-old.sqlite')
  await there.library.editBookmark(id, { title: 'earlier' }, 1)
  await syncOnce(there)
  await here.library.restoreBackup(backup.name, 1)
  await here.library.editBookmark(id, { title: 'later' }, 2)
  for (const one of [here, there]) await syncOnce(one)
  const { bookmarks } = await there.library.listBookmarks({ order: 'newest', page: 1, limit: 1 })
  expect(bookmarks).toMatchObject([{ title: 'later' }])
})

test('a backup that takes the library’s place during a round ends the round', async () => {
  const { here, there } = await machines()
  const backup = await there.library.backUp('manual-old.sqlite')
  await save(here, 'https://a.example/')
  await syncOnce(here)
  await save(here, 'https://b.example/')
  await syncOnce(here)
  let isFirst = true
  const inOneLibrary: typeof there.library.inOneLibrary = async (work) => {
    const done = await there.library.inOneLibrary(work)
    if (isFirst) await there.library.restoreBackup(backup.name, 1)
    isFirst = false
    return done
  }
  const round = syncOnce({ ...there, library: { ...there.library, inOneLibrary } })
  await expect(round).rejects.toMatchObject({ code: 'taken' })
  await syncOnce(there)
  expect(await urls(there)).toEqual(['https://a.example/', 'https://b.example/'])
})

test('before joining it is counted what would be new on each side, each page once', async () => {
  const { folder, here, there, code } = await machines()
  for (const ports of [here, there]) await save(ports, 'https://both.example/')
  for (const url of ['https://a.example/', 'https://b.example/', 'https://gone.example/']) await save(here, url)
  const gone = (await here.library.listBookmarks({ order: 'newest', page: 1, limit: 1 })).bookmarks[0]
  await syncOnce(here)
  await here.library.changeBookmarks([gone?.id ?? ''], { kind: 'delete' }, Date.now())
  for (const ports of [there, here, there]) await syncOnce(ports)
  const late = await testPorts({ now: Date.now })
  for (const url of ['https://a.example/', 'https://both.example/', 'https://own.example/']) await save(late, url)
  expect(await previewSync(late, { folder, code })).toEqual({ here: 3, there: 3, same: 2 })
})

test('what one device wrote in a newer format keeps back nothing else', async () => {
  const { folder, here, there } = await machines()
  await save(here, 'https://a.example/')
  await syncOnce(here)
  const newer = join(folder, 'earmark-sync', '0'.repeat(32))
  mkdirSync(newer)
  writeFileSync(join(newer, '00000000-000001.last'), `EMS9${'x'.repeat(100)}`)
  await save(there, 'https://b.example/')
  expect(await syncOnce(there)).toMatchObject({
    sent: 1,
    received: 1,
    waiting: [expect.stringContaining('newer version')]
  })
})

test('a part that is missing, or whose clock is ahead, is waited for by name', async () => {
  const { folder, here, there } = await machines()
  for (const url of ['https://a.example/', 'https://b.example/']) {
    await save(here, url)
    await syncOnce(here)
  }
  const { device = '' } = (await here.library.readSync()) ?? {}
  const files = join(folder, 'earmark-sync', device)
  const [snapshot = '', first = ''] = readdirSync(files).sort()
  for (const name of [snapshot, first]) renameSync(join(files, name), join(folder, name))
  expect((await syncOnce(there)).waiting).toEqual([expect.stringContaining('Another machine has not sent all')])
  writeFileSync(join(files, snapshot), 'half')
  expect((await syncOnce(there)).waiting).toEqual([expect.stringContaining('are not whole in the folder yet')])
  cpSync(join(folder, snapshot), join(files, snapshot))
  expect((await syncOnce(there)).waiting).toEqual([
    'Waiting for file 1 of “here”: it is not in the folder yet, or not whole.'
  ])
  cpSync(join(folder, first), join(files, first))
  expect((await syncOnce({ ...there, now: () => Date.now() - 2 * DAY_MS })).waiting).toEqual([
    expect.stringContaining('The clock of “here” is more than a day ahead, or was.')
  ])
  expect((await syncOnce(there)).waiting).toEqual([])
  expect(await urls(there)).toHaveLength(2)
})

test('the doctor says whether the folder and the code are there', async () => {
  const { folder, here } = await machines()
  expect(await examineSync(await testPorts())).toEqual([])
  expect(await examineSync(here)).toMatchObject([{ state: 'ok' }])
  renameSync(join(folder, 'earmark-sync'), join(folder, 'away'))
  expect(await examineSync(here)).toMatchObject([{ state: 'problem', text: expect.stringContaining('Was it emptied') }])
})

test('in the background it says why something waits, and goes on once it can', async () => {
  const { folder, here } = await machines()
  const errors: unknown[] = []
  const syncing = createSyncing(here, here.changes, (error) => errors.push(error))
  renameSync(join(folder, 'earmark-sync'), join(folder, 'away'))
  syncing.start()
  await expect.poll(() => syncing.waiting()).toEqual([expect.stringContaining('Was it emptied')])
  renameSync(join(folder, 'away'), join(folder, 'earmark-sync'))
  expect(await syncing.now()).toMatchObject({ waiting: [] })
  expect(syncing.waiting()).toEqual([])
  await syncing.close()
  expect(errors).toEqual([])
  vi.spyOn(here.library, 'stampChanges').mockRejectedValueOnce(new Error('odd'))
  const another = createSyncing(here, here.changes, (error) => errors.push(error))
  another.start()
  await expect.poll(() => another.waiting()).toEqual(['Something went wrong: Error: odd'])
  expect(errors).toHaveLength(1)
  await another.close()
})

test('while the bookmarks of others come in, it says how far they are', async () => {
  const { folder, code } = await machines()
  const late = await testPorts({ now: Date.now })
  await setUpSync(late, { folder, name: 'late', code })
  const seen: unknown[] = []
  const nextPart: typeof late.library.nextPart = () => {
    seen.push(syncing.progress())
    return late.library.nextPart()
  }
  const syncing = createSyncing({ ...late, library: { ...late.library, nextPart } }, late.changes, () => {})
  await syncing.now()
  expect(seen[0]).toEqual({ work: 'receiving', done: 1, total: 1 })
  expect(syncing.progress()).toBeUndefined()
})

test('30 days after a snapshot what was before it is removed, and whoever joins then gets all the same', async () => {
  const { folder, here, there, code } = await machines()
  for (const url of ['https://a.example/', 'https://b.example/']) {
    await save(here, url)
    await syncOnce(here)
  }
  await syncOnce(there)
  const { device = '' } = (await here.library.readSync()) ?? {}
  const files = () => readdirSync(join(folder, 'earmark-sync', device)).sort()
  await here.library.beginSnapshot(0)
  await syncOnce(here)
  expect(files()).toEqual(['00000000-000001.last', '00000001.seg', '00000002.seg', '00000002-000001.last'].sort())
  await syncOnce({ ...here, now: () => Date.now() + 31 * DAY_MS })
  expect(files()).toEqual(['00000002-000001.last'])
  const late = await testPorts({ now: Date.now })
  await setUpSync(late, { folder, name: 'late', code })
  const onProgress = vi.fn()
  expect(await syncOnce(late, { onProgress })).toMatchObject({ received: 2, waiting: [] })
  expect(onProgress.mock.calls).toEqual(Array(2).fill([{ work: 'receiving', done: 1, total: 1 }]))
  expect(await syncOnce(there)).toMatchObject({ received: 0, waiting: [] })
  expect(await urls(late)).toEqual(await urls(here))
})

test('a picture that is kept itself travels byte for byte, is waited for, and is one bookmark with its like', async () => {
  const { folder, here, there } = await machines()
  const [red, blue] = [await picture('#ff0000'), await picture('#0000ff')]
  const { bookmark } = await savePicture(here, red, { title: 'Red' })
  await savePicture(there, red, { tags: ['own'] })
  await syncOnce(here)
  await syncOnce(there)
  const { order, page, limit } = { order: 'newest' as const, page: 1, limit: 10 }
  const of = async ({ library }: TestPorts) => (await library.listBookmarks({ order, page, limit })).bookmarks
  await syncOnce(here)
  expect(await of(there)).toMatchObject([{ picture: bookmark.picture, tags: ['own'] }])
  expect(await of(here)).toMatchObject([{ id: (await of(there))[0]?.id, tags: ['own'] }])
  await savePicture(here, blue, { title: 'Blue' })
  await syncOnce(here)
  const pictures = join(folder, 'earmark-sync', 'pictures')
  const names = readdirSync(pictures)
  expect(names).toHaveLength(2)
  renameSync(pictures, join(folder, 'away'))
  expect((await syncOnce(there)).waiting).toEqual(['A picture of “here” is not in the folder yet, or not whole.'])
  renameSync(join(folder, 'away'), pictures)
  expect((await syncOnce(there)).waiting).toEqual([])
  const kept = await there.library.readOriginal((await of(there)).find(({ title }) => title === 'Blue')?.picture ?? '')
  expect(Buffer.from(kept?.bytes ?? []).equals(blue)).toBe(true)
})

test('parts of a snapshot with a gap between them, of which one was written twice, are waited for', async () => {
  const { folder, there, code } = await machines()
  const opened = await (await there.syncFolders()).open({ folder }, code, false)
  const part = { device: '0'.repeat(32), name: 'x', after: 0, part: 1, isLast: false, from: 0, records: [], covers: [] }
  await opened.writePart({ ...part, upTo: 5 })
  await opened.writePart({ ...part, part: 2, isLast: true, from: 7, upTo: 9 })
  expect((await syncOnce(there)).waiting).toEqual([expect.stringContaining('are not whole in the folder yet')])
  await opened.writePart({ ...part, upTo: 7 })
  expect((await syncOnce(there)).waiting).toEqual([])
})

test('a bookmark whose picture cannot be read comes without it, holds back nothing, and gets it once it can', async () => {
  const { here, there } = await machines()
  await syncOnce(there)
  const { bookmark } = await savePicture(here, await picture('#ff0000'), { title: 'Red', tags: ['art'] })
  await save(here, 'https://a.example/')
  for (let round = 1; round <= 2; round += 1) {
    await syncOnce(here)
    if (round === 1) await savePicture(here, await picture('#0000ff'), { title: 'Blue' })
  }
  const refuses = { ...there.pictures, inspect: async () => ({ fault: 'pixels' as const }) }
  const report = await syncOnce({ ...there, pictures: refuses })
  expect(report).toMatchObject({ received: 3 })
  expect(report.waiting).toEqual([
    expect.stringMatching(/^Bookmarks of “here” were received without their pictures. A picture has at most 40/)
  ])
  const of = async (ports: TestPorts) => {
    const { bookmarks } = await ports.library.listBookmarks({ order: 'newest', page: 1, limit: 10 })
    return bookmarks.filter(({ type }) => type === 'image')
  }
  expect(await of(there)).toEqual(await of(here))
  expect(await there.library.readOriginal(bookmark.picture ?? '')).toBeUndefined()
  expect(await there.library.findPicture(bookmark.id)).toMatchObject({ original: null })
  expect((await there.library.examine(Date.now())).find(({ check }) => check === 'pictures')).toMatchObject({
    text: expect.stringContaining('missing: 2;')
  })
  // It can be changed, and goes on as it is to a machine that can read the picture.
  await there.library.editBookmark(bookmark.id, { title: 'Deep red' }, Date.now())
  expect(await syncOnce({ ...there, pictures: refuses })).toMatchObject({ sent: 1, waiting: [] })
  await syncOnce(here)
  expect((await of(here)).map(({ title }) => title)).toContain('Deep red')
  await syncOnce(there, { checksFiles: 'some' })
  expect(await there.library.readOriginal(bookmark.picture ?? '')).toMatchObject({ type: 'image/png' })
})

test('a bookmark with another picture under the name of its own comes without it', async () => {
  const [folder, red, here] = [tempFolder(), await picture('#ff0000'), await testPorts({ now: Date.now })]
  const { bookmark } = await savePicture(here, red, {})
  const { code } = await setUpSync(here, { folder, name: 'here' })
  const opened = await (await here.syncFolders()).open({ folder }, code, false)
  await opened.writePicture(bookmark.picture ?? '', await picture('#0000ff'))
  await syncOnce(here)
  const [listing] = await opened.list()
  const { records = [] } = (listing && (await opened.readPart(listing, 1))) ?? {}
  const there = await testPorts({ now: Date.now })
  await setUpSync(there, { folder, name: 'there', code })
  expect(await there.library.insertUnknown(records, 1)).toEqual([0])
  expect(await syncOnce(there)).toMatchObject({
    received: 1,
    waiting: [
      'Bookmarks of “here” were received without their pictures. The file in the sync folder holds another picture.'
    ]
  })
  expect(await there.library.hasOriginal(bookmark.picture ?? '')).toBe(false)
})

test('a picture that was deleted before it was sent is not sent, and keeps back nothing', async () => {
  const { here, there } = await machines()
  const { bookmark } = await savePicture(here, await picture('#ff0000'), {})
  await save(here, 'https://a.example/')
  const library = { ...here.library, readOriginal: async () => undefined }
  expect(await syncOnce({ ...here, library })).toMatchObject({ sent: 2 })
  await here.library.changeBookmarks([bookmark.id], { kind: 'delete' }, Date.now())
  await here.library.changeBookmarks([bookmark.id], { kind: 'purge' }, Date.now())
  await syncOnce(here)
  expect(await syncOnce(there)).toMatchObject({ waiting: [] })
  expect(await urls(there)).toEqual(['https://a.example/'])
})

test('where the clock has leapt a year ahead, changes are dated by the newest time that is known', async () => {
  const { here } = await machines()
  const stamp = vi.spyOn(here.library, 'stampChanges')
  await syncOnce({ ...here, now: () => Date.now() + 365 * DAY_MS })
  expect(stamp.mock.calls.length).toBeGreaterThan(0)
  for (const [latest] of stamp.mock.calls) expect(latest).toBeLessThan(Date.now() + DAY_MS / 2)
  // Where it was not used for a month, it was not used for a month.
  const then = Date.now() + 30 * DAY_MS
  await syncOnce({ ...here, now: () => then })
  expect(stamp.mock.lastCall?.[0]).toBeGreaterThan(then)
})

test('after leaving, all that came at first can be taken back, and not while that would happen on all machines', async () => {
  const folder = tempFolder()
  const [here, there] = await Promise.all([testPorts({ now: Date.now }), testPorts({ now: Date.now })])
  const { code } = await setUpSync(here, { folder, name: 'here' })
  await syncOnce(here)
  // It comes in a segment, and not in the snapshot.
  await save(here, 'https://a.example/')
  await syncOnce(here)
  await setUpSync(there, { folder, name: 'there', code })
  await syncOnce(there)
  await leaveSync(there)
  const [joined] = await there.library.listImports()
  expect(joined).toMatchObject({ imported: 1, joined: 1 })
  await setUpSync(there, { folder, name: 'there again', code })
  await syncOnce(there)
  const undo = () => there.library.undoImportSome(joined?.id ?? 0, Date.now())
  await expect(undo()).rejects.toMatchObject({ code: 'taken' })
  await leaveSync(there)
  expect(await undo()).toMatchObject({ undone: 1 })
})

test('what is wrong with the files of one machine keeps back neither those of others nor what is sent', async () => {
  const { here, there } = await machines()
  await save(here, 'https://a.example/')
  await syncOnce(here)
  await save(there, 'https://b.example/')
  const library = { ...there.library, insertUnknown: () => Promise.reject(new Error('a bug')) }
  await expect(syncOnce({ ...there, library })).rejects.toThrow('a bug')
  await syncOnce(here)
  expect(await urls(here)).toEqual(['https://a.example/', 'https://b.example/'])
})

test('a server that refuses the password is asked again only after a while, or when somebody asks', async () => {
  const server = await davServer()
  await server.makeFolder('/dav/notes')
  const ports = await testPorts({ now: Date.now })
  const folder = `http://ada@127.0.0.1:${server.port}/dav/notes`
  await setUpSync(ports, { folder, name: 'here', password: 'secret' })
  await expect(changeSyncPassword(ports, 'wrong')).rejects.toMatchObject({ code: 'invalid' })
  server.password = 'new'
  const syncing = createSyncing(ports, ports.changes, () => {})
  syncing.start()
  await expect.poll(() => syncing.waiting()).toEqual([expect.stringContaining('user name and password')])
  const asked = server.asked.length
  // It wakes it.
  await ports.library.setSyncPaused(false)
  await setTimeout(50)
  expect(server.asked).toHaveLength(asked)
  await changeSyncPassword(ports, 'new')
  expect(await syncing.now()).toMatchObject({ waiting: [] })
  await syncing.close()
  await leaveSync(ports)
  await expect(changeSyncPassword(ports, 'new')).rejects.toThrow('not set up')
})

test('a damaged file that a later snapshot stands for is not waited for', async () => {
  const { folder, here, there } = await machines()
  await syncOnce(there)
  for (const url of ['https://a.example/', 'https://b.example/']) {
    await save(here, url)
    await syncOnce(here)
  }
  const { device = '' } = (await here.library.readSync()) ?? {}
  writeFileSync(join(folder, 'earmark-sync', device, '00000001.seg'), 'damaged')
  expect(await syncOnce(there)).toMatchObject({ received: 0, waiting: [expect.stringContaining('Waiting for file 1')] })
  await here.library.beginSnapshot(0)
  await syncOnce(here)
  expect(await syncOnce(there)).toMatchObject({ received: 2, waiting: [] })
  expect(await urls(there)).toEqual(await urls(here))
})

/** Two machines that synchronized two saves, each in a segment, and where the first one's files are. */
async function machinesWithFiles() {
  const made = await machines()
  for (const url of ['https://a.example/', 'https://b.example/']) {
    await save(made.here, url)
    await syncOnce(made.here)
  }
  const { device = '' } = (await made.here.library.readSync()) ?? {}
  const files = join(made.folder, 'earmark-sync', device)
  return { ...made, files, file: (name: string) => join(files, name) }
}

const RESENT = { resent: true, waiting: [] }

test('a segment that was deleted is replaced by a snapshot, and both machines say that a file is missing', async () => {
  const { here, there, file } = await machinesWithFiles()
  await syncOnce(there)
  for (const url of ['https://c.example/', 'https://d.example/']) {
    await save(here, url)
    await syncOnce(here)
  }
  rmSync(file('00000003.seg'))
  expect(await syncOnce(there)).toMatchObject({ waiting: [expect.stringContaining('Waiting for file 3 of “here”')] })
  expect(await examineSync(there)).toMatchObject([{ text: 'Files of “here” are missing from the sync folder.' }])
  expect(await examineSync(here)).toMatchObject([
    { text: expect.stringContaining('Files of this machine are missing') }
  ])
  expect(await syncOnce(here)).toMatchObject(RESENT)
  expect(await examineSync(here)).toMatchObject([{ state: 'ok' }])
  expect(await syncOnce(there)).toMatchObject({ waiting: [] })
  expect(await urls(there)).toEqual(await urls(here))
  expect((await syncOnce(here)).resent).toBeUndefined()
})

test('after the folder was put back to an older state, nothing that was sent since is lost', async () => {
  const { here, there, folder, files } = await machinesWithFiles()
  cpSync(join(folder, 'earmark-sync'), join(folder, 'older'), { recursive: true })
  await here.library.createOrganization('Acme', 1)
  await save(here, 'https://c.example/')
  await syncOnce(here)
  rmSync(join(folder, 'earmark-sync'), { recursive: true })
  renameSync(join(folder, 'older'), join(folder, 'earmark-sync'))
  expect(await syncOnce(there)).toMatchObject({ waiting: [] })
  expect(await urls(there)).toHaveLength(2)
  expect(await syncOnce(here)).toMatchObject(RESENT)
  expect(await syncOnce(there)).toMatchObject({ waiting: [] })
  expect(await urls(there)).toEqual(await urls(here))
  expect(await there.library.listOrganizations()).toMatchObject([{ name: 'Acme' }])
  rmSync(files, { recursive: true })
  expect(await syncOnce(here)).toMatchObject(RESENT)
})

test('a snapshot that was deleted before a third machine joins is written again', async () => {
  const { here, folder, code, file } = await machinesWithFiles()
  rmSync(file('00000000-000001.last'))
  const late = await testPorts({ now: Date.now })
  await setUpSync(late, { folder, name: 'late', code })
  expect(await syncOnce(late)).toMatchObject({ waiting: [expect.stringContaining('has not sent all')] })
  expect(await syncOnce(here)).toMatchObject(RESENT)
  expect(await syncOnce(late)).toMatchObject({ waiting: [] })
  expect(await urls(late)).toEqual(await urls(here))
})

test.for([
  ['the first segment, empty', '00000001.seg', 0],
  ['the last segment, cut', '00000002.seg', 60],
  ['the snapshot, empty', '00000000-000001.last', 0]
] as const)('a damaged file is replaced by a snapshot within an hour: %s', async ([, name, bytes]) => {
  const { here, there, file } = await machinesWithFiles()
  truncateSync(file(name), bytes)
  const clock = { now: Date.now() }
  const syncing = createSyncing({ ...here, now: () => clock.now }, here.changes, () => {})
  expect(await syncing.now()).toMatchObject(RESENT)
  expect(await syncOnce(there)).toMatchObject({ waiting: [] })
  expect(await urls(there)).toEqual(await urls(here))
  truncateSync(file('00000002-000001.last'), 0)
  expect(await syncing.now()).not.toMatchObject(RESENT)
  clock.now += 61 * 60_000
  expect(await syncing.now()).toMatchObject(RESENT)
  await syncing.close()
})

/** Three machines of which `here` went back to a backup, after `there` alone read the last two segments of `here`. */
async function restoredMachines() {
  const { folder, here, there, code } = await machines()
  const late = await testPorts({ now: Date.now })
  await setUpSync(late, { folder, name: 'late', code })
  await save(here, 'https://a.example/')
  for (const one of [here, there, late, there]) await syncOnce(one)
  const backup = await here.library.backUp('manual-old.sqlite')
  for (const url of ['https://lost.example/', 'https://lost.example/too']) {
    await save(here, url)
    await syncOnce(here)
  }
  await syncOnce(there)
  const { device = '' } = (await here.library.readSync()) ?? {}
  await here.library.restoreBackup(backup.name, 1)
  return { here, there, late, files: join(folder, 'earmark-sync', device) }
}

test.for([
  ['its last file', ['00000003.seg']],
  ['a file before its last', ['00000002.seg']],
  ['all of its files', ['00000001.seg', '00000002.seg', '00000003.seg', '00000000-000001.last']]
] as const)('what a restored machine had sent is sent by one that has read it, if %s is lost', async ([, names]) => {
  const { here, there, late, files } = await restoredMachines()
  for (const name of names) rmSync(join(files, name))
  await syncOnce(here)
  expect(await syncOnce(there, { checksFiles: 'some' })).toMatchObject({ resent: true })
  for (const one of [late, here]) await syncOnce(one)
  for (const one of [late, there, here])
    expect(await syncOnce(one, { checksFiles: 'some' })).toMatchObject({ waiting: [] })
  const wanted = ['https://a.example/', 'https://lost.example/', 'https://lost.example/too']
  for (const one of [here, there, late]) expect(await urls(one)).toEqual(wanted)
  expect((await syncOnce(there, { checksFiles: 'some' })).resent).toBeUndefined()
})

test.for([
  ['fewer files after others look', 'after', 1],
  ['fewer files before others look', 'before', 1],
  ['as many files as it lost', 'before', 2],
  ['more files than it lost', 'before', 3]
] as const)(
  'nothing is lost of a machine that went back to an older state with its files, and writes %s',
  async ([, order, count]) => {
    const { folder, there, code } = await machines()
    const [data, now] = [tempFolder(), Date.now]
    const one = await testPorts({ data, now })
    await setUpSync(one, { folder, name: 'one', code })
    await save(one, 'https://a.example/')
    for (const ports of [one, there]) await syncOnce(ports)
    const { device = '' } = (await one.library.readSync()) ?? {}
    await one.library.close()
    const [files, older] = [join(folder, 'earmark-sync', device), tempFolder()]
    cpSync(data, join(older, 'data'), { recursive: true })
    cpSync(files, join(older, 'files'), { recursive: true })
    const later = await testPorts({ data, now })
    for (const url of ['https://lost.example/', 'https://lost.example/too']) {
      await save(later, url)
      await syncOnce(later)
    }
    await syncOnce(there)
    await later.library.close()
    rmSync(files, { recursive: true })
    cpSync(join(older, 'files'), files, { recursive: true })
    const again = await testPorts({ data: join(older, 'data'), now })
    expect((await again.library.readSync())?.device).toBe(device)
    if (order === 'after') expect(await syncOnce(there)).toMatchObject({ resent: true })
    for (let number = 1; number <= count; number += 1) {
      await save(again, `https://since.example/${number}`)
      await syncOnce(again)
    }
    // Its files cannot be read again in this hour: what follows them is not read either.
    if (count > 1) await syncOnce(there, { checksFiles: 'some', mayResend: false })
    for (const ports of [there, again, there]) await syncOnce(ports, { checksFiles: 'some' })
    for (const ports of [again, there]) expect(await urls(ports)).toHaveLength(3 + count)
    expect((await syncOnce(there, { checksFiles: 'some' })).resent).toBeUndefined()
  }
)

test('a picture that was deleted from the folder is written again within an hour', async () => {
  const { folder, here, there } = await machines()
  await savePicture(here, await picture('#ff0000'), { title: 'Red' })
  const clock = { now: Date.now() }
  const syncing = createSyncing({ ...here, now: () => clock.now }, here.changes, () => {})
  const pictures = join(folder, 'earmark-sync', 'pictures')
  await syncing.now()
  rmSync(pictures, { recursive: true })
  await save(here, 'https://a.example/')
  syncing.start()
  await expect.poll(() => here.library.countUnsent()).toBe(0)
  expect((await syncOnce(there)).waiting).toEqual([expect.stringContaining('A picture of “here” is not in the folder')])
  clock.now += 61 * 60_000
  // It wakes it.
  await here.library.setSyncPaused(false)
  await expect.poll(() => existsSync(pictures) && readdirSync(pictures)).toHaveLength(1)
  expect((await syncOnce(there)).waiting).toEqual([])
  await syncing.close()
})

test('files that are damaged or missing are written again at once if somebody asks', async () => {
  const { folder, here, there, file } = await machinesWithFiles()
  await savePicture(here, await picture('#ff0000'), {})
  const syncing = createSyncing(here, here.changes, () => {})
  await syncing.now()
  const pictures = join(folder, 'earmark-sync', 'pictures')
  rmSync(pictures, { recursive: true })
  truncateSync(file('00000002.seg'), 0)
  expect(await syncing.now()).toMatchObject(RESENT)
  expect(readdirSync(pictures)).toHaveLength(1)
  expect(await syncOnce(there)).toMatchObject({ waiting: [] })
  expect(await urls(there)).toEqual(await urls(here))
})

test.for([
  ['some', 200],
  ['all', 451]
] as const)('%s of the files of a machine are read to find damaged ones', async ([checksFiles, count]) => {
  const { here } = await machines()
  const isWhole = vi.fn(async () => true)
  const { device } = (await here.library.readSync()) ?? {}
  const folders = await here.syncFolders()
  const open: typeof folders.open = async (...place) => {
    const opened = await folders.open(...place)
    const segments = new Set(Array.from({ length: 450 }, (_, index) => index + 1))
    const list = async () => [{ device: device ?? '', segments, snapshot: { after: 0, parts: 1 } }]
    return { ...opened, list, isWhole }
  }
  const library: typeof here.library = {
    ...here.library,
    readSync: async () => {
      const state = await here.library.readSync()
      return state && { ...state, segment: 450, sent: 450 }
    }
  }
  await syncOnce({ ...here, library, syncFolders: async () => ({ ...folders, open }) }, { checksFiles })
  expect(isWhole).toHaveBeenCalledTimes(count)
})

test('what somebody deletes again and again is sent once in an hour, and the state says when', async () => {
  const { here, file } = await machinesWithFiles()
  const clock = { now: Date.now() }
  const ports = { ...here, now: () => clock.now }
  const syncing = createSyncing(ports, here.changes, () => {})
  rmSync(file('00000001.seg'))
  expect(await syncing.now()).toMatchObject(RESENT)
  expect(syncing.resentAt()).toBe(clock.now)
  for (let times = 0; times < 2; times += 1) {
    rmSync(file('00000002-000001.last'), { force: true })
    expect(await syncing.now()).toMatchObject({ sent: 0, waiting: [expect.stringContaining('In an hour')] })
  }
  clock.now += 61 * 60_000
  expect(await syncing.now()).toMatchObject(RESENT)
  await syncing.close()
})

test('of files that a snapshot stands for, no more than 5,000 are kept', async () => {
  const { here, files, file } = await machinesWithFiles()
  const state = await here.library.readSync()
  const library = {
    ...here.library,
    beginSnapshot: async () => {},
    readSync: async () => state && { ...state, snapshot: { after: 5001, at: Date.now() }, sent: 5001, segment: 5001 }
  }
  writeFileSync(file('00005001-000001.last'), '')
  await syncOnce({ ...here, library })
  expect(readdirSync(files).sort()).toEqual(['00000002.seg', '00005001-000001.last'])
})

test('a file of a newer format under a machine’s own name is reported, and keeps back nothing', async () => {
  const { here, there, file, files } = await machinesWithFiles()
  await syncOnce(there)
  await save(there, 'https://c.example/')
  await syncOnce(there)
  const newer = `EMS9${'x'.repeat(100)}`
  writeFileSync(file('00000009.seg'), newer)
  await save(here, 'https://d.example/')
  expect(await syncOnce(here)).toMatchObject({
    sent: 1,
    received: 1,
    waiting: [expect.stringContaining('There is a file under this machine’s name that it did not write.')]
  })
  rmSync(file('00000009.seg'))
  // It has the number that comes next: this machine goes on under another name.
  writeFileSync(file('00000004.seg'), newer)
  await save(here, 'https://e.example/')
  expect((await syncOnce(here, { mayResend: false })).sent).toBe(0)
  expect(await syncOnce(here)).toMatchObject({ resent: true })
  expect(files).not.toContain((await here.library.readSync())?.device)
  await syncOnce(there)
  expect(await urls(there)).toEqual(await urls(here))
})

test.runIf(process.platform !== 'win32')('a link to itself in the sync folder keeps back no machine', async () => {
  const { folder, here, there } = await machinesWithFiles()
  for (const name of ['0'.repeat(32), 'f'.repeat(32)]) symlinkSync(name, join(folder, 'earmark-sync', name))
  await save(here, 'https://c.example/')
  await syncOnce(here)
  await syncOnce(there)
  expect(await urls(there)).toEqual(await urls(here))
})

test('a busy server is asked again after the time that it names', async () => {
  const server = await davServer()
  server.makeFolder('/dav/notes')
  const ports = await testPorts({ now: Date.now })
  await setUpSync(ports, { folder: `http://ada@127.0.0.1:${server.port}/dav/notes`, name: 'here', password: 'secret' })
  let ahead = 0
  server.answer = (_, response) => void response.writeHead(429, { 'retry-after': '36000' }).end()
  const syncing = createSyncing({ ...ports, now: () => Date.now() + ahead }, ports.changes, () => {})
  syncing.start()
  await expect.poll(() => syncing.waiting()).toEqual(['The WebDAV server is busy. Earmark tries again.'])
  const asked = server.asked.length
  const wake = () => ports.library.setSyncPaused(false)
  await wake()
  await setTimeout(50)
  expect(server.asked).toHaveLength(asked)
  ahead = 16 * 60_000
  server.answer = undefined
  await wake()
  await expect.poll(() => syncing.waiting()).toEqual([])
  await syncing.close()
})
