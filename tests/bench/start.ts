/**
 * `npm run bench -- start [-- --rows N] [--check]`: from a start to the first answer, after an end and after a kill, and a
 * command without a service, beside what starting Node itself takes, in turn.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { percentile } from './load.ts'
import { end, serve, timeCommand } from './program.ts'
import { fillLibrary } from './search-library.ts'
import { checkTargets } from './targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 15)

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '107432' }, check: { type: 'boolean', default: false } }
})
const rows = Number(values.rows)
const data = mkdtempSync(join(tmpdir(), 'earmark-bench-start-'))
try {
  fillLibrary(data, rows)
  const times = { bare: [] as number[], start: [] as number[], killed: [] as number[], search: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await timeCommand()
    const first = await serve(data)
    await end(first, 'SIGTERM')
    const search = await timeCommand(['search', 'about', '--data', data])
    await end(await serve(data), 'SIGKILL')
    const again = await serve(data)
    await end(again, 'SIGTERM')
    if (round === 0) continue // fills the caches
    times.bare.push(bare)
    times.start.push(first.startMs)
    times.search.push(search)
    times.killed.push(again.startMs)
  }
  console.log(`${rows.toLocaleString('en')} bookmarks, ${ROUNDS} rounds.`)
  console.table({
    'bare Node': shown(times.bare),
    'start to first answer': shown(times.start),
    'the same after kill -9': shown(times.killed),
    'earmark search, no service': shown(times.search)
  })
  checkTargets({
    'start to first answer, p50 ms': { measured: at(times.start, 0.5), most: 120 },
    'after kill -9, p99 ms': { measured: at(times.killed, 0.99), most: 250 },
    'earmark search without a service, p50 ms': { measured: at(times.search, 0.5), most: 250 }
  })
} finally {
  rmSync(data, { recursive: true, force: true })
}

function at(times: number[], share: number): number {
  return percentile(Float64Array.from(times).sort(), share)
}

function shown(times: number[]) {
  const [p50, p99] = [at(times, 0.5), at(times, 0.99)]
  return { 'p50 ms': p50.toFixed(0), 'p99 ms': p99.toFixed(0) }
}
