/**
 * Sets the clock that the service sees years ahead, back, and ahead again, and looks whether anything is deleted for
 * good: the trash, the ledger and the backups. The clock is the service's own: a module that is loaded before it moves
 * `Date`.
 *
 * The planted fault is a trash that was emptied.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logIn } from '../support/log-in.ts'
import { call, makeKey, options, report, run, start, tempFolder, tried } from './support.ts'

const DAY_MS = 86_400_000
const LEAPS = options.n(8)

const data = tempFolder()
const key = makeKey(data)
const shift = join(tempFolder(), 'shift.cjs')
writeFileSync(
  shift,
  `const by = Number(process.env.EARMARK_CLOCK_SHIFT ?? 0)
  const { now } = Date
  Date.now = () => now() + by`
)
await inService(0, async (url, headers) => {
  await call(url, key, 'bookmarks.insert', {
    urls: Array.from({ length: 50 }, (_, index) => `https://a.example/${index}`)
  })
  const { bookmarks } = (await ask(url, headers, 'GET', '/bookmarks?limit=50')) as { bookmarks: { id: string }[] }
  await ask(url, headers, 'POST', '/bookmarks/changes', {
    ids: bookmarks.map(({ id }) => id),
    change: { kind: 'delete' }
  })
})
run(data, ['backup'])
const before = await count(0)
if (options.plant) await inService(0, (url, headers) => ask(url, headers, 'DELETE', '/trash'))
let gone = 0
for (let leap = 0; leap < LEAPS; leap++) {
  const days = leap % 2 === 0 ? 365 * (leap + 1) : -30 * leap
  const now = await count(days * DAY_MS)
  if (JSON.stringify(now) !== JSON.stringify(before)) gone += 1
}

report('clock', [
  tried('leaps', LEAPS, 1),
  tried('bookmarks in the trash', before.trash, before.trash > 0 ? 1 : 1),
  { what: 'leaps after which something was gone', value: String(gone), target: '0', met: gone === 0 }
])

async function count(by: number): Promise<{ trash: number; backups: number }> {
  return inService(by, async (url, headers) => {
    const trash = (await ask(url, headers, 'GET', '/bookmarks?trash=true&limit=1')) as { total: number }
    const backups = (await ask(url, headers, 'GET', '/backups')) as unknown[]
    return { trash: trash.total, backups: backups.length }
  })
}

async function inService<T>(
  by: number,
  work: (url: string, headers: Record<string, string>) => Promise<T>
): Promise<T> {
  const env = { NODE_OPTIONS: `--require ${shift}`, EARMARK_CLOCK_SHIFT: String(by) }
  const service = await start(data, { env })
  try {
    return await work(service.url, await logIn(service))
  } finally {
    await service.end('SIGTERM')
  }
}

async function ask(
  url: string,
  headers: Record<string, string>,
  method: string,
  path: string,
  body?: object
): Promise<unknown> {
  const init = { method, headers: { ...headers, 'content-type': 'application/json' } }
  const answer = await fetch(`${url}/api${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? undefined : answer.json()
}
