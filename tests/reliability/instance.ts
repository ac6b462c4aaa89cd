/**
 * Starts two services on one library at the same moment: one serves, the other says so and ends, and no row is lost.
 * Then twelve bridges at the same moment, beside the file that a killed service left: each call is answered.
 *
 * The planted fault is a lock that locks nothing: each service gets a folder of its own, and the file that was left is
 * of another program.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { below, type Figure, options, percentile, program, report, tempFolder, tried } from './support.ts'

const PAIRS = options.n(20)
const times: number[] = []
let wrong = 0

for (let pair = 0; pair < PAIRS; pair++) {
  const data = tempFolder()
  const both = [0, 1].map((number) => attempt(options.plant && number === 1 ? tempFolder() : data))
  const first = await Promise.race(
    both.map(async (one, index) => ((await one.outcome).startsWith('{"url"') ? index : 9))
  )
  const outcomes = await Promise.all(both.map((one) => one.outcome))
  const serving = outcomes.filter((text) => text.startsWith('{"url"')).length
  const refused = outcomes.filter((text) => text.includes('library-in-use')).length
  if (serving !== 1 || refused !== 1 || first === undefined) wrong += 1
  times.push(...both.filter((_, index) => outcomes[index]?.includes('library-in-use')).map((one) => one.took()))
  for (const { child } of both) child.kill('SIGKILL')
  await Promise.all(both.map(({ closed }) => closed))
}

const RACES = options.n(4)
const BRIDGES = 12
let unanswered = 0
for (let race = 0; race < RACES; race++) unanswered += await raceBridges(tempFolder())

const figures: Figure[] = [
  tried('pairs', PAIRS, 1),
  { what: 'pairs of which not exactly one served', value: String(wrong), target: '0', met: wrong === 0 },
  tried('races of twelve bridges', RACES, 1),
  {
    what: 'calls of theirs that were not answered',
    value: `${unanswered} of ${RACES * BRIDGES}`,
    target: '0',
    met: unanswered === 0
  },
  below('the other says so, p99', percentile(times, 0.99), 1000, 'ms')
]
report('instance', figures)

function attempt(data: string) {
  const begun = performance.now()
  let ended = 0
  const args = [program, 'serve', '--json', '--port', '0', '--no-fetch', '--data', data]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = once(child, 'close')
  const outcome = once(child.stdout, 'data').then(([chunk]) => {
    ended = performance.now()
    return String(chunk)
  })
  return { child, closed, outcome, took: () => ended - begun }
}

/** @returns how many were not answered */
async function raceBridges(data: string): Promise<number> {
  const made = spawnSync(process.execPath, [program, 'keys', 'create', '--name', 'race', '--json', '--data', data])
  const { key } = JSON.parse(String(made.stdout)) as { key: string }
  const stranger = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const { port } = stranger.address() as AddressInfo
  if (!options.plant) stranger.close()
  const file = join(data, 'service.json')
  // Ours is the number of a process that is there: a killed service keeps its own until it was asked how it ended.
  const left = { url: `http://127.0.0.1:${port}`, token: 'of the killed one', pid: process.pid }
  writeFileSync(file, JSON.stringify({ ...left, folder: realpathSync(data) }))
  const asked = { name: 'bookmarks.search', arguments: { search: 'anything' } }
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: asked })
  const answers = await Promise.all(
    Array.from({ length: BRIDGES }, async () => {
      const env = { ...process.env, EARMARK_KEY: key }
      const child = spawn(process.execPath, [program, 'mcp-stdio', '--data', data], { env })
      child.stdin.end(`${line}\n`)
      return text(child.stdout)
    })
  )
  stranger.close()
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
  if (pid !== process.pid) process.kill(pid, 'SIGTERM')
  return answers.filter((answer) => !answer.includes('There are no bookmarks yet.')).length
}
