/**
 * `npm run bench -- endpoint [-- --rounds R] [--hanging N] [--check]`: what a tool call costs at the endpoint, as a ratio to the
 * least that node:http can do and to the official SDK's server. Then what saving and searching cost while pages do not answer
 * that the service reads, as a ratio to a service that reads none. The processes are measured in turn, so that noise affects
 * them alike.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWebService } from '../support/earmark.ts'
import {
  checkTargets,
  distribution,
  median,
  percentile,
  printTable,
  readNumbers,
  startServer,
  type Target,
  tempFolder
} from './harness.ts'
import { load, loadEach, type Round, toolCall } from './load.ts'

const { rounds, hanging } = readNumbers({ rounds: 40, hanging: 2000 })
const ROUND_MS = 200
const WARM_UP_MS = 4000
/** Addresses that are saved in a round, one by one; as many searches. */
const PAGES_PER_ROUND = 20

checkTargets({ ...(await compareCalls()), ...(await measureWhilePagesHang()) })

async function compareCalls(): Promise<Record<string, Target>> {
  const bare = await startServer('bare')
  const ours = await startServer('constant', tempFolder())
  const sdk = await startServer('sdk')
  const servers = { bare, ours, sdk }
  const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
  const targets: Record<string, Target> = {}
  for (const connections of [1, 8]) {
    const measured: Record<keyof typeof servers, Round[]> = { bare: [], ours: [], sdk: [] }
    const measure = (name: keyof typeof servers, milliseconds: number) => {
      const { port } = servers[name]
      const request = toolCall(port, ours.key, 'constant', {}, accept)
      return load({ port, request }, { connections, milliseconds })
    }
    const names = Object.keys(servers) as (keyof typeof servers)[]
    // V8 optimises code that runs often, which takes longer for larger programs.
    for (const name of names) await measure(name, WARM_UP_MS)
    for (let round = 0; round < rounds; round++) {
      for (const name of names) measured[name].push(await measure(name, ROUND_MS))
    }
    const summaries = Object.entries(measured).map(([name, all]) => {
      const middle = (value: (round: Round) => number) => median(all.map(value))
      return [
        name,
        {
          'calls/s': middle(throughput),
          'p50 ms': middle(({ times }) => median(times)),
          'p99 ms': middle(({ times }) => percentile(times, 0.99))
        }
      ]
    })
    printTable(`${connections} connections, medians of ${rounds} rounds`, Object.fromEntries(summaries))
    const p50 = ({ times }: Round) => median(times)
    const { bare, ours: own, sdk } = measured
    targets[`${connections}: times bare, p50`] = { measured: ratio(own, bare, p50), most: 3 }
    targets[`${connections}: times bare, throughput`] = { measured: ratio(bare, own, throughput), most: 3 }
    targets[`${connections}: SDK server times ours, p50`] = { measured: ratio(sdk, own, p50), least: 5 }
    targets[`${connections}: SDK server times ours, throughput`] = { measured: ratio(own, sdk, throughput), least: 5 }
  }
  for (const server of Object.values(servers)) server.stop()
  return targets
}

function throughput({ times, seconds }: Round): number {
  return times.length / seconds
}

/** Returns the median of the ratios within each round, whose measurements are a fraction of a second apart. */
function ratio(a: Round[], b: Round[], value: (round: Round) => number): number {
  return median(a.map((round, index) => value(round) / value(b[index] as Round)))
}

async function measureWhilePagesHang(): Promise<Record<string, Target>> {
  const silentWeb = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silentWeb, 'listening')
  const { port } = silentWeb.address() as AddressInfo
  const afterwards = () => {}
  const quiet = await startWebService(tempFolder(), undefined, { afterwards })
  const busy = await startWebService(tempFolder(), port, { afterwards })
  const measured = [quiet, busy].map((service) => ({ service, insert: [] as number[], search: [] as number[] }))
  for (const { service } of measured) {
    for (let from = 0; from < hanging; from += 500) {
      const urls = Array.from({ length: 500 }, (_, index) => `http://hangs${from + index}.example/a-page/about-it`)
      await loadEach(service.port, [toolCall(service.port, service.key, 'bookmarks.insert', { urls })], 1)
    }
  }
  await sleep(2000)
  for (let round = 0; round <= rounds; round++) {
    const numbers = Array.from({ length: PAGES_PER_ROUND }, (_, index) => round * PAGES_PER_ROUND + index)
    for (const { service, insert, search } of measured) {
      const send = async (name: string, args: (number: number) => object) => {
        const calls = numbers.map((number) => toolCall(service.port, service.key, name, args(number)))
        return (await loadEach(service.port, calls, 1)).times
      }
      const inserted = await send('bookmarks.insert', (number) => ({ urls: `http://new${number}.example/page` }))
      const searched = await send('bookmarks.search', (number) => ({
        search: number % 2 === 0 ? `hangs${number}` : 'page about'
      }))
      if (round === 0) continue // warms up
      insert.push(...inserted)
      search.push(...searched)
    }
  }
  const [without, withHanging] = measured
  if (!without || !withHanging) throw new Error('nothing was measured')
  printTable(`${hanging} pages hang, ms`, {
    'insert, no pages': distribution(without.insert),
    'insert, hanging pages': distribution(withHanging.insert),
    'search, no pages': distribution(without.search),
    'search, hanging pages': distribution(withHanging.search)
  })
  for (const { service } of measured) await service.end('SIGKILL')
  silentWeb.closeAllConnections()
  silentWeb.close()
  const worst = (['insert', 'search'] as const).map(
    (kind) => percentile(withHanging[kind], 0.99) / percentile(without[kind], 0.99)
  )
  return { 'p99 while pages hang, times without': { measured: Math.max(...worst), most: 1.5 } }
}
