import { type Ask, type Figure, tempFolder } from './support.ts'
import { beginSync, compare, exportOf, figuresOf, joinSync, none, savePage } from './sync-machines.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** Pages that both machines have before one of their clocks is wrong. */
const PAGE = 'https://shared.example/page'
const OTHER_PAGE = 'https://shared.example/other-page'

/** Works with a service on a library whose clock is so many seconds ahead. */
type At = <Result>(data: string, seconds: number, work: (ask: Ask) => Promise<Result>) => Promise<Result>

/** Synchronizes two machines whose clocks are hours apart, or of which one is ahead by more than a day for a while. */
export async function synchronizeAcrossClocks(at: At): Promise<Figure[]> {
  const lost = (await editsLostApart(at, 12 * HOUR_S)) + (await editsLostApart(at, -12 * HOUR_S))
  const [hours, year] = [await aheadOnce(at, 30 * HOUR_S), await aheadOnce(at, 365 * DAY_S)]
  return [
    none('edits lost between clocks 12 hours apart', lost),
    none('clocks ahead by 30 hours that are not told by name', hours.told === 1 ? 0 : 1),
    none('clocks ahead by a year that are waited for', year.told),
    none('changes that do not come to the machine that was ahead', hours.missing + year.missing),
    none('clocks that are waited for longer', hours.late + year.late),
    ...figuresOf({ lost: hours.lost + year.lost, differ: hours.differ + year.differ }).map((figure) => ({
      ...figure,
      what: `${figure.what}, synchronized`
    }))
  ]
}

/** Both change different fields of one page, and then the same field, each once it has seen what the other did. */
async function editsLostApart(at: At, seconds: number): Promise<number> {
  const { one, two } = await makePair(at)
  return at(one, 0, (here) =>
    at(two, seconds, async (there) => {
      let lost = 0
      const expectBoth = async (title: string) => {
        for (const ask of [here, there, here, there]) await syncNow(ask)
        for (const ask of [here, there]) {
          const found = await find(ask, PAGE)
          if (found.title !== title) lost += 1
          if (found.description !== 'of two') lost += 1
        }
      }
      await edit(here, PAGE, { title: 'of one' })
      await edit(there, PAGE, { description: 'of two' })
      await expectBoth('of one')
      await edit(there, PAGE, { title: 'later, of two' })
      await expectBoth('later, of two')
      await edit(here, PAGE, { title: 'later, of one' })
      await expectBoth('later, of one')
      return lost
    })
  )
}

/**
 * The second machine's clock is ahead while it saves a page and edits another, and then right. The first waits for it, by
 * name, until the time of those changes is no more than a day ahead. What the first does meanwhile comes to the second; of
 * a field that both edited, the edit from ahead stays. At the end both are the same. A clock a year ahead is noticed by the
 * machine itself, so nobody waits for its changes.
 */
async function aheadOnce(at: At, seconds: number) {
  const { one, two } = await makePair(at)
  const acknowledged = new Set([PAGE, OTHER_PAGE])
  const save = async (ask: Ask, name: string) => {
    const url = `https://${name}.example/`
    if (await savePage(ask, url)) acknowledged.add(url)
    return url
  }
  await at(two, seconds, async (there) => {
    await save(there, 'ahead')
    await edit(there, PAGE, { title: 'from ahead' })
    await syncNow(there)
  })
  const [told, missing] = await at(one, 0, (here) =>
    at(two, 0, async (there) => {
      await save(there, 'right-again')
      const saved = await save(here, 'meanwhile')
      for (const url of [PAGE, OTHER_PAGE]) await edit(here, url, { title: 'meanwhile' })
      await syncNow(there)
      const waiting = await syncNow(here)
      await syncNow(there)
      const isTold = waiting.some((text) => text.includes('The clock of “two” is more than a day ahead'))
      const isThere = (await find(there, saved)) && (await find(there, OTHER_PAGE)).title === 'meanwhile'
      return [isTold ? 1 : 0, isThere ? 0 : 1]
    })
  )
  const allowed = seconds - DAY_S + HOUR_S
  const late = await at(one, allowed, (here) =>
    at(two, allowed, async (there) => {
      for (const ask of [there, here, there]) await syncNow(ask)
      return (await syncNow(here)).length
    })
  )
  return { told, missing, late, ...compare([one, two].map(exportOf), acknowledged) }
}

/** Makes two machines that have both pages. */
async function makePair(at: At): Promise<{ one: string; two: string }> {
  const folder = tempFolder()
  const { data: one, code } = beginSync(folder, 'one')
  const two = joinSync(folder, 'two', code)
  await at(one, 0, async (ask) => {
    for (const url of [PAGE, OTHER_PAGE]) await savePage(ask, url)
    await syncNow(ask)
  })
  await at(two, 0, syncNow)
  return { one, two }
}

/** Returns why something waits. */
async function syncNow(ask: Ask): Promise<string[]> {
  return ((await ask('/sync-now', {})) as { waiting: string[] }).waiting
}

interface Found {
  id: string
  title: string
  description: string
}

async function find(ask: Ask, url: string): Promise<Found> {
  return ((await ask(`/bookmarks/saved?url=${encodeURIComponent(url)}`)) as { bookmark: Found }).bookmark
}

async function edit(ask: Ask, url: string, change: object): Promise<void> {
  await ask(`/bookmarks/${(await find(ask, url)).id}`, change, 'PATCH')
}
