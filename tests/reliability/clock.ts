/**
 * Sets the clock that the service sees years ahead, back, and ahead again, and looks whether anything is deleted for
 * good: the trash, the ledger and the backups. Then machines synchronize whose clocks are hours, days or a year apart. The
 * clock is the service's own: a library loaded into it with LD_PRELOAD moves it, also for SQLite.
 *
 * The planted fault is a trash that was emptied.
 */
import { synchronizeAcrossClocks } from './clock-sync.ts'
import { compilePreload } from './preload.ts'
import { type Ask, options, report, run, tempFolder, tried } from './support.ts'
import { none, savePage, startMachine, total } from './sync-machines.ts'

const LEAPS = options.n(8)
const DAY_S = 86_400

const library = compilePreload('clock', 'clock-shift.c')
const data = tempFolder()

await at(data, 0, async (ask) => {
  for (let number = 0; number < 50; number++) await savePage(ask, `https://a.example/${number}`)
  await ask('/bookmarks/changes', { all: {}, change: { kind: 'delete' } })
})
run(data, ['backup'])
const before = await count(0)
if (options.plant) await at(data, 0, (ask) => ask('/trash', undefined, 'DELETE'))
let gone = 0
for (let leap = 0; leap < LEAPS; leap++) {
  const days = leap % 2 === 0 ? 365 * (leap + 1) : -30 * leap
  const now = await count(days * DAY_S)
  if (JSON.stringify(now) !== JSON.stringify(before)) gone += 1
}

report('clock', [
  tried('leaps', LEAPS, 1),
  tried('bookmarks in the trash', before.trash, 50),
  none('leaps after which something was gone', gone),
  ...(await synchronizeAcrossClocks(at))
])

async function count(by: number): Promise<{ trash: number; backups: number }> {
  return at(data, by, async (ask) => {
    const backups = (await ask('/backups')) as unknown[]
    return { trash: await total(ask, 'trash=true'), backups: backups.length }
  })
}

/** Works with a service whose clock is so many seconds ahead. */
async function at<Result>(data: string, seconds: number, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const { ask, end } = await startMachine(data, {
    env: { LD_PRELOAD: library, EARMARK_CLOCK_SHIFT: String(seconds) }
  })
  try {
    return await work(ask)
  } finally {
    await end('SIGTERM')
  }
}
