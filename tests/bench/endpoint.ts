/**
 * `npm run bench:endpoint`: what one tool call costs at the endpoint, as a ratio to the least that node:http can do and
 * to the official SDK's server. All three run in one process and are measured in turn, so that noise hits them alike.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { load, percentile, post, type Round } from './load.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 12)
const ROUND_MS = 500
const NAMES = ['bare', 'ours', 'sdk'] as const

const child = spawn(process.execPath, [join(import.meta.dirname, 'endpoint-servers.ts')], {
  stdio: ['ignore', 'pipe', 'inherit']
})
const [line] = await once(createInterface(child.stdout), 'line')
const servers = JSON.parse(line) as { bare: number; ours: number; sdk: number; key: string }

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'constant', arguments: {} }
})
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
  'x-api-key': servers.key
}

console.log(`One tool call with a constant answer, ${ROUNDS} rounds of ${ROUND_MS} ms each in turn.`)
for (const connections of [1, 16]) {
  const rounds: Record<string, Round[]> = { bare: [], ours: [], sdk: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of NAMES) {
      const target = { port: servers[name], request: post(servers[name], '/api/tools/mcp', headers, body) }
      const measured = await load(target, { connections, milliseconds: ROUND_MS })
      if (round > 0) rounds[name]?.push(measured) // the first one warms up
    }
  }
  const [bare, ours, sdk] = NAMES.map((name) => summary(rounds[name] ?? []))
  if (!bare || !ours || !sdk) throw new Error('nothing was measured')
  console.log(`\n${connections} ${connections === 1 ? 'connection' : 'connections'}`)
  console.table({ '(a) bare node:http': shown(bare), '(b) Earmark': shown(ours), '(c) SDK server': shown(sdk) })
  console.log(
    `(b) / (a): p50 ${ratio(ours.p50, bare.p50)}, p99 ${ratio(ours.p99, bare.p99)}, throughput ${ratio(bare.perSecond, ours.perSecond)}` +
      ` (target <= 1.60 at p50 and throughput)\n(c) / (b): p50 ${ratio(sdk.p50, ours.p50)}, throughput ` +
      `${ratio(ours.perSecond, sdk.perSecond)} (target >= 5.00)`
  )
}
child.kill()

interface Summary {
  perSecond: number
  p50: number
  p99: number
}

function summary(rounds: Round[]): Summary {
  const times = Float64Array.from(rounds.flatMap((round) => [...round.times])).sort()
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0)
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0)
  return { perSecond: requests / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

function shown({ perSecond, p50, p99 }: Summary) {
  return { 'req/s': Math.round(perSecond), 'p50 ms': p50.toFixed(3), 'p99 ms': p99.toFixed(3) }
}

function ratio(a: number, b: number): string {
  return (a / b).toFixed(2)
}
