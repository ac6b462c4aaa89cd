import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { HighlightRequest } from '../../../src-main/contract/highlight.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { clockTime } from '../../../src-main/core/sync.ts'
import { salvageLibrary } from '../../../src-main/store/doctor/salvage-library.ts'
import { imported, link, note, openedLibrary, PAGE, PRIVATE, settle, titles, within } from '../library.ts'
import {
  asDevice,
  contents,
  type Device,
  exchange,
  newDevice,
  receive,
  removeOld,
  savePicture,
  send
} from './devices.ts'

function save(device: Device, url: string, more: Parameters<typeof link>[1] = {}): string {
  return device.saveBookmarks(PRIVATE, [link(url, more)])[0]?.id ?? ''
}

test('another device gets all bookmarks, with tags, dates and organization, and finds them', () => {
  const here = newDevice((library) => {
    const { rowId } = library.createOrganization('Acme', 500)
    library.saveBookmarks(PRIVATE, [
      link('https://a.example/', { title: 'From before', tags: ['Read', 'work/client'], createdAt: 100 }),
      note({ content: 'a thought' })
    ])
    library.saveBookmarks(within(rowId), [link('https://b.example/', { title: 'Of Acme' })])
  })
  const there = newDevice()
  save(here, 'https://c.example/', { title: 'Saved since', description: 'words' })
  exchange([here, there])
  expect(contents(there)).toEqual(contents(here))
  settle(there)
  expect(titles(there, { words: 'before' })).toEqual(['From before'])
  expect(titles(there, { words: 'words' })).toEqual(['Saved since'])
  expect(there.readSync()).toMatchObject({ devices: [{ device: here.device, name: 'a machine' }] })
  expect(there.countUnsent()).toBe(0)
})

test('edits of different fields are all kept, and of one field the later one', () => {
  const [here, there] = [newDevice(), newDevice()]
  const id = save(here, 'https://a.example/', { title: 'old', tags: ['gone', 'stays'] })
  exchange([here, there])
  here.editBookmark(id, { title: 'earlier' }, 2000)
  here.editBookmark(id, { tags: ['stays', 'new'] }, 2001)
  send(here)
  there.editBookmark(id, { description: 'there', title: 'later' }, 2002)
  exchange([here, there])
  expect(contents(here)).toEqual(contents(there))
  expect(contents(here).bookmarks).toMatchObject([{ title: 'later', description: 'there', tags: '["new","stays"]' }])
})

test('a page saved on both devices becomes one bookmark with the tags of both', () => {
  const [here, there] = [newDevice(), newDevice()]
  save(here, 'https://a.example/?utm_source=x', { title: 'Here', tags: ['one'] })
  save(there, 'https://a.example/', { tags: ['two'], createdAt: 900 })
  exchange([here, there])
  expect(contents(here)).toEqual(contents(there))
  expect(contents(here).bookmarks).toMatchObject([{ title: 'Here', tags: '["one","two"]', createdAt: 900 }])
  expect(save(here, 'https://a.example/')).toBe(contents(there).bookmarks[0]?.id)
})

const quotes = (device: Device, id: string) =>
  (device.readHighlights([id]).get(id) ?? []).map(({ quote, note }) => `${quote}: ${note}`).sort()

test('highlights of both devices are kept, the later change of one wins, and the place of reading follows', () => {
  const [here, there] = [newDevice(), newDevice()]
  const id = save(here, 'https://a.example/')
  const mark = (device: Device, highlight: string, quote: string, note: string, at: number) =>
    device.saveHighlight(id, { ...HighlightRequest.parse({ quote, note }), id: highlight }, at)
  mark(here, 'a', 'one', '', 1500)
  mark(here, 'b', 'two', '', 1501)
  mark(here, 'e', 'two', '', 1502)
  exchange([here, there])
  expect(quotes(there, id)).toEqual(['one: ', 'two: ', 'two: '])
  here.deleteHighlight(id, 'e', 1999)
  mark(here, 'c', 'three', '', 2000)
  mark(here, 'a', 'one', 'here', 2001)
  mark(there, 'd', 'four', '', 2000)
  there.deleteHighlight(id, 'b', 2001)
  there.saveReadingPlace(id, { block: 4, share: 0.25 })
  exchange([here, there])
  expect(quotes(here, id)).toEqual(['four: ', 'one: here', 'three: '])
  expect(contents(here)).toEqual(contents(there))
  expect(here.readReadingPlace(id)).toEqual({ block: 4, share: 0.25 })
  const late = newDevice()
  for (const device of [here, there]) send(device, 0)
  exchange([here, there, late])
  expect(contents(late)).toEqual(contents(here))
  settle(late)
  expect(titles(late, { words: 'is:highlighted' })).toHaveLength(1)
})

