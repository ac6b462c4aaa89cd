import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { percentile } from './load.ts'
import type { Query } from './search-queries.ts'

const PEERS = ['ours', 'LIKE', 'MiniSearch', 'FlexSearch']

/** A scan takes so long that it gets fewer queries. */
const SCANS = 20

export interface PeerResult {
  p50: number
  p95: number
  p99: number
  memoryMB: number
  builtSeconds: number
}

/** The same searches in one process each, in turn, without a server around them. Times are in milliseconds. */
export async function measurePeers(file: string, queries: Query[], rounds: number): Promise<Map<string, PeerResult>> {
  const words = queries.map((query) => query.words)
  const children: ChildProcess[] = []
  for (const name of PEERS) {
    const child = fork(join(import.meta.dirname, 'search-peer.js'), [name, file], {
      execArgv: ['--max-old-space-size=12000']
    })
    children.push(child)
    await once(child, 'message') // one builds its index at a time
  }
  const times = PEERS.map(() => [] as number[])
  const last: { memoryMB: number; builtSeconds: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const [index, child] of children.entries()) {
      const scan = PEERS[index] === 'LIKE'
      if (scan && round > 1) continue
      child.send(scan ? words.slice(0, SCANS) : words)
      const [answer] = (await once(child, 'message')) as [{ times: number[]; memoryMB: number; builtSeconds: number }]
      if (round > 0) times[index]?.push(...answer.times)
      last[index] = answer
    }
  }
  for (const child of children) child.disconnect()
  return new Map(
    PEERS.map((name, index) => {
      const sorted = Float64Array.from(times[index] ?? []).sort()
      const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => percentile(sorted, share))
      const { memoryMB = 0, builtSeconds = 0 } = last[index] ?? {}
      return [name, { p50, p95, p99, memoryMB, builtSeconds }]
    })
  )
}
