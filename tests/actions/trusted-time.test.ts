import { expect, test } from 'vitest'
import { forgetOld, trustedTime } from '../../src-main/actions/housekeeping.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { link, PRIVATE, quickPorts, START, testPorts } from './ports.ts'

const DAY_MS = 86_400_000

/** A library with a bookmark that was deleted at the start. */
async function withTrash() {
  const ports = await testPorts()
  const [saved] = await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  await ports.library.changeBookmarks([saved?.id ?? ''], { kind: 'delete' }, START)
  const trash = async () => (await ports.library.countByKind()).trash
  return { ports, trash }
}

test('a clock that jumps ahead is trusted after three days', async () => {
  const { ports, trash } = await withTrash()
  const leap = START + 3650 * DAY_MS
  for (const time of [leap, leap + DAY_MS, leap + 3 * DAY_MS - 1]) {
    ports.clock.time = time
    await forgetOld(ports)
    expect(await trash()).toBe(1)
  }
  ports.clock.time = leap + 3 * DAY_MS
  await forgetOld(ports)
  expect(await trash()).toBe(0)
})

test('a clock that is set back is trusted, its next jump is not', async () => {
  const { ports, trash } = await withTrash()
  for (const time of [START + 900 * DAY_MS, START + DAY_MS, START + 901 * DAY_MS]) {
    ports.clock.time = time
    await forgetOld(ports)
  }
  expect(await trash()).toBe(1)
})

test('a steady clock purges bookmarks after 30 days', async () => {
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

test('a new library trusts the clock', async () => {
  const ports = quickPorts()
  expect(await trustedTime(ports)).toBe(START)
  expect(await ports.library.readClock()).toEqual({ known: START, leapt: null })
})

test('an invalid stored time is ignored', async () => {
  const ports = quickPorts()
  await ports.library.noteClock({ known: Number.NaN, leapt: null })
  expect(await trustedTime(ports)).toBe(START)
})

test('the ledger keeps its calls when the clock jumps', async () => {
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
