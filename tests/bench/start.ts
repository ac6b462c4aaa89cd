/**
 * `npm run bench -- start [-- --rows N] [--rounds R] [--check]`: the time from a start to the first answer, after an end and
 * after a kill, and of a command without a service, beside starting Node itself, in turn.
 */

import { NODE_FLAGS } from '../../src-main/host/own-program.ts'
import { launchEarmark, type Running, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { buildLibrary } from '../support/library.ts'
import { checkTargets, distribution, median, percentile, printTable, readNumbers, tempFolder } from './harness.ts'

const { rows, rounds } = readNumbers({ rows: 107_432, rounds: 15 })
const data = tempFolder()
const afterwards = () => {}

buildLibrary(data, rows)
const times = { node: [] as number[], start: [] as number[], killed: [] as number[], search: [] as number[] }
for (let round = 0; round <= rounds; round++) {
  const node = await timeProgram(['-e', '0'])
  const first = await startAndCall()
  await first.service.end('SIGTERM')
  const search = await timeProgram([], ['search', 'about', '--data', data])
  await (await startAndCall()).service.end('SIGKILL')
  const again = await startAndCall()
  await again.service.end('SIGTERM')
  if (round === 0) continue // fills the caches
  times.node.push(node)
  times.start.push(first.ms)
  times.search.push(search)
  times.killed.push(again.ms)
}
printTable(`${rows.toLocaleString('en')} bookmarks, ${rounds} rounds, ms`, {
  'bare Node': distribution(times.node),
  'start to first answer': distribution(times.start),
  'the same after kill -9': distribution(times.killed),
  'earmark search, no service': distribution(times.search)
})
checkTargets({
  'start to first answer, p50 ms': { measured: median(times.start), most: 120 },
  'after kill -9, p99 ms': { measured: percentile(times.killed, 0.99), most: 250 },
  'earmark search without a service, p50 ms': { measured: median(times.search), most: 250 }
})

/** Starts the service as `npm start` does, and calls the endpoint once. */
async function startAndCall(): Promise<{ service: Running; ms: number }> {
  const begun = performance.now()
  const service = await startEarmark(data, [], { nodeFlags: NODE_FLAGS, env: withoutKeychain, afterwards })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  await (await fetch(service.mcp, init)).text()
  return { service, ms: performance.now() - begun }
}

/** Returns the time from start to end, in ms. With `-e` among the flags Node runs nothing else. */
async function timeProgram(nodeFlags: string[], command: string[] = []): Promise<number> {
  const begun = performance.now()
  const { code } = await launchEarmark(command, { nodeFlags, env: withoutKeychain, afterwards }).ended
  if (code !== 0) throw new Error(`${[...nodeFlags, ...command].join(' ')} ended with ${code}`)
  return performance.now() - begun
}
