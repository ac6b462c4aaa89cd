/**
 * Starts two services on one library at the same moment: one serves, the other reports the first and ends. Then twelve bridges
 * start at the same moment, beside the file that a killed service left: each call is answered.
 *
 * The planted fault is a lock that locks nothing: each service gets a folder of its own, and the file that was left belongs to
 * another program.
 */
import { once } from 'node:events'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launchEarmark, makeKey, toolRequest, withoutKeychain } from '../support/earmark.ts'
import { figure, isServed, options, percentile, report, tempFolder, until } from './harness.ts'

const PAIRS = options.n(20)
const RACES = options.n(4)
const BRIDGES = 12

const times: number[] = []
let wrong = 0
for (let pair = 0; pair < PAIRS; pair++) {
  const data = tempFolder()
  const both = [data, options.plant ? tempFolder() : data].map(launchService)
  const outcomes = await Promise.all(both.map(({ outcome }) => outcome))
  const refusals = outcomes.filter(({ line }) => line.includes('library-in-use'))
  if (refusals.length !== 1 || !outcomes.some(({ line }) => line.startsWith('{"url"'))) wrong += 1
  times.push(...refusals.map(({ ms }) => ms))
  for (const { child } of both) child.kill('SIGKILL')
  await Promise.all(both.map(({ ended }) => ended))
}

let unanswered = 0
for (let race = 0; race < RACES; race++) unanswered += await raceBridges(tempFolder())

report([
  figure.atLeast('pairs', PAIRS, 1),
  figure.zero('pairs of which not exactly one served', wrong),
  figure.atLeast('races of twelve bridges', RACES, 1),
  {
    ...figure.zero('calls of theirs that were not answered', unanswered),
    value: `${unanswered} of ${RACES * BRIDGES}`
  },
  figure.atMost('the other says so, p99', percentile(times, 0.99), 1000, 'ms')
])

function launchService(data: string) {
  const begun = performance.now()
  const args = ['serve', '--json', '--port', '0', '--no-fetch', '--data', data]
  const launched = launchEarmark(args, { env: withoutKeychain, afterwards: () => {} })
  const outcome = launched.firstLine.then((line = '') => ({ line, ms: performance.now() - begun }))
  return { child: launched.child, ended: launched.ended, outcome }
}

/** Returns how many calls were not answered. */
async function raceBridges(data: string): Promise<number> {
  const key = await makeKey(data)
  const stranger = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const { port } = stranger.address() as AddressInfo
  if (!options.plant) stranger.close()
  const file = join(data, 'service.json')
  // The id of this process stands for that of a killed service, which stays in use until its parent reads its exit code.
  const left = { url: `http://127.0.0.1:${port}`, token: 'of the killed one', pid: process.pid }
  writeFileSync(file, JSON.stringify({ ...left, folder: realpathSync(data) }))
  const { body } = toolRequest(key, 'bookmarks.search', { search: 'anything' })
  const answers = await Promise.all(
    Array.from({ length: BRIDGES }, async () => {
      const env = { ...withoutKeychain, EARMARK_KEY: key }
      const bridge = launchEarmark(['mcp-stdio', '--data', data], { env, input: true, afterwards: () => {} })
      bridge.child.stdin.end(`${body}\n`)
      return (await bridge.ended).stdout
    })
  )
  stranger.close()
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number }
  if (pid !== process.pid) process.kill(pid, 'SIGTERM')
  // Each bridge may have started a service, and those that did not serve end by themselves.
  if (!(await until(() => !isServed(data), 20_000))) throw new Error('A service that a bridge started has not ended.')
  return answers.filter((answer) => !answer.includes('There are no bookmarks yet.')).length
}
