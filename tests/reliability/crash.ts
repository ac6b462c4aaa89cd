/**
 * Kills the service while four clients insert over HTTP, again and again, and looks for every row that was acknowledged.
 *
 * The planted fault is a service that answers before its transaction is on disk: one whose library is set back to what
 * it was a moment before the kill.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { randomFrom } from '../support/random.ts'
import { below, call, kept, makeKey, options, percentile, report, start, tempFolder, tried } from './support.ts'

const KILLS = options.n(200)
const CLIENTS = 4
const PARTS = ['library.sqlite', 'library.sqlite-wal']

const data = tempFolder()
const key = makeKey(data)
const next = randomFrom(options.seed)
const acknowledged = new Set<string>()
const starts: number[] = []
let lost = 0
let checked = 0

for (let round = 0; round < KILLS; round++) {
  const service = await start(data)
  starts.push(service.startMs)
  lost += await countLost(service.url)
  if (options.plant) for (const part of PARTS) copyFileSync(join(data, part), join(data, `${part}.before`))
  const inserting = Array.from({ length: CLIENTS }, (_, client) => insert(service.url, `${round}-${client}`))
  // Every other kill may come while the writing thread starts; in between something was acknowledged before.
  if (round % 2 === 0) await acknowledgedMore()
  await setTimeout(30 + next() * 120)
  await service.end('SIGKILL')
  await Promise.all(inserting)
  if (options.plant) for (const part of PARTS) setBack(part)
}
const last = await start(data)
lost += await countLost(last.url)
await last.end('SIGTERM')

report('crash', [
  tried('kills', KILLS, 1),
  tried('acknowledged inserts', acknowledged.size, KILLS),
  kept(lost),
  below('restart p99', percentile(starts, 0.99), 500, 'ms')
])

async function insert(url: string, name: string): Promise<void> {
  for (let number = 0; ; number++) {
    const address = `https://crash-${name}.example/${number}`
    const answer = await call(url, key, 'bookmarks.insert', { urls: address }).catch(() => undefined)
    if (!answer) return
    if (answer.payload.saved === 1) acknowledged.add(address)
  }
}

/** Waits for an insert to be acknowledged, a while at most: the report says how many were. */
async function acknowledgedMore(): Promise<void> {
  const before = acknowledged.size
  for (const end = Date.now() + 10_000; acknowledged.size === before && Date.now() < end; ) await setTimeout(5)
}

/** Those of the round before that are not there: inserting one again says so. */
async function countLost(url: string): Promise<number> {
  const all = [...acknowledged].slice(checked)
  checked = acknowledged.size
  let missing = 0
  for (let at = 0; at < all.length; at += 500) {
    const { payload } = await call(url, key, 'bookmarks.insert', { urls: all.slice(at, at + 500) })
    missing += Number(payload.saved)
  }
  return missing
}

function setBack(part: string): void {
  const before = join(data, `${part}.before`)
  rmSync(join(data, part), { force: true })
  if (existsSync(before)) copyFileSync(before, join(data, part))
}