test('a page that both devices highlighted before they met has the highlights of both', () => {
  const [here, there] = [newDevice(), newDevice()]
  for (const [device, quote] of [
    [here, 'one'],
    [there, 'two']
  ] as const) {
    const id = save(device, 'https://a.example/')
    device.saveHighlight(id, { ...HighlightRequest.parse({ quote }), id: quote }, 2000)
  }
  exchange([here, there])
  expect(quotes(here, contents(here).bookmarks[0]?.id ?? '')).toEqual(['one: ', 'two: '])
  expect(contents(here)).toEqual(contents(there))
})

test('copies of a page stay on the devices that saved them, when it becomes one bookmark', () => {
  const [here, there] = [newDevice(), newDevice()]
  for (const [device, digit] of [
    [here, 'a'],
    [there, 'b']
  ] as const) {
    const id = save(device, 'https://a.example/')
    device.saveCopy(id, { hash: digit.repeat(64), size: 9, savedAt: 1 })
  }
  exchange([here, there])
  const { id = '' } = contents(here).bookmarks[0] ?? {}
  expect(here.findCopy(id)?.hash).toBe('a'.repeat(64))
  expect(there.findCopy(id)?.hash).toBe('b'.repeat(64))
})

test('a page saved as a link on one device and an image on another is the same on all', () => {
  const [here, there, third] = [newDevice(), newDevice(), newDevice()]
  exchange([here, there, third])
  for (const id of ['a', 'b']) {
    const [one, other] = id === 'a' ? [here, there] : [there, here]
    const url = `https://a.example/${id}.png`
    one.saveBookmarks(PRIVATE, [link(url)])
    other.saveBookmarks(PRIVATE, [{ ...link(url), type: 'image' }])
  }
  send(there)
  for (const device of [third, here]) receive(device, [there])
  exchange([here, there, third])
  for (const device of [there, third]) expect(contents(device)).toEqual(contents(here))
})

test('deletions and purges are synchronized, and a bookmark restored meanwhile stays', () => {
  const [here, there] = [newDevice(), newDevice()]
  const [trashed, purged, back] = ['a', 'b', 'c'].map((name) => save(here, `https://${name}.example/`))
  exchange([here, there])
  here.changeBookmarks([trashed, purged, back] as string[], { kind: 'delete' }, 2000)
  exchange([here, there])
  expect(contents(there).bookmarks.every(({ deletedAt }) => deletedAt === 2000)).toBe(true)
  here.changeBookmarks([purged, back] as string[], { kind: 'purge' }, 3000)
  send(here)
  there.changeBookmarks([back] as string[], { kind: 'restore' }, 3001)
  exchange([here, there])
  expect(contents(here)).toEqual(contents(there))
  expect(contents(here).bookmarks.map(({ id, deletedAt }) => [id, deletedAt])).toEqual(
    expect.arrayContaining([
      [trashed, 2000],
      [back, null]
    ])
  )
  expect(contents(here).bookmarks).toHaveLength(2)
})

test('a bookmark purged automatically stays if another device had restored it', () => {
  const [here, there] = [newDevice(), newDevice()]
  const [restored, left] = ['a', 'b'].map((name) => save(here, `https://${name}.example/`)) as [string, string]
  here.changeBookmarks([restored, left], { kind: 'delete' }, 2000)
  exchange([here, there])
  there.changeBookmarks([restored], { kind: 'restore' }, 3000)
  here.purgeTrash(2001)
  exchange([here, there])
  expect(contents(here)).toEqual(contents(there))
  expect(contents(here).bookmarks).toMatchObject([{ id: restored, deletedAt: null }])
})

