import { cpSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createSyncing } from '../../../src-main/actions/background/syncing.ts'
import { examineSync } from '../../../src-main/actions/doctor.ts'
import { savePicture } from '../../../src-main/actions/pictures.ts'
import { setUpSync } from '../../../src-main/actions/sync/set-up-sync.ts'
import { syncOnce } from '../../../src-main/actions/sync/sync-once.ts'
import { picture } from '../../support/pictures.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { restore } from '../ports.ts'
import { filesOf, joined, machines, newMachine, save, send, urls } from './machines.ts'

/** Two machines, of which the first has sent two segments, and the path of its files. */
async function machinesWithFiles() {
  const both = await machines()
  await send(both.here, 'https://a.example/', 'https://b.example/')
  const files = await filesOf(both.here, both.folder)
  return { ...both, files, file: (name: string) => join(files, name) }
}

const RESENT = { resent: true, waiting: [] }

test('a deleted segment is reported by both machines and replaced by a snapshot', async () => {
  const { here, there, file } = await machinesWithFiles()
  await syncOnce(there)
  await send(here, 'https://c.example/', 'https://d.example/')
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

test('nothing is lost if the folder is restored to an older state', async () => {
  const { here, there, folder, files } = await machinesWithFiles()
  cpSync(join(folder, 'earmark-sync'), join(folder, 'older'), { recursive: true })
  await here.library.createOrganization('Acme', 1)
  await send(here, 'https://c.example/')
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

test('a deleted snapshot is written again for a joining machine', async () => {
  const { here, folder, code, file } = await machinesWithFiles()
  rmSync(file('00000000-000001.last'))
  const late = await joined({ folder, code })
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

/** Three machines, of which `here` is restored from a backup after only `there` read its last two segments. */
async function restoredMachines() {
  const { folder, here, there, code } = await machines()
  const late = await joined({ folder, code })
  await save(here, 'https://a.example/')
  for (const machine of [here, there, late, there]) await syncOnce(machine)
  const backup = await here.library.backUp('manual-old.sqlite')
  await send(here, 'https://lost.example/', 'https://lost.example/too')
  await syncOnce(there)
  const files = await filesOf(here, folder)
  await restore(here, backup.name)
  return { here, there, late, files }
}

test.for([
  ['its last file', ['00000003.seg']],
  ['a file before its last', ['00000002.seg']],
  ['all of its files', ['00000001.seg', '00000002.seg', '00000003.seg', '00000000-000001.last']]
] as const)('if %s of a restored machine is lost, a machine that has read it sends it again', async ([, names]) => {
  const { here, there, late, files } = await restoredMachines()
  for (const name of names) rmSync(join(files, name))
  await syncOnce(here)
  expect(await syncOnce(there, { checksFiles: 'some' })).toMatchObject({ resent: true })
  for (const machine of [late, here]) await syncOnce(machine)
  for (const machine of [late, there, here])
    expect(await syncOnce(machine, { checksFiles: 'some' })).toMatchObject({ waiting: [] })
  const expected = ['https://a.example/', 'https://lost.example/', 'https://lost.example/too']
  for (const machine of [here, there, late]) expect(await urls(machine)).toEqual(expected)
  expect((await syncOnce(there, { checksFiles: 'some' })).resent).toBeUndefined()
})

test.for([
  ['fewer files after others read', 'after', 1],
  ['fewer files before others read', 'before', 1],
  ['as many files as it lost', 'before', 2],
  ['more files than it lost', 'before', 3]
] as const)('nothing is lost if a machine and its files are restored, and it writes %s', async ([, order, count]) => {
  const { folder, there, code } = await machines()
  const data = tempFolder()
  const first = await newMachine({ data })
  await setUpSync(first, { folder, name: 'first', code })
  await save(first, 'https://a.example/')
  for (const ports of [first, there]) await syncOnce(ports)
  const { device = '' } = (await first.library.readSync()) ?? {}
  await first.library.close()
  const [files, older] = [join(folder, 'earmark-sync', device), tempFolder()]
  cpSync(data, join(older, 'data'), { recursive: true })
  cpSync(files, join(older, 'files'), { recursive: true })
  const later = await newMachine({ data })
  await send(later, 'https://lost.example/', 'https://lost.example/too')
  await syncOnce(there)
  await later.library.close()
  rmSync(files, { recursive: true })
  cpSync(join(older, 'files'), files, { recursive: true })
  const again = await newMachine({ data: join(older, 'data') })
  expect((await again.library.readSync())?.device).toBe(device)
  if (order === 'after') expect(await syncOnce(there)).toMatchObject({ resent: true })
  for (let number = 1; number <= count; number += 1) await send(again, `https://since.example/${number}`)
  // Its files cannot be read again in this hour: later ones are not read either.
  if (count > 1) await syncOnce(there, { checksFiles: 'some', mayResend: false })
  for (const ports of [there, again, there]) await syncOnce(ports, { checksFiles: 'some' })
  for (const ports of [again, there]) expect(await urls(ports)).toHaveLength(3 + count)
  expect((await syncOnce(there, { checksFiles: 'some' })).resent).toBeUndefined()
})

test('a picture that is deleted from the folder is written again within an hour', async () => {
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
  // A change of the settings starts a round.
  await here.library.setSyncPaused(false)
  await expect.poll(() => existsSync(pictures) && readdirSync(pictures)).toHaveLength(1)
  expect((await syncOnce(there)).waiting).toEqual([])
  await syncing.close()
})

test('damaged and missing files are written again at once on request', async () => {
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
  // Each hour has its group of files; the last one is smaller.
  const hour = 60 * 60_000
  const now = () => Math.floor(Date.now() / hour / 3) * hour * 3
  await syncOnce({ ...here, library, now, syncFolders: async () => ({ ...folders, open }) }, { checksFiles })
  expect(isWhole).toHaveBeenCalledTimes(count)
})

test('files that are deleted repeatedly are sent again once an hour', async () => {
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

test('at most 5,000 files before a snapshot are kept', async () => {
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

test('a file of a newer format under a machine’s own name is reported and blocks nothing', async () => {
  const { here, there, file, files } = await machinesWithFiles()
  await syncOnce(there)
  await send(there, 'https://c.example/')
  const newer = `EMS9${'x'.repeat(100)}`
  writeFileSync(file('00000009.seg'), newer)
  await save(here, 'https://d.example/')
  expect(await syncOnce(here)).toMatchObject({
    sent: 1,
    received: 1,
    waiting: [expect.stringContaining('There is a file under this machine’s name that it did not write.')]
  })
  rmSync(file('00000009.seg'))
  // The file has the next number, so this machine continues as another device.
  writeFileSync(file('00000004.seg'), newer)
  await save(here, 'https://e.example/')
  expect((await syncOnce(here, { mayResend: false })).sent).toBe(0)
  expect(await syncOnce(here)).toMatchObject({ resent: true })
  expect(files).not.toContain((await here.library.readSync())?.device)
  await syncOnce(there)
  expect(await urls(there)).toEqual(await urls(here))
})

test.runIf(process.platform !== 'win32')('a circular link in the sync folder blocks no machine', async () => {
  const { folder, here, there } = await machinesWithFiles()
  for (const name of ['0'.repeat(32), 'f'.repeat(32)]) symlinkSync(name, join(folder, 'earmark-sync', name))
  await send(here, 'https://c.example/')
  await syncOnce(there)
  expect(await urls(there)).toEqual(await urls(here))
})
