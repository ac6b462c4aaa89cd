/**
 * Kills the service while four clients insert over HTTP, again and again, and looks for every row that was acknowledged.
 *
 * The planted fault is a service that answers before its transaction is on disk: one whose library is set back to a copy from
 * shortly before the kill.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callTool, makeKey } from '../support/earmark.ts'
import { figure, options, percentile, random, report, start, tempFolder, until } from './harness.ts'

const KILLS = options.n(200)
const CLIENTS = 4
const PARTS = ['library.sqlite', 'library.sqlite-wal']

const data = tempFolder()
const key = await makeKey(data)
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
  // Every other kill may come while the writing thread starts. Before the others something is acknowledged.
  const { size } = acknowledged
  if (round % 2 === 0) await until(() => acknowledged.size > size, 10_000, 5)
  await sleep(30 + random.share() * 120)
  await service.end('SIGKILL')
  await Promise.all(inserting)
  if (options.plant) for (const part of PARTS) setBack(part)
}
const last = await start(data)
lost += await countLost(last.url)
await last.end('SIGTERM')

report([
  figure.atLeast('kills', KILLS, 1),
  figure.atLeast('acknowledged inserts', acknowledged.size, KILLS),
  figure.zero('acknowledged rows lost', lost),
  figure.atMost('restart p99', percentile(starts, 0.99), 500, 'ms')
])

async function insert(url: string, name: string): Promise<void> {
  for (let number = 0; ; number++) {
    const address = `https://crash-${name}.example/${number}`
    const answer = await callTool(url, key, 'bookmarks.insert', { urls: address }).catch(() => undefined)
    if (!answer) return
    if (answer.payload.saved === 1) acknowledged.add(address)
  }
}

/** Counts pages of the last round that are missing: inserting one again saves it. */
async function countLost(url: string): Promise<number> {
  const all = [...acknowledged].slice(checked)
  checked = acknowledged.size
  let missing = 0
  for (let offset = 0; offset < all.length; offset += 500) {
    const { payload } = await callTool(url, key, 'bookmarks.insert', { urls: all.slice(offset, offset + 500) })
    missing += Number(payload.saved)
  }
  return missing
}

function setBack(part: string): void {
  const before = join(data, `${part}.before`)
  rmSync(join(data, part), { force: true })
  if (existsSync(before)) copyFileSync(before, join(data, part))
}
