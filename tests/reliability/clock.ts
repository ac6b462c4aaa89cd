/**
 * Moves the clock that the service sees years ahead, back, and ahead again, and checks that nothing is deleted permanently:
 * the trash and the backups. Then machines synchronize whose clocks are hours, days or a year apart. A library
 * loaded into the service with LD_PRELOAD moves the clock, also for SQLite.
 *
 * The planted fault is a trash that was emptied.
 */
import { runJson } from '../support/earmark.ts'
import {
  type Ask,
  askAsOwner,
  compilePreload,
  type Figure,
  figure,
  options,
  report,
  start,
  tempFolder,
  total
} from './harness.ts'
import { comparisonFigures, Group, type Machine } from './machines.ts'

const LEAPS = options.n(8)
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
/** Pages that both machines have before the clock of one is wrong. */
const PAGE = 'https://shared.example/page'
const OTHER_PAGE = 'https://shared.example/other-page'

const library = compilePreload('clock-shift.c')
const shifted = (seconds: number) => ({ LD_PRELOAD: library, EARMARK_CLOCK_SHIFT: String(seconds) })
report([...(await leap()), ...(await synchronizeAcrossClocks())])

async function leap(): Promise<Figure[]> {
  const data = tempFolder()
  const withClock = async <Result>(seconds: number, work: (ask: Ask) => Promise<Result>) => {
    const service = await start(data, shifted(seconds))
    try {
      return await work(await askAsOwner(service))
    } finally {
      await service.end('SIGTERM')
    }
  }
  const count = (seconds: number) =>
    withClock(seconds, async (ask) => ({
      trash: await total(ask, 'trash=true'),
      backups: ((await ask('/backups')) as unknown[]).length
    }))
  await withClock(0, async (ask) => {
    for (let page = 0; page < 50; page++) {
      await ask('/bookmarks/captures', { type: 'link', url: `https://a.example/${page}`, title: 'A', tags: [] })
    }
    await ask('/bookmarks/changes', { all: {}, change: { kind: 'delete' } })
  })
  await runJson(data, ['backup'])
  const before = await count(0)
  if (options.plant) await withClock(0, (ask) => ask('/trash', undefined, 'DELETE'))
  let losses = 0
  for (let number = 0; number < LEAPS; number++) {
    const days = number % 2 === 0 ? 365 * (number + 1) : -30 * number
    const now = await count(days * DAY_S)
    if (JSON.stringify(now) !== JSON.stringify(before)) losses += 1
  }
  return [
    figure.atLeast('leaps', LEAPS, 1),
    figure.atLeast('bookmarks in the trash', before.trash, 50),
    figure.zero('leaps after which something was gone', losses)
  ]
}

async function synchronizeAcrossClocks(): Promise<Figure[]> {
  const lost = (await countLostEdits(12 * HOUR_S)) + (await countLostEdits(-12 * HOUR_S))
  const [hours, year] = [await aheadOnce(30 * HOUR_S), await aheadOnce(365 * DAY_S)]
  return [
    figure.zero('edits lost between clocks 12 hours apart', lost),
    figure.zero('clocks ahead by 30 hours that are not told by name', hours.isNamed ? 0 : 1),
    figure.zero('clocks ahead by a year that are waited for', year.isNamed ? 1 : 0),
    figure.zero('changes that do not come to the machine that was ahead', hours.missing + year.missing),
    figure.zero('clocks that are waited for longer', hours.late + year.late),
    ...comparisonFigures({ lost: hours.lost + year.lost, differ: hours.differ + year.differ }, ', synchronized')
  ]
}

/** Both machines change different fields of a page, and then the same field, each after it has received the other's edit. */
async function countLostEdits(seconds: number): Promise<number> {
  const { one, two } = await makePair()
  let lost = 0
  await withClocks([one, two], [0, seconds], async () => {
    const expectOnBoth = async (title: string) => {
      for (const machine of [one, two, one, two]) await machine.syncNow()
      for (const machine of [one, two]) {
        const page = await find(machine, PAGE)
        if (page.title !== title) lost += 1
        if (page.description !== 'of two') lost += 1
      }
    }
    await edit(one, PAGE, { title: 'of one' })
    await edit(two, PAGE, { description: 'of two' })
    await expectOnBoth('of one')
    await edit(two, PAGE, { title: 'later, of two' })
    await expectOnBoth('later, of two')
    await edit(one, PAGE, { title: 'later, of one' })
    await expectOnBoth('later, of one')
  })
  return lost
}

/**
 * The second machine's clock is ahead while that machine saves a page and edits another, and then right. The first waits for
 * those changes, and names the machine, until their time is no more than a day ahead. Meanwhile the second receives what the
 * first changes; of a field that both edited, the edit from ahead stays. At the end both are the same. A machine whose clock
 * is a year ahead notices that, so no machine waits for its changes.
 */
async function aheadOnce(seconds: number) {
  const group = await makePair()
  const { one, two } = group
  await withClocks([two], [seconds], async () => {
    await two.savePage('https://ahead.example/')
    await edit(two, PAGE, { title: 'from ahead' })
    await two.syncNow()
  })
  let isNamed = false
  let missing = 0
  await withClocks([one, two], [0, 0], async () => {
    await two.savePage('https://right-again.example/')
    await one.savePage('https://meanwhile.example/')
    for (const url of [PAGE, OTHER_PAGE]) await edit(one, url, { title: 'meanwhile' })
    await two.syncNow()
    const waiting = await one.syncNow()
    await two.syncNow()
    isNamed = waiting.some((text) => text.includes('The clock of “two” is more than a day ahead'))
    const hasPage = Boolean(await find(two, 'https://meanwhile.example/'))
    if (!hasPage || (await find(two, OTHER_PAGE)).title !== 'meanwhile') missing = 1
  })
  const allowed = seconds - DAY_S + HOUR_S
  let late = 0
  await withClocks([one, two], [allowed, allowed], async () => {
    for (const machine of [two, one, two]) await machine.syncNow()
    late = (await one.syncNow()).length
  })
  return { isNamed, missing, late, ...(await group.compare()) }
}

/** Creates two machines that have both pages. */
async function makePair(): Promise<Group> {
  const folder = tempFolder()
  const group = await Group.create([folder, folder])
  const { one, two } = group
  await withClocks([one], [0], async () => {
    for (const url of [PAGE, OTHER_PAGE]) await one.savePage(url)
    await one.syncNow()
  })
  await withClocks([two], [0], () => two.syncNow())
  return group
}

/** Runs services whose clocks are this many seconds ahead until the work is done. */
async function withClocks(machines: Machine[], seconds: number[], work: () => Promise<unknown>): Promise<void> {
  try {
    for (const [index, machine] of machines.entries()) await machine.start(shifted(seconds[index] ?? 0))
    await work()
  } finally {
    for (const machine of machines) await machine.end('SIGTERM')
  }
}

interface Page {
  id: string
  title: string
  description: string
}

async function find({ ask }: Machine, url: string): Promise<Page> {
  return ((await ask(`/bookmarks/saved?url=${encodeURIComponent(url)}`)) as { bookmark: Page }).bookmark
}

async function edit(machine: Machine, url: string, change: object): Promise<void> {
  await machine.ask(`/bookmarks/${(await find(machine, url)).id}`, change, 'PATCH')
}
