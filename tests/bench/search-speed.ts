import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { exceptOf, matchOf } from '../../src-main/search/match.ts'
import { parseQuery } from '../../src-main/search/query.ts'
import { loadEach, percentile, post } from './load.ts'
import type { Query } from './search-queries.ts'

type Name = 'floor' | 'ours'

/** Times are in milliseconds. */
interface Speed {
  'req/s': number
  p50: number
  p95: number
  p99: number
}

/** What the event loop of our process did meanwhile, in milliseconds, and its own memory, in MB. */
interface Loop {
  p99: number
  max: number
  anonymous: number
}

export interface Measured {
  floor: Speed
  ours: Speed
  loop: Loop
}

/** A process with the whole service on the library, and one that answers with the least there is. */
export interface Servers {
  floor: { child: ChildProcess; port: number }
  ours: { child: ChildProcess; port: number; key?: string }
}

export async function startServers(folder: string): Promise<Servers> {
  // First: it takes no library that another process has open.
  const ours = await start('ours', folder)
  return { floor: await start('floor', folder), ours }
}

export function stopServers({ floor, ours }: Servers): void {
  floor.child.disconnect()
  ours.child.disconnect()
}

/** Sends the same searches to both, in turn, `rounds` times over, from so many clients at once. */
export async function measureSpeed(
  servers: Servers,
  queries: Query[],
  clients: number,
  rounds: number
): Promise<Measured> {
  const requests = {
    floor: queries.map((one) => floorRequest(servers, one)),
    ours: queries.map((one) => request(servers, one))
  }
  const times: Record<Name, number[]> = { floor: [], ours: [] }
  const seconds = { floor: 0, ours: 0 }
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['floor', 'ours'] as const) {
      const measured = await loadEach(servers[name].port, requests[name], clients)
      if (round === 0) continue // warms up
      for (const time of measured.times) times[name].push(time)
      seconds[name] += measured.seconds
    }
    if (round === 0) servers.ours.child.send('reset')
  }
  const of = (name: Name): Speed => {
    const sorted = Float64Array.from(times[name]).sort()
    const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => percentile(sorted, share))
    return { 'req/s': Math.round(sorted.length / seconds[name]), p50, p95, p99 }
  }
  servers.ours.child.send('ask')
  const [loop] = (await once(servers.ours.child, 'message')) as [Loop]
  return { floor: of('floor'), ours: of('ours'), loop }
}

function floorRequest({ floor }: Servers, { words, page }: Query): Buffer {
  const parsed = parseQuery(words)
  const expression = matchOf(parsed, false)?.texts ?? exceptOf(parsed) ?? '"x"'
  return post(floor.port, '/', {}, JSON.stringify({ expression, offset: (page - 1) * 5 }))
}

function request({ ours }: Servers, { words, page, filters }: Query): Buffer {
  const params = { name: 'bookmarks.search', arguments: { search: words, page, ...filters } }
  const headers = { 'content-type': 'application/json', 'x-api-key': ours.key ?? '' }
  return post(
    ours.port,
    '/api/tools/mcp',
    headers,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  )
}

async function start(kind: Name, folder: string): Promise<{ child: ChildProcess; port: number; key?: string }> {
  const child = fork(join(import.meta.dirname, 'search-server.js'), [kind, folder])
  const [facts] = await once(child, 'message')
  return { child, ...(facts as { port: number; key?: string }) }
}
