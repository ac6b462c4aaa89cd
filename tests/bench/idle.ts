/**
 * `npm run bench -- idle [-- --rows N] [--seconds S] [--calls N] [--check]`: what a service costs that nobody asks, once it
 * has done what it does after a start: time, times it is woken, memory; and the memory it keeps after many mixed calls
 * from four clients. On Linux.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { countUnindexed } from '../../src-main/search/sql/index-queue.ts'
import { openReadConnection } from '../../src-main/store/connection.ts'
import { backupsIn } from '../../src-main/store/files/backups.ts'
import { loadEach, post } from './load.ts'
import { createKey, end, type Served, serve, usage } from './program.ts'
import { fillLibrary, sampleOf } from './search-library.ts'
import { checkTargets } from './targets.ts'

/** A minute after a start a service makes the day's backup and the week's. */
const BACKUPS = 2

/** At rest it takes no more of a core than this within a look, in seconds; the system counts hundredths. */
const AT_REST = { lookMs: 5000, seconds: 0.02 }
const PATIENCE_MS = 600_000

const CLIENTS = 4
const CALLS_A_ROUND = 2000

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '107432' },
    seconds: { type: 'string', default: '60' },
    calls: { type: 'string', default: '60000' },
    check: { type: 'boolean', default: false }
  }
})
const [rows, seconds, calls] = [Number(values.rows), Number(values.seconds), Number(values.calls)]
const data = mkdtempSync(join(tmpdir(), 'earmark-bench-idle-'))
try {
  fillLibrary(data, rows)
  const titles = sampleOf(join(data, 'library.sqlite'), rows).map(({ title }) => title)
  const key = await createKey(data)
  const served = await serve(data)
  const work = await untilAtRest(served, data)
  const before = usage(served)
  await sleep(seconds * 1000)
  const after = usage(served)
  const idle = {
    'share of a core, %': (100 * (after.seconds - before.seconds)) / seconds,
    'wake-ups a second': (after.wakeUps - before.wakeUps) / seconds
  }
  const plateau = await memoryUnderCalls(served, key, titles)
  await end(served, 'SIGTERM')
  console.log(
    `${rows.toLocaleString('en')} bookmarks, ${seconds} s idle, then ${calls.toLocaleString('en')} calls from ${CLIENTS} clients.`
  )
  console.log(
    `After its start it was busy by itself for ${work.lasted.toFixed(0)} s, which took ${work.seconds.toFixed(1)} s of a core: ${BACKUPS} backups, and what was left to index.`
  )
  console.log(
    `RssAnon in MB: ${after.anonymousMB.toFixed(0)} idle, then ${plateau.map((mb) => mb.toFixed(0)).join(', ')}`
  )
  checkTargets({
    'idle, % of a core': { measured: idle['share of a core, %'], most: 0.1 },
    'idle, wake-ups a second': { measured: idle['wake-ups a second'], most: 2 },
    'memory under calls, MB': { measured: Math.max(...plateau), most: 150 }
  })
} finally {
  rmSync(data, { recursive: true, force: true })
}

/**
 * Waits until a service has nothing left to do by itself: every word is indexed, the backups are made, and nothing else
 * goes on.
 *
 * @returns how long that took, and how long of a core, in seconds
 */
async function untilAtRest(served: Served, data: string): Promise<{ lasted: number; seconds: number }> {
  const begun = performance.now()
  const db = openReadConnection(join(data, 'library.sqlite'))
  for (let before = usage(served).seconds; performance.now() - begun < PATIENCE_MS; ) {
    await sleep(AT_REST.lookMs)
    const { seconds } = usage(served)
    const isDone = backupsIn(data).length >= BACKUPS && countUnindexed(db) === 0
    if (isDone && seconds - before <= AT_REST.seconds) {
      db.close()
      return { lasted: (performance.now() - begun) / 1000, seconds }
    }
    before = seconds
  }
  throw new Error('The service did not come to rest.')
}

/** Searches, pages and inserts, mixed; the memory after each tenth of them, in MB. */
async function memoryUnderCalls(served: Served, key: string, titles: string[]): Promise<number[]> {
  const { port } = new URL(served.url)
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const call = (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    return post(Number(port), '/api/tools/mcp', headers, JSON.stringify(body))
  }
  const memory: number[] = []
  for (let done = 0; done < calls; done += CALLS_A_ROUND) {
    const requests = Array.from({ length: CALLS_A_ROUND }, (_, index) => {
      const number = done + index
      if (number % 20 === 0) return call('bookmarks.insert', { urls: `https://bench.example/${number}` })
      const words = titles[number % titles.length]?.split(' ') ?? []
      return call('bookmarks.search', { search: words.slice(0, 1 + (number % 3)).join(' '), page: 1 + (number % 4) })
    })
    await loadEach(Number(port), requests, CLIENTS)
    if ((done / CALLS_A_ROUND) % Math.ceil(calls / CALLS_A_ROUND / 10) === 0) memory.push(usage(served).anonymousMB)
  }
  return memory
}
