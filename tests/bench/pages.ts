/**
 * `npm run bench -- pages`: what saving and searching cost while pages hang. Two services on equal libraries, one that
 * fetches nothing and one with 2,000 bookmarks whose pages never answer, are measured in turn.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { loadEach, percentile, post } from './load.ts'
import { checkTargets } from './targets.ts'

const HANGING = 2000
const ROUNDS = Number(process.env.ROUNDS ?? 25)
const A_ROUND = 20 // × 25 rounds = 500 addresses saved one by one
const TARGET = 1.5

let asked = 0
const abyss = createServer(() => {
  asked++
})
await new Promise<void>((resolve) => abyss.listen(0, '127.0.0.1', resolve))
const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'earmark-bench-')))
const children = folders.map((folder, index) => {
  const port = index === 0 ? [] : [String((abyss.address() as AddressInfo).port)]
  const file = join(import.meta.dirname, 'web-service.js')
  return spawn(process.execPath, [file, folder, ...port], { stdio: ['ignore', 'pipe', 'inherit'] })
})
try {
  const services = await Promise.all(
    children.map(async (child) => {
      const [line] = await once(createInterface(child.stdout), 'line')
      return JSON.parse(line) as { port: number; key: string }
    })
  )
  const measured = services.map(() => ({ insert: [] as number[], search: [] as number[] }))

  const request = (service: (typeof services)[number], name: string, args: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': service.key }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    return post(service.port, '/api/tools/mcp', headers, body)
  }
  for (const service of services) {
    for (let from = 0; from < HANGING; from += 500) {
      const urls = Array.from({ length: 500 }, (_, index) => `http://hangs${from + index}.example/a-page/about-it`)
      await loadEach(service.port, [request(service, 'bookmarks.insert', { urls })], 1)
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 2000))

  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, service] of services.entries()) {
      const numbers = Array.from({ length: A_ROUND }, (_, one) => round * A_ROUND + one)
      const inserts = numbers.map((number) =>
        request(service, 'bookmarks.insert', { urls: `http://new${number}.example/page-${number}` })
      )
      const searches = numbers.map((number) =>
        request(service, 'bookmarks.search', { search: number % 2 === 0 ? `hangs${number}` : 'page about' })
      )
      const [insert, search] = [await loadEach(service.port, inserts, 1), await loadEach(service.port, searches, 1)]
      if (round === 0) continue
      measured[index]?.insert.push(...insert.times)
      measured[index]?.search.push(...search.times)
    }
  }
  const [quiet, hanging] = measured
  if (!quiet || !hanging) throw new Error('nothing was measured')
  console.log(
    `${HANGING} pages hang (${asked} asked so far); ${ROUNDS * A_ROUND} addresses saved and searches made one by one.`
  )
  let worst = 0
  for (const kind of ['insert', 'search'] as const) {
    const [a, b] = [sorted(quiet[kind]), sorted(hanging[kind])]
    const ratio = (share: number) => percentile(b, share) / percentile(a, share)
    worst = Math.max(worst, ratio(0.99))
    console.log(
      `${kind}: p50 ${ms(a, 0.5)} -> ${ms(b, 0.5)} ms (${ratio(0.5).toFixed(2)} x), ` +
        `p99 ${ms(a, 0.99)} -> ${ms(b, 0.99)} ms (${ratio(0.99).toFixed(2)} x)`
    )
  }
  checkTargets({ 'p99 while pages hang, times without': { measured: worst, most: TARGET } })
} finally {
  for (const child of children) child.kill('SIGKILL')
  abyss.closeAllConnections()
  abyss.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

function sorted(times: number[]): Float64Array {
  return Float64Array.from(times).sort()
}

function ms(times: Float64Array, share: number): string {
  return percentile(times, share).toFixed(2)
}
