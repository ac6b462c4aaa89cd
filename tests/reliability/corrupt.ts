/**
 * Damages the library, its log, its lock or its folder in one of many ways, as a disk or a person does. Afterwards nothing
 * may be empty without a message, and no insert may be acknowledged that the repair which Earmark recommends then loses.
 *
 * The planted fault is a library that is whole, and empty.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { callTool, makeKey, runJson } from '../support/earmark.ts'
import { figure, options, random, report, start, tempFolder } from './harness.ts'

const MUTATIONS = options.n(200)
const ROWS = 300
/** Rows that only the log has. */
const ROWS_IN_LOG = 20
const PAGE_SIZE = 4096

const original = tempFolder()
const key = await makeKey(original)
await fill()
const count = { silent: 0, unclear: 0, lost: 0, opened: 0 }
for (let number = 0; number < MUTATIONS; number++) {
  const data = tempFolder()
  cpSync(original, data, { recursive: true })
  const [damage, work] = random.pick(Object.entries(damages(data)))
  work()
  if (options.plant) empty(data)
  await judge(data, damage)
  rmSync(data, { recursive: true, force: true })
}

report([
  figure.atLeast('mutations', MUTATIONS, 1),
  figure.atLeast('that were served', count.opened, 1),
  figure.zero('empty without a word', count.silent),
  figure.zero('failed without words', count.unclear),
  figure.zero('acknowledged rows that a restore loses', count.lost)
])

/** Makes a library as a killed service leaves it, with a backup of most of it. */
async function fill(): Promise<void> {
  const urls = Array.from({ length: ROWS }, (_, index) => `https://site${index % 40}.example/${index}`)
  const service = await start(original)
  await callTool(service.url, key, 'bookmarks.insert', { urls: urls.slice(0, -ROWS_IN_LOG) })
  await service.end('SIGTERM')
  await runJson(original, ['backup'])
  const again = await start(original)
  await callTool(again.url, key, 'bookmarks.insert', { urls: urls.slice(-ROWS_IN_LOG) })
  await again.end('SIGKILL')
}

function damages(data: string): Record<string, () => void> {
  const library = join(data, 'library.sqlite')
  const log = `${library}-wal`
  const change = (file: string, edit: (bytes: Buffer) => unknown) => () => {
    const bytes = readFileSync(file)
    edit(bytes)
    writeFileSync(file, bytes)
  }
  const cut = (file: string, length: number) => () => writeFileSync(file, readFileSync(file).subarray(0, length))
  const garbage = (file: string) => () => writeFileSync(file, 'garbage '.repeat(1 + random.int(2000)))
  const randomPage = ({ length }: Buffer) => random.int(length / PAGE_SIZE) * PAGE_SIZE
  const fillSome = (bytes: Buffer) => bytes.fill(random.int(256), random.int(bytes.length), random.int(bytes.length))
  return {
    bytes: change(library, fillSome),
    'a page': change(library, (bytes) => {
      const page = randomPage(bytes)
      bytes.fill(0, page, page + PAGE_SIZE)
    }),
    'a page at the place of another': change(library, (bytes) => {
      const page = randomPage(bytes)
      bytes.copy(bytes, randomPage(bytes), page, page + PAGE_SIZE)
    }),
    'a page without rows': change(library, (bytes) => {
      const page = randomPage(bytes)
      bytes.fill(0, page + 3, page + 5)
    }),
    'the header': change(library, (bytes) => bytes.fill(random.int(256), random.int(100), 100)),
    cut: cut(library, random.int(100) * PAGE_SIZE),
    emptied: cut(library, 0),
    garbage: garbage(library),
    gone: () => rmSync(library),
    'the log emptied': cut(log, 0),
    'the log gone': () => rmSync(log),
    'the log cut': cut(log, random.int(40) * 1000),
    'bytes of the log': change(log, fillSome),
    'the lock': garbage(join(data, 'earmark.lock')),
    'the note': garbage(join(data, 'library.seen')),
    'a folder in its place': () => {
      rmSync(library)
      mkdirSync(library)
    }
  }
}

/** Plants the fault. */
function empty(data: string): void {
  for (const part of ['library.sqlite', 'library.sqlite-wal']) copyFileSync(join(original, part), join(data, part))
  const db = new Sqlite(join(data, 'library.sqlite'))
  db.exec('DELETE FROM bookmarks; DELETE FROM filter_counts')
  db.close()
  rmSync(join(data, 'library.seen'), { force: true })
}

async function judge(data: string, damage: string): Promise<void> {
  const service = await start(data).catch((error: Error) => error)
  if (service instanceof Error) {
    const { message } = service
    if (/library-(missing|damaged)|not-a-library|store-too-(new|old)|data-folder-unusable/.test(message)) return
    count.unclear += 1
    process.stderr.write(`${damage}: ${message}\n`)
    return
  }
  count.opened += 1
  const saved: string[] = []
  for (let number = 0; number < 5; number++) {
    const url = `https://after-damage.example/${number}`
    const { payload, isError } = await callTool(service.url, key, 'bookmarks.insert', { urls: url })
    if (!isError && payload.saved === 1) saved.push(url)
    await sleep(20)
  }
  const { payload, isError } = await callTool(service.url, key, 'bookmarks.search', { limit: 1 })
  await service.end('SIGTERM')
  const isReported = readFileSync(join(data, 'library.seen'), 'utf8').includes('damaged')
  // Rows of a damaged log are lost as in a power cut. Only if the whole log is gone must a message say so.
  const expected = /^the log (emptied|gone)$/.test(damage) ? ROWS : ROWS - ROWS_IN_LOG
  const isShort = !isError && Number(payload.total) < expected
  const isWarned = service.output.stderr.includes('The last saved bookmarks may be lost')
  if (isShort && !isReported && !isWarned) count.silent += 1
  if (isReported) count.lost += await countLost(data, saved)
}

/** Counts pages that were acknowledged before the damage was noticed and are missing after the repair. */
async function countLost(data: string, saved: string[]): Promise<number> {
  // A repair that leaves something wrong fails and says so.
  await runJson(data, ['doctor', '--repair']).catch(() => {})
  if (!existsSync(join(data, 'library.sqlite'))) return saved.length
  const service = await start(data).catch(() => undefined)
  if (!service) return saved.length
  let missing = 0
  for (const url of saved) {
    const { payload } = await callTool(service.url, key, 'bookmarks.insert', { urls: url })
    missing += Number(payload.saved ?? 1)
  }
  await service.end('SIGKILL')
  return missing
}
