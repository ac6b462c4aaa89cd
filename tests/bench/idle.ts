/**
 * `npm run bench -- idle [-- --rows N] [--seconds S] [--calls N] [--check]`: what an idle service costs, once it has done its work
 * after a start: CPU time, wake-ups, memory; and its memory after many mixed calls from four clients. On Linux.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backupsIn } from '../../src-main/database/backups.ts'
import { openReadConnection } from '../../src-main/database/connection.ts'
import { NODE_FLAGS } from '../../src-main/host/own-program.ts'
import { countUnindexed } from '../../src-main/search/sql/search-index.ts'
import { makeKey, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { buildLibrary } from '../support/library.ts'
import { checkTargets, readNumbers, tempFolder, usageOf } from './harness.ts'
import { loadEach, toolCall } from './load.ts'
import { readSample } from './search-queries.ts'

/** A minute after a start a service makes the day's backup and the week's. */
const BACKUPS = 2
/** A service at rest uses no more than this much CPU time between two checks, in seconds; Linux counts hundredths. */
const AT_REST_S = 0.02
const CHECK_EVERY_MS = 5000
const TIMEOUT_MS = 600_000
const CLIENTS = 4
const CALLS_PER_ROUND = 2000

const { rows, seconds, calls } = readNumbers({ rows: 107_432, seconds: 60, calls: 60_000 })
const data = tempFolder()
const library = join(data, 'library.sqlite')
buildLibrary(data, rows)
const titles = readSample(library, rows).map(({ title }) => title)
const key = await makeKey(data)
const service = await startEarmark(data, [], { nodeFlags: NODE_FLAGS, env: withoutKeychain, afterwards: () => {} })
const usage = () => usageOf(service.child.pid ?? 0)

const restedAfter = await waitForRest()
const before = usage()
await sleep(seconds * 1000)
const after = usage()
const memory = await memoryUnderCalls()
await service.end('SIGTERM')

console.log(`${rows.toLocaleString('en')} bookmarks, ${seconds} s idle, then ${calls} calls from ${CLIENTS} clients.`)
console.log(
  `It was at rest ${restedAfter.toFixed(0)} s after its start: ${before.seconds.toFixed(1)} s of CPU time, ${BACKUPS} backups.`
)
console.log(`RssAnon in MB: ${[after.anonymousMB, ...memory].map((mb) => mb.toFixed(0)).join(', ')}`)
checkTargets({
  'idle, % of a core': { measured: (100 * (after.seconds - before.seconds)) / seconds, most: 0.1 },
  'idle, wake-ups a second': { measured: (after.wakeUps - before.wakeUps) / seconds, most: 2 },
  'memory under calls, MB': { measured: Math.max(...memory), most: 150 }
})

/** Waits until every word is indexed, the backups are made, and the service uses no CPU time. Returns the seconds. */
async function waitForRest(): Promise<number> {
  const begun = performance.now()
  const db = openReadConnection(library)
  for (let last = usage().seconds; performance.now() - begun < TIMEOUT_MS; ) {
    await sleep(CHECK_EVERY_MS)
    const now = usage().seconds
    if (backupsIn(data).length >= BACKUPS && countUnindexed(db) === 0 && now - last <= AT_REST_S) {
      db.close()
      return (performance.now() - begun) / 1000
    }
    last = now
  }
  throw new Error('The service did not come to rest.')
}

/** Searches and inserts. Returns the memory after each tenth of the calls, in MB. */
async function memoryUnderCalls(): Promise<number[]> {
  const memory: number[] = []
  const rounds = Math.ceil(calls / CALLS_PER_ROUND)
  for (let round = 0; round < rounds; round++) {
    const requests = Array.from({ length: CALLS_PER_ROUND }, (_, index) => {
      const number = round * CALLS_PER_ROUND + index
      const insert = { urls: `https://bench.example/${number}` }
      if (number % 20 === 0) return toolCall(service.port, key, 'bookmarks.insert', insert)
      const words = titles[number % titles.length]?.split(' ').slice(0, 1 + (number % 3)) ?? []
      return toolCall(service.port, key, 'bookmarks.search', { search: words.join(' '), page: 1 + (number % 4) })
    })
    await loadEach(service.port, requests, CLIENTS)
    if (round % Math.ceil(rounds / 10) === 0) memory.push(usage().anonymousMB)
  }
  return memory
}