test('a renamed tag and a bookmark tagged meanwhile are both kept, and organizations of one name united', () => {
  const [here, there] = [newDevice(), newDevice()]
  save(here, 'https://a.example/', { tags: ['old'] })
  exchange([here, there])
  here.renameTag('old', 'new', 2000)
  const other = save(there, 'https://b.example/', { tags: ['old'] })
  const mine = here.createOrganization('Acme', 500)
  const theirs = there.createOrganization('acme', 400)
  here.saveBookmarks(within(mine.rowId), [link('https://c.example/')])
  there.changeBookmarks([other], { kind: 'move', place: { owner: theirs.rowId, visibility: 'organization' } }, 2500)
  exchange([here, there])
  expect(contents(here)).toEqual(contents(there))
  expect(
    contents(here)
      .bookmarks.map(({ tags }) => tags)
      .sort()
  ).toEqual(['["new"]', '["old"]', '[]'])
  expect(contents(here).organizations).toHaveLength(1)
})

test('an organization deleted on one device is deleted on the other, unless it got a bookmark there', () => {
  const [here, there] = [newDevice(), newDevice()]
  const [ends, lives] = ['Ends', 'Lives'].map((name) => here.createOrganization(name, 500))
  here.saveBookmarks(within(ends?.rowId ?? 0), [link('https://a.example/')])
  exchange([here, there])
  for (const device of [ends, lives]) here.deleteOrganizationBatch(device?.rowId ?? 0, 'profile', 2000)
  const place = there.listOrganizations().find(({ name }) => name === 'Lives')
  there.saveBookmarks(within(place?.rowId ?? 0), [link('https://b.example/')])
  exchange([here, there])
  expect(contents(here)).toEqual(contents(there))
  expect(contents(there).organizations).toMatchObject([{ name: 'Lives' }])
})

test('an organization whose deletion arrives before it is deleted on all', () => {
  const [here, there, third, late] = [newDevice(), newDevice(), newDevice(), newDevice()]
  here.createOrganization('Acme', 500)
  exchange([here, there])
  const [{ rowId = 0 } = {}] = there.listOrganizations()
  there.deleteOrganizationBatch(rowId, 'profile', 2000)
  send(there)
  receive(third, [there])
  // A snapshot of the third also says that it is deleted.
  send(third, 0)
  receive(late, [third])
  exchange([here, there, third, late])
  for (const device of [here, there, third, late]) expect(contents(device).organizations).toEqual([])
})

test('an organization renamed and deleted before its device joined again is the same on all', () => {
  const [here, there] = [newDevice(), newDevice()]
  const { rowId } = here.createOrganization('Acme', 500)
  exchange([here, there])
  here.renameOrganization(rowId, 'Beta')
  here.deleteOrganizationBatch(rowId, 'profile', 2000)
  for (const device of [here, there]) device.stopSync()
  const [first, second] = [asDevice(here), asDevice(there)]
  exchange([first, second])
  expect(contents(second)).toEqual(contents(first))
  expect(contents(first).organizations).toMatchObject([{ name: 'Beta' }])
})

test('the case of a tag is synchronized, and the title of a page never replaces a typed one', () => {
  const [here, there] = [newDevice(), newDevice()]
  const id = save(here, 'https://a.example/', { tags: ['read'] })
  exchange([here, there])
  here.renameTag('read', 'Read', 2000)
  here.editBookmark(id, { title: 'Typed' }, 2001)
  send(here)
  const due = there.duePage(3000, [])
  if (!due) throw new Error('no page is due')
  there.saveDetails(due, { ...PAGE, title: 'Of the page' }, 3000)
  exchange([here, there])
  expect(there.listTags().map(({ name }) => name)).toEqual(['Read'])
  for (const device of [here, there]) expect(contents(device).bookmarks).toMatchObject([{ title: 'Typed' }])
})

