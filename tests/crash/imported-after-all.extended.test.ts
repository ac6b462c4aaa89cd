import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Finding } from '../../src-main/contract/doctor.ts'
import type { ImportProgress, ImportReport } from '../../src-main/contract/import-report.ts'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { countUnindexed } from '../../src-main/search/sql/search-index.ts'
import {
  type Launched,
  launchEarmark,
  type Running,
  runCommand,
  startEarmark,
  withoutKeychain
} from '../support/earmark.ts'
import { logIn } from '../support/http.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const RECORDS = 20_000

/** So many have a word in common: as many as one page of a search holds. */
const FLOCK = 100

/** Where it is killed: by the share of the file that is imported, then by the share of the records that is indexed. */
const IMPORTED = runs([0.5], [0.05, 0.25, 0.45, 0.65, 0.9])
const INDEXED = runs([0.1, 0.5], [0.05, 0.2, 0.35, 0.5, 0.65])

const NOTHING_YET: ImportProgress = { read: 0, found: 0, imported: 0, duplicate: 0, rejected: 0 }

const LOOK_MS = 5
const PATIENCE_MS = 60_000

/** What takes a while to index, so that it can be killed meanwhile. */
const LONG_WORDS = Array.from({ length: 12 }, (_, at) => `migratorybirds${at} waterfowl${at}`).join(' ')

const addressOf = (record: number) => `https://herons.example/${record}`
const file = [
  '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
  ...Array.from({ length: RECORDS }, (_, record) => {
    const flock = Math.floor(record / FLOCK)
    return `<DT><A HREF="${addressOf(record)}">Heron ${record} of flock${flock}</A><DD>${LONG_WORDS} of heron${record}`
  })
].join('\n')

test(`each of ${RECORDS} records is stored once and found although import and indexing are killed ${IMPORTED.length + INDEXED.length} times`, {
  timeout: 300_000
}, async () => {
  const data = tempFolder()
  for (const share of IMPORTED) {
    const acknowledged = await killWhileImporting(data, share)
    expect(acknowledged).toBeGreaterThan(0)
    expect(countOnDisk(data).saved, `killed at ${share} of the import`).toBeGreaterThanOrEqual(acknowledged)
  }

  const first = await start(data)
  const { answered } = await startImport(first)
  const { imported, duplicate, rejected } = await answered
  expect({ all: imported + duplicate, rejected }).toEqual({ all: RECORDS, rejected: 0 })
  await killWhileIndexing(data, first.child, INDEXED[0] ?? 0)
  // Indexing goes on before the service serves.
  for (const share of INDEXED.slice(1)) await killWhileIndexing(data, launch(data).child, share)

  const service = await start(data)
  await expect.poll(() => countOnDisk(data).unindexed, { timeout: PATIENCE_MS }).toBe(0)
  const headers = await logIn(service)
  for (let flock = 0; flock < RECORDS / FLOCK; flock++) {
    const records = Array.from({ length: FLOCK }, (_, index) => flock * FLOCK + index)
    expect(await searchFor(service, headers, `flock${flock}`)).toEqual(new Set(records.map(addressOf)))
  }
  expect(await service.end('SIGTERM')).toBe(0)
  const { stdout } = await runCommand(['doctor', '--json', '--data', data], withoutKeychain)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.state
  expect([stateOf('library'), stateOf('index'), stateOf('integrity')]).toEqual(['ok', 'ok', 'ok'])
})

function start(data: string): Promise<Running> {
  return startEarmark(data, [], { env: withoutKeychain })
}

function launch(data: string): Launched {
  return launchEarmark(['serve', '--port', '0', '--no-fetch', '--data', data], { env: withoutKeychain })
}

/** @returns how many of the records the service had said are saved */
async function killWhileImporting(data: string, share: number): Promise<number> {
  const service = await start(data)
  const { answered, progress } = await startImport(service)
  let state = 'under way'
  const over = answered.then(
    () => (state = 'answered'),
    () => (state = 'broken off')
  )
  let last = await progress()
  while (state === 'under way' && (last.read < share * file.length || last.imported + last.duplicate === 0)) {
    await sleep(LOOK_MS)
    last = await progress()
  }
  await service.end('SIGKILL')
  expect(await over, `killed at ${share} of the import`).toBe('broken off')
  return last.imported + last.duplicate
}

async function killWhileIndexing(data: string, child: ChildProcess, share: number): Promise<void> {
  const counted = { interval: LOOK_MS, timeout: PATIENCE_MS }
  await expect.poll(() => RECORDS - countOnDisk(data).unindexed, counted).toBeGreaterThan(share * RECORDS)
  child.kill('SIGKILL')
  await once(child, 'close')
  const { saved, unindexed } = countOnDisk(data)
  expect(saved).toBe(RECORDS)
  expect(unindexed, `killed at ${share} of the indexing`).toBeGreaterThan(0)
}

/** Sends the file as the dashboard does. */
async function startImport(service: Running) {
  const headers = await logIn(service)
  const imports = `${service.url}/api/imports`
  const answered = fetch(`${imports}?name=herons`, { method: 'POST', headers, body: file })
  return {
    answered: answered.then((answer) => answer.json() as Promise<ImportReport>),
    async progress(): Promise<ImportProgress> {
      const answer = await fetch(`${imports}/running/herons`, { headers })
      return answer.ok ? ((await answer.json()) as ImportProgress) : NOTHING_YET
    }
  }
}

/** The addresses a search finds, up to a page of them. Fails where it finds one twice. */
async function searchFor(service: Running, headers: Record<string, string>, words: string): Promise<Set<string>> {
  const answer = await fetch(`${service.url}/api/bookmarks?words=${words}&limit=${FLOCK}`, { headers })
  const { total, bookmarks } = (await answer.json()) as { total: number; bookmarks: { url: string }[] }
  const found = new Set(bookmarks.map(({ url }) => url))
  expect(found.size, words).toBe(total)
  return found
}

/** Bookmarks that are on disk, and those of them that words do not find by the index. */
function countOnDisk(data: string): { saved: number; unindexed: number } {
  const db = openReadConnection(join(data, 'library.sqlite'))
  try {
    const saved = db.prepare<[], number>('SELECT count(*) FROM bookmarks').pluck().get() ?? 0
    return { saved, unindexed: countUnindexed(db) }
  } finally {
    db.close()
  }
}
