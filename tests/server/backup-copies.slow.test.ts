import { spawnSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { keepBackups } from '../../src-main/actions/backups.ts'
import type { Service } from '../../src-main/service.ts'
import { testPorts } from '../actions/ports.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const choose = (service: Service, backupFolder: string | null) =>
  callApi(service, 'PATCH', '/settings', { backupFolder })
const backUp = async (service: Service) =>
  (await (await callApi(service, 'POST', '/backups')).json()) as { name: string; path: string }
const copies = async (service: Service) => (await callApi(service, 'GET', '/backups/copies')).json()

/** The library's folder in the chosen folder. */
function inside(folder: string): string {
  return join(folder, readdirSync(folder).find((name) => name.startsWith('earmark-')) ?? '')
}

test('backups are copied completely to the chosen folder, existing ones at once', async () => {
  const service = await testService()
  const folder = tempFolder()
  const { path } = await backUp(service)
  expect(await copies(service)).toEqual({ folder: null, fault: null })
  expect((await choose(service, folder)).status).toBe(200)
  const [name = ''] = readdirSync(inside(folder))
  await backUp(service)
  const [first, next = '', ...others] = readdirSync(inside(folder)).toSorted()
  expect([first, others]).toEqual([name, []])
  expect(readFileSync(join(inside(folder), name)).equals(readFileSync(path))).toBe(true)
  const copy = new Sqlite(join(inside(folder), next), { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  copy.close()
  expect(await copies(service)).toEqual({ folder, fault: null })
})

test('the chosen folder has as many backups as the data folder, and its other files stay', async () => {
  let now = Date.UTC(2026, 0, 1)
  const service = await testService({ now: () => now })
  const folder = tempFolder()
  await choose(service, folder)
  await backUp(service)
  const others = ['notes.sqlite', 'daily-notes.txt', 'manual-mine.sqlite']
  for (const name of others) writeFileSync(join(inside(folder), name), 'mine')
  for (let at = 0; at < 4; at += 1) {
    now += 1000
    await backUp(service)
  }
  const names = readdirSync(inside(folder))
  expect(names).toEqual(expect.arrayContaining(others))
  expect(names.filter((name) => !others.includes(name))).toHaveLength(3)
})

test('a missing folder fails no backup, is reported, and gets the missing copies when it is back', async () => {
  const service = await testService()
  const folder = join(tempFolder(), 'disk')
  mkdirSync(folder)
  await choose(service, folder)
  renameSync(folder, `${folder}-away`)
  const { path } = await backUp(service)
  expect(existsSync(path)).toBe(true)
  expect(await copies(service)).toEqual({ folder, fault: expect.stringContaining('There is no folder') })
  renameSync(`${folder}-away`, folder)
  expect(await copies(service)).toEqual({ folder, fault: 'The newest backup has not been copied yet.' })
  await backUp(service)
  expect(await copies(service)).toEqual({ folder, fault: null })
  expect(readdirSync(inside(folder))).toHaveLength(2)
})

test('copies of a lost library stay, also if the next library has a backup of the same name', async () => {
  const now = () => Date.UTC(2026, 0, 1)
  const data = tempFolder()
  const folder = tempFolder()
  const lost = await testService({ data, now })
  await choose(lost, folder)
  await backUp(lost)
  const [name = ''] = readdirSync(inside(folder))
  const kept = readFileSync(join(inside(folder), name))
  await lost.close()
  rmSync(data, { recursive: true })
  mkdirSync(data)

  const next = await testService({ data, now })
  await choose(next, folder)
  expect(readdirSync(inside(folder))).toEqual([name])
  // A backup of another size.
  const text = 'Much to read. '.repeat(5000)
  expect((await callApi(next, 'POST', '/bookmarks', { type: 'text', content: text })).ok).toBe(true)
  const { path } = await backUp(next)
  const [, later = ''] = readdirSync(inside(folder)).toSorted()
  expect(readFileSync(join(inside(folder), name)).equals(kept)).toBe(true)
  expect(readFileSync(join(inside(folder), later)).equals(readFileSync(path))).toBe(true)
})

test('a daily backup that cannot be copied is created, and the failure is reported', async () => {
  const ports = await testPorts()
  await ports.library.writeSettings({ backupFolder: join(tempFolder(), 'away') })
  await expect(keepBackups(ports)).rejects.toMatchObject({ code: 'invalid' })
  expect((await ports.library.listBackups()).map(({ name }) => name.split('-')[0]).toSorted()).toEqual([
    'daily',
    'weekly'
  ])
})

test('without a chosen folder nothing is copied any more, and the copies stay', async () => {
  const service = await testService()
  const folder = tempFolder()
  await choose(service, folder)
  await backUp(service)
  expect((await choose(service, null)).status).toBe(200)
  await backUp(service)
  expect(readdirSync(inside(folder))).toHaveLength(1)
})

test('a folder that cannot be used is refused with the reason, and the chosen folder stays', async () => {
  const data = tempFolder()
  const service = await testService({ data })
  const folder = tempFolder()
  await choose(service, folder)
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')
  const rows: [string, RegExp][] = [
    ['backups', /full path/],
    [join(folder, 'none'), /There is no folder/],
    [file, /is a file/],
    [data, /inside the data folder/],
    [join(data, 'backups'), /There is no folder|in the data folder/],
    [' ', /full path/]
  ]
  for (const [path, reason] of rows) {
    const refused = await choose(service, path)
    expect([refused.status, JSON.stringify(await refused.json())]).toEqual([400, expect.stringMatching(reason)])
  }
  expect(await copies(service)).toMatchObject({ folder })
})

test('a link into the data folder and a folder in it whose name begins with two dots are refused', async () => {
  const data = tempFolder()
  const service = await testService({ data })
  const folder = tempFolder()
  symlinkSync(data, join(folder, 'link'))
  mkdirSync(join(data, '..mine'))
  for (const path of [join(folder, 'link'), join(data, '..mine')]) {
    const refused = await choose(service, path)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('inside the data folder')])
  }
  expect((await choose(service, folder)).status).toBe(200)
})

test('unfinished copies are removed, and simultaneous copying creates each copy once', async () => {
  const service = await testService()
  const folder = tempFolder()
  await choose(service, folder)
  await backUp(service)
  const mine = inside(folder)
  const [name = ''] = readdirSync(mine)
  for (const leftover of [`${name}.0123456789abcdef.tmp`, 'notes.tmp']) writeFileSync(join(mine, leftover), 'half')
  rmSync(join(mine, name))
  await Promise.all([backUp(service), choose(service, folder), choose(service, folder)])
  const names = readdirSync(mine).toSorted()
  expect(names).toEqual([name, expect.stringMatching(/^manual-.*\.sqlite$/), 'notes.tmp'])
})

test('a backup from before an update is copied and stays', async () => {
  const data = tempFolder()
  const service = await testService({ data })
  const folder = tempFolder()
  const { path } = await backUp(service)
  copyFileSync(path, join(data, 'backups', 'before-migration-190.sqlite'))
  await choose(service, folder)
  rmSync(join(data, 'backups', 'before-migration-190.sqlite'))
  await choose(service, folder)
  expect(readdirSync(inside(folder))).toContainEqual(expect.stringMatching(/^before-migration-190-/))
})

test('a file instead of the library’s folder is reported', async () => {
  const service = await testService()
  const folder = tempFolder()
  await backUp(service)
  await choose(service, folder)
  const mine = inside(folder)
  rmSync(mine, { recursive: true })
  writeFileSync(mine, '')
  expect(await copies(service)).toEqual({ folder, fault: `${mine} is a file, not a folder. Move it away.` })
})

test('a link instead of the library’s folder and a folder of another user are not used', async () => {
  const service = await testService()
  const folder = tempFolder()
  await backUp(service)
  await choose(service, folder)
  const [mine, theirs] = [inside(folder), tempFolder()]
  rmSync(mine, { recursive: true })
  symlinkSync(theirs, mine)
  expect(await copies(service)).toEqual({ folder, fault: expect.stringContaining(`${mine} is a link.`) })
  expect(readdirSync(theirs)).toEqual([])
  rmSync(mine)
  if (process.getuid?.() !== 0) return // only root can make what is another user's
  mkdirSync(mine)
  chownSync(mine, 12345, 12345)
  expect(await copies(service)).toEqual({ folder, fault: expect.stringContaining('belongs to another user') })
  expect(readdirSync(mine)).toEqual([])
})

test('a full disk and a read-only disk are reported, and nothing changes', async ({ skip }) => {
  const disk = tempFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', disk])
  skip(mounted.status !== 0, 'a small disk cannot be mounted here without root')
  onTestFinished(() => void spawnSync('umount', ['-l', disk]))
  const service = await testService()
  const { path } = await backUp(service)
  const refused = await choose(service, disk)
  expect([refused.status, await refused.text()]).toEqual([507, expect.stringContaining('There is not enough space')])
  expect(await copies(service)).toEqual({ folder: null, fault: null })
  expect(readdirSync(inside(disk))).toEqual([])

  spawnSync('mount', ['-o', 'remount,size=20m', disk])
  expect((await choose(service, disk)).status).toBe(200)
  const { size } = statSync(path)
  spawnSync('mount', ['-o', `remount,size=${Math.ceil((size * 1.5) / 1024)}k`, disk])
  await backUp(service)
  expect(await copies(service)).toEqual({
    folder: disk,
    fault: `There is not enough space for the backups in ${disk}. Free some space.`
  })
  spawnSync('mount', ['-o', 'remount,ro', disk])
  expect(await copies(service)).toEqual({ folder: disk, fault: expect.stringContaining('Earmark cannot write to') })
})

test('a folder without write permission is refused', async () => {
  const service = await testService()
  // The file system of Linux itself; other systems have no such folder.
  const refused = await choose(service, '/proc')
  const reason = expect.stringMatching(/cannot write|no folder/)
  expect([refused.status, JSON.stringify(await refused.json())]).toEqual([400, reason])
})
