/**
 * Starts two services on one library at the same moment: one serves, the other says so and ends, and no row is lost.
 *
 * The planted fault is a lock that locks nothing: each gets a folder of its own.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

const figures: Figure[] = [
  tried('pairs', PAIRS, 1),
  { what: 'pairs of which not exactly one served', value: String(wrong), target: '0', met: wrong === 0 },
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