test('a tag spelled in two ways gets the spelling of the latest change', () => {
  for (const order of [0, 1]) {
    const [here, there, late] = [newDevice(), newDevice(), newDevice()]
    save(here, 'https://a.example/', { tags: ['Work'] })
    save(there, 'https://b.example/', { tags: ['WORK'] })
    exchange(order === 0 ? [here, there] : [there, here])
    const names = (device: Device) => device.listTags().map(({ name }) => name)
    expect(names(there)).toEqual(names(here))
    // An unsent change is later than a received one.
    save(there, 'https://c.example/', { tags: [`${names(there)[0]}`] })
    here.renameTag(`${names(here)[0]}`, 'wORK', 3000)
    send(there)
    receive(here, [there])
    expect(names(here)).toEqual(['wORK'])
    exchange([here, there, late])
    for (const device of [here, there, late]) expect(names(device)).toEqual(['wORK'])
  }
})

test('tags from before devices met get one spelling', () => {
  const [here, there] = ['WORK', 'Work'].map((tag) =>
    newDevice((library) => library.saveBookmarks(PRIVATE, [link(`https://a.example/${tag}`, { tags: [tag] })]))
  ) as [Device, Device]
  exchange([here, there])
  for (const device of [here, there]) expect(device.listTags().map(({ name }) => name)).toEqual(['Work'])
})

test('a segment stays the same until it is sent, and reading it again is harmless', () => {
  const [here, there] = [newDevice(), newDevice()]
  save(here, 'https://a.example/', { tags: ['x'] })
  const first = here.nextSegment()
  save(here, 'https://b.example/')
  expect(here.nextSegment()).toEqual(first)
  send(here)
  for (let times = 0; times < 3; times += 1) for (const { records } of here.wrote) there.mergeRecords(records, 1)
  expect(contents(there)).toEqual(contents(here))
  send(there)
  expect(there.wrote).toEqual([])
})

test('a change that arrives before its bookmark waits for it', () => {
  const [first, second, third] = [newDevice(), newDevice(), newDevice()]
  const id = save(first, 'https://a.example/', { title: 'first' })
  exchange([first, second])
  second.editBookmark(id, { title: 'second', tags: ['early'] }, 2000)
  send(second)
  receive(third, [second])
  expect(contents(third).bookmarks).toEqual([])
  receive(third, [first])
  expect(contents(third).bookmarks).toMatchObject([{ title: 'second', tags: '["early"]' }])
})

test('an imported library is synchronized, and a device that continues as another sends everything again', () => {
  const [here, there, late] = [newDevice(), newDevice(), newDevice()]
  const begun = here.beginImport(1000)
  const drafts = Array.from({ length: 300 }, (_, at) => link(`https://a.example/${at}`, { tags: ['in', `${at % 7}`] }))
  here.importBookmarks(begun, [packDrafts(drafts.map((draft) => imported(draft)))])
  const id = save(here, 'https://gone.example/')
  exchange([here, there])
  here.changeBookmarks([id], { kind: 'delete' }, 2000)
  here.changeBookmarks([id], { kind: 'purge' }, 2001)
  here.becomeDevice('f'.repeat(32))
  const renamed: Device = { ...here, device: 'f'.repeat(32), wrote: [] }
  send(renamed)
  receive(there, [renamed])
  receive(late, [renamed])
  expect(contents(there)).toEqual(contents(here))
  expect(contents(late)).toEqual(contents(here))
})

test('after sync is stopped nothing is recorded', () => {
  const here = newDevice()
  save(here, 'https://a.example/')
  here.setSyncPaused(true)
  expect(here.nextSegment()).toBeUndefined()
  here.stopSync()
  save(here, 'https://b.example/')
  expect(here.readSync()).toBeUndefined()
  const tables = ['state', 'devices', 'log', 'clocks', 'unsent', 'early', 'aliases', 'outbox']
  for (const table of tables) expect(here.db.prepare(`SELECT * FROM sync_${table}`).all()).toEqual([])
})

