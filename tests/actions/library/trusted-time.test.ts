import { expect, test } from 'vitest'
import { forgetOld } from '../../../src-main/actions/bookmarks/purge-trash.ts'
import { trustedTime } from '../../../src-main/actions/library/trusted-time.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'
import { link, PRIVATE, quickPorts, START, testPorts } from '../ports.ts'

const DAY_MS = 86_400_000

/** A library that was used at the start, with a bookmark in the trash. */
async function withTrash() {
  const ports = await testPorts()
  const [saved] = await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  await ports.library.changeBookmarks([saved?.id ?? ''], { kind: 'delete' }, START)
  const trash = async () => (await ports.library.countByKind()).trash
  return { ports, trash }
}

test('a clock that leaps ahead deletes nothing, until it has gone on for three days', async () => {
  const { ports, trash } = await withTrash()
  const leap = START + 3650 * DAY_MS
  for (const at of [leap, leap + DAY_MS, leap + 3 * DAY_MS - 1]) {
    ports.clock.time = at
    await forgetOld(ports)
    expect(await trash()).toBe(1)
  }
  ports.clock.time = leap + 3 * DAY_MS
  await forgetOld(ports)
  expect(await trash()).toBe(0)
})

test('a clock that was set right again is believed, and its next leap is not', async () => {
  const { ports, trash } = await withTrash()
  for (const at of [START + 900 * DAY_MS, START + DAY_MS, START + 901 * DAY_MS]) {
    ports.clock.time = at
    await forgetOld(ports)
  }
  expect(await trash()).toBe(1)
})

test('a clock that goes on day by day deletes what is 30 days old', async () => {
  const { ports, trash } = await withTrash()
  for (let day = 0; day <= 30; day += 1) {
    ports.clock.time = START + day * DAY_MS
    await forgetOld(ports)
    expect(await trash()).toBe(1)
  }
  ports.clock.time += 1
  await forgetOld(ports)
  expect(await trash()).toBe(0)
})

test('a library that knows no time takes the clock’s', async () => {
  const ports = quickPorts()
  expect(await trustedTime(ports)).toBe(START)
  expect(await ports.library.readClock()).toEqual({ known: START, leapt: null })
})

test('a note of the clock that cannot be read is none', async () => {
  const ports = quickPorts()
  await ports.library.noteClock({ known: Number.NaN, leapt: null })
  expect(await trustedTime(ports)).toBe(START)
})

test('the ledger keeps its calls over a leap', async () => {
  const clock = { time: START }
  const service = await testService({ now: () => clock.time })
  const key = await makeKey(service)
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
  clock.time += 400 * DAY_MS
  await callTool(service, key, 'bookmarks.search', {})
  const [{ id }] = (await (await callApi(service, 'GET', '/keys')).json()) as [{ id: string }]
  const calls = async () => ((await (await callApi(service, 'GET', `/keys/${id}/calls`)).json()) as unknown[]).length
  await expect.poll(calls).toBe(2)
})
