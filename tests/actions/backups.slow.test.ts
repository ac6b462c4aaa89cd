import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpNow, keepBackups } from '../../src-main/actions/backups.ts'
import { importLibrary } from '../../src-main/actions/imports/import-library.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { openLibraryFile } from '../../src-main/database/library-file.ts'
import { restoreLibraryFile } from '../../src-main/database/restore.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { START, testPorts } from './ports.ts'

const DAY_MS = 86_400_000

test('seven daily backups and four weekly ones are kept', async () => {
  const ports = await testPorts()
  for (let day = 0; day < 40; day += 1) {
    ports.clock.time = START + day * DAY_MS
    await keepBackups(ports)
    await keepBackups(ports)
  }
  const names = (await ports.library.listBackups()).map(({ name }) => name).sort()
  expect(names).toEqual([
    ...['2026-02-03', '2026-02-04', '2026-02-05', '2026-02-06', '2026-02-07', '2026-02-08', '2026-02-09'].map(
      (day) => `daily-${day}.sqlite`
    ),
    ...['2026-01-19', '2026-01-26', '2026-02-02', '2026-02-09'].map((monday) => `weekly-${monday}.sqlite`)
  ])
}, 60_000)

test('three manual backups are kept, besides the automatic ones', async () => {
  const ports = await testPorts()
  await keepBackups(ports)
  for (let time = 0; time < 5; time += 1) {
    ports.clock.time += 1000
    await backUpNow(ports)
  }
  const names = (await ports.library.listBackups()).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('manual-')).sort()).toEqual(
    ['00-00-03', '00-00-04', '00-00-05'].map((time) => `manual-2026-01-01T${time}-000Z.sqlite`)
  )
  expect(names).toHaveLength(5)
})

test('the files of an interrupted backup are removed by the next one, other files are not', async () => {
  const data = tempFolder()
  const ports = await testPorts({ data })
  const { name } = await backUpNow(ports)
  const folder = join(data, 'backups')
  for (const suffix of ['.tmp', '.tmp-journal', '.tmp-wal']) {
    writeFileSync(join(folder, `daily-2026-01-01.sqlite${suffix}`), '')
  }
  writeFileSync(join(folder, 'notes.tmp'), '')
  ports.clock.time += 1000
  const next = await backUpNow(ports)
  expect(readdirSync(folder).sort()).toEqual([name, next.name, 'notes.tmp'])
})

test('a backup during an import is consistent and has whole batches of it', async () => {
  const data = tempFolder()
  const ports = await testPorts({ data })
  async function* addresses() {
    for (let from = 0; from < 20_000; from += 1000) {
      const lines = Array.from({ length: 1000 }, (_, index) => `https://a.example/some-page/${from + index}\n`)
      yield new TextEncoder().encode(lines.join(''))
    }
  }
  const backups: string[] = []
  const due = [2000, 12_000]
  let making: Promise<void> = Promise.resolve()
  await importLibrary(ports, PROFILE, addresses(), {
    onProgress({ imported }) {
      if (imported < (due[0] ?? Number.POSITIVE_INFINITY)) return
      due.shift()
      making = making.then(async () => {
        ports.clock.time += 1000
        backups.push((await backUpNow(ports)).path)
      })
    }
  })
  await making
  for (const path of backups) {
    const restored = join(tempFolder(), 'library.sqlite')
    const { bookmarks } = await restoreLibraryFile(restored, path, START)
    expect(bookmarks).toBeGreaterThanOrEqual(2000)
    expect(bookmarks % 500).toBe(0)
    const db = openLibraryFile(restored)
    expect(db.prepare('SELECT sum(last - first + 1) FROM undo_ranges').pluck().get()).toBe(bookmarks)
    db.close()
  }
  expect(backups).toHaveLength(2)
}, 60_000)