test('a library rebuilt by the doctor has no changes to send, and continues as another device that reads everything again', () => {
  const here = newDevice()
  save(here, 'https://a.example/', { tags: ['x'] })
  send(here)
  save(here, 'https://b.example/')
  here.close()
  salvageLibrary(dirname(here.file), 5000)
  const salvaged = openedLibrary(here.file)
  expect(salvaged.readSync()).toMatchObject({ devices: [{ device: here.device, upTo: -1 }] })
  expect(salvaged.countUnsent()).toBe(1)
})

test('bookmarks lost by damage return from the device’s own files, and are sent to new devices', () => {
  let lost = ''
  const here = newDevice((library) => {
    library.saveBookmarks(PRIVATE, [link('https://kept.example/')])
    lost = library.saveBookmarks(PRIVATE, [link('https://lost.example/')])[0]?.id ?? ''
  })
  const there = newDevice()
  exchange([here, there])
  here.db.exec('UPDATE sync_state SET merging = 1')
  here.db.prepare('DELETE FROM bookmarks WHERE public_id = ?').run(lost)
  here.db.exec('UPDATE sync_state SET merging = 0')
  here.close()
  expect(salvageLibrary(dirname(here.file), 5000)).toBeDefined()
  const device = 'f'.repeat(32)
  const salvaged = { ...here, ...openedLibrary(here.file), device, wrote: [], snapshot: undefined, parts: [] }
  salvaged.becomeDevice(device)
  send(salvaged)
  const late = newDevice()
  for (const device of [late, salvaged]) receive(device, [salvaged, there, here])
  for (const device of [late, salvaged]) expect(contents(device)).toEqual(contents(there))
})

test('an import under the id of a united bookmark makes a bookmark of its own', () => {
  for (const isUndone of [false, true]) {
    const [here, there] = [newDevice(), newDevice()]
    const [stays = '', goes = ''] = [here, there].map((one) => save(one, 'https://a.example/')).sort()
    exchange([here, there])
    const owner = here.createOrganization('Acme', 2000).rowId
    here.changeBookmarks([stays], { kind: 'move', place: { owner, visibility: 'organization' } }, 2000)
    exchange([here, there])
    const begun = here.beginImport(3000)
    here.importBookmarks(begun, [packDrafts([{ ...imported(link('https://a.example/')), id: goes }])])
    expect(contents(here).bookmarks).toHaveLength(2)
    if (isUndone) here.db.prepare('DELETE FROM bookmarks WHERE public_id = ?').run(goes)
    exchange([here, there])
    expect(contents(here)).toEqual(contents(there))
    expect(contents(here).bookmarks).toHaveLength(isUndone ? 1 : 2)
  }
})

test('a snapshot replaces all earlier files of its device and of those it has read', () => {
  const [here, there] = [newDevice(), newDevice()]
  const [kept, purged] = [save(here, 'https://kept.example/'), save(there, 'https://purged.example/')]
  exchange([here, there])
  there.editBookmark(kept, { tags: ['from', 'there'] }, 2000)
  there.changeBookmarks([purged], { kind: 'delete' }, 2000)
  there.changeBookmarks([purged], { kind: 'purge' }, 2001)
  exchange([here, there])
  send(here, 0)
  removeOld(here)
  const late = newDevice()
  save(late, 'https://late.example/')
  // The files of the other device are still missing.
  receive(late, [here])
  expect(contents(late).bookmarks).toHaveLength(2)
  expect(late.readSync()?.devices.map(({ device, upTo }) => [device, upTo])).toEqual(
    expect.arrayContaining([[there.device, there.wrote.length]])
  )
  exchange([here, there, late])
  for (const device of [here, there]) expect(contents(device)).toEqual(contents(late))
})

