/**
 * `npm run bench -- endpoint`: what one tool call costs at the endpoint, as a ratio to the least that node:http can do and
 * to the official SDK's server. Each has a process of its own, and they are measured in turn, so that noise hits them
 * alike and none pays for another's garbage.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { load, percentile, post, type Round } from './load.ts'
import { checkTargets, type Target } from './targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 40)
const ROUND_MS = 200
const WARM_UP_MS = 4000
const NAMES = ['bare', 'ours', 'sdk'] as const

const children = NAMES.map((name) =>
  spawn(process.execPath, [join(import.meta.dirname, 'endpoint-server.js'), name], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
)
const servers = new Map<string, { port: number; key?: string }>()
for (const [index, child] of children.entries()) {
  const [line] = await once(createInterface(child.stdout), 'line')
  servers.set(NAMES[index] ?? '', JSON.parse(line))
}

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
  'x-api-key': servers.get('ours')?.key ?? ''
}

console.log(`One tool call with a constant answer, ${ROUNDS} rounds of ${ROUND_MS} ms each in turn.`)
const targets: Record<string, Target> = {}
for (const connections of [1, 8]) {
  const rounds: Record<string, Round[]> = { bare: [], ours: [], sdk: [] }
  const measure = (name: string, milliseconds: number) => {
    const port = servers.get(name)?.port ?? 0
    return load({ port, request: post(port, '/api/tools/mcp', headers, body) }, { connections, milliseconds })
  }
  // V8 optimises what runs often, and the longer of two programs takes longer to get there.
  for (const name of NAMES) await measure(name, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of NAMES) rounds[name]?.push(await measure(name, ROUND_MS))
  }
  const [bare, ours, sdk] = NAMES.map((name) => (rounds[name] ?? []).map(summary))
  if (!bare || !ours || !sdk) throw new Error('nothing was measured')
  console.log(`\n${connections} ${connections === 1 ? 'connection' : 'connections'} (medians of the rounds)`)
  console.table({ '(a) bare node:http': shown(bare), '(b) Earmark': shown(ours), '(c) SDK server': shown(sdk) })
  console.log(`(b) / (a): p99 ${ratio(ours, bare, 'p99').toFixed(2)}`)
  targets[`${connections}: times bare, p50`] = { measured: ratio(ours, bare, 'p50'), most: 1.6 }
  targets[`${connections}: times bare, throughput`] = { measured: ratio(bare, ours, 'perSecond'), most: 1.6 }
  targets[`${connections}: SDK server times ours, p50`] = { measured: ratio(sdk, ours, 'p50'), least: 5 }
  targets[`${connections}: SDK server times ours, throughput`] = { measured: ratio(ours, sdk, 'perSecond'), least: 5 }
}
checkTargets(targets)
for (const child of children) child.kill()

interface Summary {
  perSecond: number
  p50: number
  p99: number
}

function summary({ times, requests, seconds }: Round): Summary {
  const sorted = times.toSorted()
  return { perSecond: requests / seconds, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

function shown(rounds: Summary[]) {
  const middle = (field: keyof Summary) => median(rounds.map((round) => round[field]))
  return {
    'req/s': Math.round(middle('perSecond')),
    'p50 ms': middle('p50').toFixed(3),
    'p99 ms': middle('p99').toFixed(3)
  }
}

/** The median of the ratios within each round, whose three measurements are a fraction of a second apart. */
function ratio(a: Summary[], b: Summary[], field: keyof Summary): number {
  return median(a.map((round, index) => round[field] / (b[index]?.[field] ?? Number.NaN)))
}

function median(values: number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.5)
}
