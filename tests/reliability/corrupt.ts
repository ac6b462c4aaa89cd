/**
 * Damages the library, its log, its lock or its folder in one of many ways, as a disk or a person does, and looks at
 * what becomes of it: nothing may be empty without a word, and no insert may be acknowledged that the restore which
 * Earmark recommends then loses.
 *
 * The planted fault is a library that is whole, and empty.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { randomFrom } from '../support/random.ts'
import { call, type Figure, kept, makeKey, options, report, run, start, tempFolder, tried } from './support.ts'

const MUTATIONS = options.n(200)
const ROWS = 300
const PAGE = 4096
const next = randomFrom(options.seed)
const below = (count: number) => Math.floor(next() * count)

const abandoned = tempFolder()
const key = await fill(abandoned)
let silent = 0
let unclear = 0
let lost = 0
let opened = 0

for (let number = 0; number < MUTATIONS; number++) {
  const data = tempFolder()
  cpSync(abandoned, data, { recursive: true })
  const what = damage(data)
  if (options.plant) empty(data)
  await judge(data, what)
  rmSync(data, { recursive: true, force: true })
}

const none = (name: string, count: number): Figure => ({
  what: name,
  value: String(count),
  target: '0',
  met: count === 0
})
report('corrupt', [
  tried('mutations', MUTATIONS, 1),
  tried('that were served', opened, 1),
  none('empty without a word', silent),
  none('failed without words', unclear),
  kept(lost, 'that a restore loses')
])

/** A library as a killed service leaves it, with a backup of all of it. */
async function fill(data: string): Promise<string> {
  const made = makeKey(data)
  const service = await start(data)
  const urls = Array.from({ length: ROWS }, (_, index) => `https://site${index % 40}.example/${index}`)
  await call(service.url, made, 'bookmarks.insert', { urls: urls.slice(0, ROWS - 20) })
  await service.end('SIGTERM')
  run(data, ['backup'])
  const again = await start(data)
  await call(again.url, made, 'bookmarks.insert', { urls: urls.slice(ROWS - 20) })
  await again.end('SIGKILL')
  return made
}

function damage(data: string): string {
  const library = join(data, 'library.sqlite')
  const log = `${library}-wal`
  const ways: [string, () => void][] = [
    ['bytes', () => overwrite(library, (bytes) => bytes.fill(below(256), below(bytes.length), below(bytes.length)))],
    ['a page', () => overwrite(library, (bytes) => bytes.fill(0, pageOf(bytes), pageOf(bytes) + PAGE))],
    ['a page at the place of another', () => overwrite(library, moved)],
    ['a page without rows', () => overwrite(library, (bytes) => bytes.fill(0, pageOf(bytes) + 3, pageOf(bytes) + 5))],
    ['the header', () => overwrite(library, (bytes) => bytes.fill(below(256), below(100), 100))],
    ['cut', () => writeFileSync(library, readFileSync(library).subarray(0, below(100) * PAGE))],
    ['emptied', () => writeFileSync(library, '')],
    ['garbage', () => writeFileSync(library, 'once a library '.repeat(1 + below(2000)))],
    ['gone', () => rmSync(library)],
    ['the log emptied', () => writeFileSync(log, '')],
    ['the log gone', () => rmSync(log)],
    ['the log cut', () => writeFileSync(log, readFileSync(log).subarray(0, below(40) * 1000))],
    [
      'bytes of the log',
      () => overwrite(log, (bytes) => bytes.fill(below(256), below(bytes.length), below(bytes.length)))
    ],
    ['the lock', () => writeFileSync(join(data, 'earmark.lock'), 'garbage '.repeat(1 + below(2000)))],
    ['the note', () => writeFileSync(join(data, 'library.seen'), 'garbage')],
    [
      'a folder in its place',
      () => {
        rmSync(library)
        mkdirSync(library)
      }
    ]
  ]
  const [name, work] = ways[below(ways.length)] as (typeof ways)[number]
  work()
  return name
}

function overwrite(file: string, change: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

function pageOf(bytes: Buffer): number {
  return below(bytes.length / PAGE) * PAGE
}

function moved(bytes: Buffer): void {
  const from = pageOf(bytes)
  bytes.copy(bytes, pageOf(bytes), from, from + PAGE)
}

function empty(data: string): void {
  for (const part of ['library.sqlite', 'library.sqlite-wal', 'library.seen']) {
    copyFileSync(join(abandoned, part), join(data, part))
  }
  const db = new Sqlite(join(data, 'library.sqlite'))
  db.exec('DELETE FROM bookmarks; DELETE FROM filter_counts')
  db.close()
  rmSync(join(data, 'library.seen'))
}

async function judge(data: string, what: string): Promise<void> {
  const serving = await start(data).catch((error: Error) => error)
  if (serving instanceof Error) {
    const isClear = /library-(missing|damaged)|not-a-library|store-too-new|data-folder-unusable/.test(serving.message)
    if (!isClear) unclear += 1
    if (!isClear) process.stderr.write(`${what}: ${serving.message}\n`)
    return
  }
  opened += 1
  const saved: string[] = []
  for (let number = 0; number < 5; number++) {
    const url = `https://after-damage.example/${number}`
    const { payload, isError } = await call(serving.url, key, 'bookmarks.insert', { urls: url })
    if (!isError && payload.saved === 1) saved.push(url)
    await setTimeout(20)
  }
  const found = await call(serving.url, key, 'bookmarks.search', { limit: 1 })
  const total = found.isError ? -1 : Number(found.payload.total)
  await serving.end('SIGTERM')
  const isLogGone = /^the log (emptied|gone)$/.test(what)
  // What of the log cannot be read is gone as after a power cut; that all of it is gone is said.
  const isShort = total >= 0 && total < (isLogGone ? ROWS : ROWS - 20)
  if (isShort && !isTold(data) && !serving.said().includes('The last saved bookmarks may be lost')) silent += 1
  lost += isTold(data) ? await countLost(data, saved) : 0
}

function isTold(data: string): boolean {
  return readFileSync(join(data, 'library.seen'), 'utf8').includes('damaged')
}

/** What was acknowledged before the damage was known, and is not in what the repair puts back. */
async function countLost(data: string, saved: string[]): Promise<number> {
  try {
    run(data, ['doctor', '--repair'])
  } catch {
    // It says what is left wrong.
  }
  if (!existsSync(join(data, 'library.sqlite'))) return saved.length
  copyFileSync(join(data, 'library.sqlite'), join(data, 'copy.sqlite'))
  const service = await start(data).catch(() => undefined)
  if (!service) return saved.length
  let missing = 0
  for (const url of saved) {
    const { payload } = await call(service.url, key, 'bookmarks.insert', { urls: url })
    missing += Number(payload.saved ?? 1)
  }
  await service.end('SIGKILL')
  return missing
}