test('a snapshot is due after a number of segments, and never while one is being written', () => {
  const here = newDevice()
  for (const number of [1, 2, 3]) {
    save(here, `https://a.example/${number}`)
    send(here)
  }
  expect(here.snapshot?.[0]?.after).toBe(0)
  here.beginSnapshot(4)
  expect(here.nextPart()).toBeUndefined()
  here.beginSnapshot(3)
  here.beginSnapshot(0)
  const part = here.nextPart()
  expect(part).toMatchObject({ after: 3, part: 1, isLast: true, upTo: 3 })
  expect(here.nextPart()).toEqual(part)
  if (part) for (let times = 0; times < 2; times += 1) here.partSent(part, 1)
  expect(here.nextPart()).toBeUndefined()
  expect(here.readSync()?.snapshot).toEqual({ after: 3, at: 1 })
})

test('a large library is sent in parts, which can be read any number of times', () => {
  const here = newDevice((library) => {
    for (let from = 0; from < 4500; from += 1500) {
      library.saveBookmarks(
        PRIVATE,
        Array.from({ length: 1500 }, (_, index) => link(`https://a.example/${from + index}`, { tags: ['all'] }))
      )
    }
  })
  const there = newDevice()
  send(here)
  expect(here.snapshot?.map(({ records }) => records.length)).toEqual([2000, 2000, 500])
  for (const { records } of here.snapshot ?? []) {
    expect(there.insertUnknown(records, 1)).toEqual([])
    expect(there.insertUnknown(records, 1)).toHaveLength(records.length)
  }
  exchange([here, there])
  expect(contents(there)).toEqual(contents(here))
})

test('bookmarks from snapshots can be removed again only after the device left', () => {
  const here = newDevice((library) => library.saveBookmarks(PRIVATE, [link('https://a.example/')]))
  const there = newDevice()
  save(there, 'https://own.example/')
  send(here)
  receive(there, [here])
  const [joined] = there.listImports()
  expect(joined).toMatchObject({ imported: 1 })
  expect(() => there.undoBatch({ import: joined?.id ?? 0 }, 9000)).toThrow('Leave first')
  there.stopSync()
  expect(there.undoBatch({ import: joined?.id ?? 0 }, 9000)).toMatchObject({ undone: 1 })
})

test('a change by a clock that is ahead is dated now, and the next change wins', () => {
  const [here, there] = [newDevice(), newDevice()]
  const id = save(here, 'https://a.example/', { title: 'old' })
  exchange([here, there])
  const now = Date.now()
  here.editBookmark(id, { title: 'of next year' }, now)
  here.db.exec(`UPDATE sync_log SET at = ${now + 365 * 86_400_000}`)
  expect(here.stampChanges(now)).toBe(false)
  send(here)
  receive(there, [here])
  there.editBookmark(id, { title: 'of today' }, now)
  there.db.exec(`UPDATE sync_log SET at = ${now + 1}`)
  exchange([here, there])
  expect(contents(here).bookmarks).toMatchObject([{ title: 'of today' }])
  const clocks = here.db.prepare('SELECT max(clock) FROM sync_clocks').pluck().get()
  expect(clockTime(String(clocks))).toBeLessThanOrEqual(now + 1)
})

test('after the bookmarks of one snapshot were purged, those of another arrive', () => {
  const here = newDevice()
  const [first, second] = ['a', 'b'].map((name) =>
    newDevice((library) => library.saveBookmarks(PRIVATE, [link(`https://${name}.example/`)]))
  ) as [Device, Device]
  exchange([here, first])
  const [{ id = '' } = {}] = contents(here).bookmarks
  for (const kind of ['delete', 'purge'] as const) here.changeBookmarks([id], { kind }, 2000)
  exchange([here, second])
  expect(contents(here).bookmarks).toMatchObject([{ url: 'https://b.example/' }])
})

test('a picture purged and saved again is the new one on all devices', () => {
  for (let time = 0; time < 8; time += 1) {
    const [here, there] = [newDevice(), newDevice()]
    savePicture(here, 1)
    exchange([here, there])
    const [{ id = '' } = {}] = contents(here).bookmarks
    for (const kind of ['delete', 'purge'] as const) here.changeBookmarks([id], { kind }, 2000)
    savePicture(here, 1)
    exchange([here, there])
    expect(contents(there)).toEqual(contents(here))
  }
})
