import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createSyncing } from '../../../src-main/actions/background/syncing.ts'
import { examineSync } from '../../../src-main/actions/doctor.ts'
import { savePicture } from '../../../src-main/actions/pictures.ts'
import {
  changeSyncPassword,
  leaveSync,
  previewSync,
  setUpSync,
  syncCode
} from '../../../src-main/actions/sync/set-up-sync.ts'
import { syncOnce } from '../../../src-main/actions/sync/sync-once.ts'
import { picture } from '../../support/pictures.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { davServer } from '../../support/webdav-server.ts'
import { restore, testPorts } from '../ports.ts'
import { DAY_MS, filesOf, joined, machines, newMachine, save, send, type TestPorts, urls } from './machines.ts'

/** Returns the present value of each code that was stored. */
function watchCodes({ keyFiles }: TestPorts) {
  const writes = vi.spyOn(keyFiles, 'write')
  return () => Promise.all(writes.mock.calls.map(([account]) => keyFiles.read(account)))
}

test('bookmarks of each machine are on both after a round, and the joining machine is backed up', async () => {
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

test('joining needs the folder’s code, a wrong code changes nothing, and a library is set up once', async () => {
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

test('without the stored code, or paused, nothing is sent; leaving deletes the code', async () => {
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

test('leaving and pausing end a running round', async () => {
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

test('a segment is written once, although the process was killed before it was recorded', async () => {
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

test('a restored library continues as another device and loses nothing', async () => {
  const { here, there } = await machines()
  const backup = await here.library.backUp('manual-old.sqlite')
  await send(here, 'https://lost.example/')
  const { device } = (await here.library.readSync()) ?? {}
  await restore(here, backup.name)
  await send(here, 'https://since.example/')
  expect((await here.library.readSync())?.device).not.toBe(device)
  await syncOnce(there)
  expect(await urls(there)).toEqual(['https://lost.example/', 'https://since.example/'])
  expect(await urls(here)).toEqual(await urls(there))
})

test('a restored library continues as another device, although its own files are not in the folder yet', async () => {
  const { folder, here, there } = await machines()
  const backup = await here.library.backUp('manual-old.sqlite')
  await send(here, 'https://lost.example/')
  await syncOnce(there)
  const files = await filesOf(here, folder)
  renameSync(files, join(folder, 'not copied yet'))
  await restore(here, backup.name)
  await send(here, 'https://since.example/')
  renameSync(join(folder, 'not copied yet'), files)
  for (const machine of [here, there, here]) await syncOnce(machine)
  expect(await urls(there)).toEqual(['https://lost.example/', 'https://since.example/'])
  expect(await urls(here)).toEqual(await urls(there))
})

test('a change in a restored library is later than changes by others since the backup', async () => {
  const { here, there } = await machines()
  const id = (await save(here, 'https://a.example/'))[0]?.id ?? ''
  for (const machine of [here, there]) await syncOnce(machine)
  await here.library.stampChanges(Date.now() - 9 * DAY_MS)
  const backup = await here.library.backUp('manual-old.sqlite')
  await there.library.editBookmark(id, { title: 'earlier' }, 1)
  await syncOnce(there)
  await restore(here, backup.name)
  await here.library.editBookmark(id, { title: 'later' }, 2)
  for (const machine of [here, there]) await syncOnce(machine)
  const { bookmarks } = await there.library.listBookmarks({ order: 'newest', page: 1, limit: 1 })
  expect(bookmarks).toMatchObject([{ title: 'later' }])
})

test('the preview of joining counts new pages on each side', async () => {
  const { folder, here, there, code } = await machines()
  for (const ports of [here, there]) await save(ports, 'https://both.example/')
  for (const url of ['https://a.example/', 'https://b.example/', 'https://gone.example/']) await save(here, url)
  const gone = (await here.library.listBookmarks({ order: 'newest', page: 1, limit: 1 })).bookmarks[0]
  await syncOnce(here)
  await here.library.changeBookmarks([gone?.id ?? ''], { kind: 'delete' }, Date.now())
  for (const ports of [there, here, there]) await syncOnce(ports)
  const late = await newMachine()
  for (const url of ['https://a.example/', 'https://both.example/', 'https://own.example/']) await save(late, url)
  expect(await previewSync(late, { folder, code })).toEqual({ here: 3, there: 3, same: 2 })
})

test('files of a newer format do not block other devices', async () => {
  const { folder, here, there } = await machines()
  await send(here, 'https://a.example/')
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

test('missing and incomplete files, and a clock that is ahead, are named as reasons to wait', async () => {
  const { folder, here, there } = await machines()
  await send(here, 'https://a.example/', 'https://b.example/')
  const files = await filesOf(here, folder)
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

test('the doctor checks the folder and the code', async () => {
  const { folder, here } = await machines()
  expect(await examineSync(await testPorts())).toEqual([])
  expect(await examineSync(here)).toMatchObject([{ state: 'ok' }])
  renameSync(join(folder, 'earmark-sync'), join(folder, 'away'))
  expect(await examineSync(here)).toMatchObject([{ state: 'problem', text: expect.stringContaining('Was it emptied') }])
})

test('in the background the reason to wait is kept until a round succeeds', async () => {
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

test('the progress of receiving is reported', async () => {
  const { folder, code } = await machines()
  const late = await joined({ folder, code })
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

test('30 days after a snapshot older files are removed, and a joining machine gets everything', async () => {
  const { folder, here, there, code } = await machines()
  await send(here, 'https://a.example/', 'https://b.example/')
  await syncOnce(there)
  const { device = '' } = (await here.library.readSync()) ?? {}
  const files = () => readdirSync(join(folder, 'earmark-sync', device)).sort()
  await here.library.beginSnapshot(0)
  await syncOnce(here)
  expect(files()).toEqual(['00000000-000001.last', '00000001.seg', '00000002.seg', '00000002-000001.last'].sort())
  await syncOnce({ ...here, now: () => Date.now() + 31 * DAY_MS })
  expect(files()).toEqual(['00000002-000001.last'])
  const late = await joined({ folder, code })
  const onProgress = vi.fn()
  expect(await syncOnce(late, { onProgress })).toMatchObject({ received: 2, waiting: [] })
  expect(onProgress.mock.calls).toEqual(Array(2).fill([{ work: 'receiving', done: 1, total: 1 }]))
  expect(await syncOnce(there)).toMatchObject({ received: 0, waiting: [] })
  expect(await urls(late)).toEqual(await urls(here))
})

test('a picture is sent unchanged, waited for, and merged with the same picture', async () => {
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

test('a snapshot with a gap between its parts is waited for', async () => {
  const { folder, there, code } = await machines()
  const opened = await (await there.syncFolders()).open({ folder }, code, false)
  const part = { device: '0'.repeat(32), name: 'x', after: 0, part: 1, isLast: false, from: 0, records: [], covers: [] }
  await opened.writePart({ ...part, upTo: 5 })
  await opened.writePart({ ...part, part: 2, isLast: true, from: 7, upTo: 9 })
  expect((await syncOnce(there)).waiting).toEqual([expect.stringContaining('are not whole in the folder yet')])
  await opened.writePart({ ...part, upTo: 7 })
  expect((await syncOnce(there)).waiting).toEqual([])
})

test('a bookmark whose picture cannot be read is received without it, and gets it later', async () => {
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
  // Without the picture its shape is unknown.
  expect(await of(there)).toEqual((await of(here)).map((image) => ({ ...image, ratio: null })))
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

test('a bookmark whose file holds another picture is received without it', async () => {
  const [folder, red, here] = [tempFolder(), await picture('#ff0000'), await newMachine()]
  const { bookmark } = await savePicture(here, red, {})
  const { code } = await setUpSync(here, { folder, name: 'here' })
  const opened = await (await here.syncFolders()).open({ folder }, code, false)
  await opened.writePicture(bookmark.picture ?? '', await picture('#0000ff'))
  await syncOnce(here)
  const [listing] = await opened.list()
  const { records = [] } = (listing && (await opened.readPart(listing, 1))) ?? {}
  const there = await newMachine()
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

test('a picture that is purged before it is sent blocks nothing', async () => {
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

test('with a clock that jumped ahead, changes are dated by the trusted time', async () => {
  const { here } = await machines()
  const stamp = vi.spyOn(here.library, 'stampChanges')
  await syncOnce({ ...here, now: () => Date.now() + 365 * DAY_MS })
  expect(stamp.mock.calls.length).toBeGreaterThan(0)
  for (const [latest] of stamp.mock.calls) expect(latest).toBeLessThan(Date.now() + DAY_MS / 2)
  // A month without use is no jump.
  const then = Date.now() + 30 * DAY_MS
  await syncOnce({ ...here, now: () => then })
  expect(stamp.mock.lastCall?.[0]).toBeGreaterThan(then)
})

test('bookmarks received on joining can be undone after leaving, but not before', async () => {
  const folder = tempFolder()
  const [here, there] = await Promise.all([newMachine(), newMachine()])
  const { code } = await setUpSync(here, { folder, name: 'here' })
  await syncOnce(here)
  // This page is sent in a segment, not in the snapshot.
  await send(here, 'https://a.example/')
  await setUpSync(there, { folder, name: 'there', code })
  await syncOnce(there)
  await leaveSync(there)
  const [joined] = await there.library.listImports()
  expect(joined).toMatchObject({ imported: 1, joined: 1 })
  await setUpSync(there, { folder, name: 'there again', code })
  await syncOnce(there)
  const undo = () => there.library.undoBatch({ import: joined?.id ?? 0 }, Date.now())
  await expect(undo()).rejects.toMatchObject({ code: 'taken' })
  await leaveSync(there)
  expect(await undo()).toMatchObject({ undone: 1 })
})

test('a failure at the files of one machine blocks neither other machines nor sending', async () => {
  const { here, there } = await machines()
  await send(here, 'https://a.example/')
  await save(there, 'https://b.example/')
  const library = { ...there.library, insertUnknown: () => Promise.reject(new Error('a bug')) }
  await expect(syncOnce({ ...there, library })).rejects.toThrow('a bug')
  await syncOnce(here)
  expect(await urls(here)).toEqual(['https://a.example/', 'https://b.example/'])
})

test('closing ends a round at once, although its server does not answer', async () => {
  const server = await davServer()
  server.makeFolder('/dav/notes')
  const ports = await newMachine()
  await setUpSync(ports, { folder: `http://ada@127.0.0.1:${server.port}/dav/notes`, name: 'here', password: 'secret' })
  const asked = Promise.withResolvers<void>()
  server.answer = () => asked.resolve()
  const errors: unknown[] = []
  const syncing = createSyncing(ports, ports.changes, (error) => errors.push(error))
  syncing.start()
  await asked.promise
  const begun = performance.now()
  await syncing.close()
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(errors).toEqual([])
})

test('a server that refuses the password is asked again only after a while or on request', async () => {
  const server = await davServer()
  await server.makeFolder('/dav/notes')
  const ports = await newMachine()
  const folder = `http://ada@127.0.0.1:${server.port}/dav/notes`
  await setUpSync(ports, { folder, name: 'here', password: 'secret' })
  await expect(changeSyncPassword(ports, 'wrong')).rejects.toMatchObject({ code: 'invalid' })
  server.password = 'new'
  const syncing = createSyncing(ports, ports.changes, () => {})
  syncing.start()
  await expect.poll(() => syncing.waiting()).toEqual([expect.stringContaining('user name and password')])
  const requests = server.asked.length
  // This wakes the worker.
  await ports.library.setSyncPaused(false)
  await setTimeout(50)
  expect(server.asked).toHaveLength(requests)
  await changeSyncPassword(ports, 'new')
  expect(await syncing.now()).toMatchObject({ waiting: [] })
  await syncing.close()
  await leaveSync(ports)
  await expect(changeSyncPassword(ports, 'new')).rejects.toThrow('not set up')
})

test('a damaged file that a later snapshot replaces is not waited for', async () => {
  const { folder, here, there } = await machines()
  await syncOnce(there)
  await send(here, 'https://a.example/', 'https://b.example/')
  const { device = '' } = (await here.library.readSync()) ?? {}
  writeFileSync(join(folder, 'earmark-sync', device, '00000001.seg'), 'damaged')
  expect(await syncOnce(there)).toMatchObject({ received: 0, waiting: [expect.stringContaining('Waiting for file 1')] })
  await here.library.beginSnapshot(0)
  await syncOnce(here)
  expect(await syncOnce(there)).toMatchObject({ received: 2, waiting: [] })
  expect(await urls(there)).toEqual(await urls(here))
})

test('a busy server is asked again after the time in its answer', async () => {
  const server = await davServer()
  server.makeFolder('/dav/notes')
  const ports = await newMachine()
  await setUpSync(ports, { folder: `http://ada@127.0.0.1:${server.port}/dav/notes`, name: 'here', password: 'secret' })
  let ahead = 0
  server.answer = (_, response) => void response.writeHead(429, { 'retry-after': '36000' }).end()
  const syncing = createSyncing({ ...ports, now: () => Date.now() + ahead }, ports.changes, () => {})
  syncing.start()
  await expect.poll(() => syncing.waiting()).toEqual(['The WebDAV server is busy. Earmark tries again.'])
  const requests = server.asked.length
  const wake = () => ports.library.setSyncPaused(false)
  await wake()
  await setTimeout(50)
  expect(server.asked).toHaveLength(requests)
  ahead = 16 * 60_000
  server.answer = undefined
  await wake()
  await expect.poll(() => syncing.waiting()).toEqual([])
  await syncing.close()
})
