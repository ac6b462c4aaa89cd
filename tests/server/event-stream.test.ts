import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createEventSender } from '../../src-main/server/routes/events.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

const OPENING = 'retry: 1000\n: open\n\n'

/** A sender with a reader that reads at once, or one text after each call of `read`. */
function sending({ isAlive = async () => true, isSlow = false } = {}) {
  const sender = createEventSender()
  const sent: string[] = []
  let read: () => void = () => {}
  const write = (text: string) => {
    sent.push(text)
    if (!isSlow) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    read = resolve
    return promise
  }
  let isOver = false
  void sender.send(write, isAlive).then(() => {
    isOver = true
  })
  return { ...sender, sent, read: () => read(), isOver: () => isOver }
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('the first change is sent at once, the next ones together after 250 ms', async () => {
  const { add, sent } = sending()
  await wait(0)
  add({ kind: 'bookmarks', saved: 1, by: 'Zed' })
  await wait(0)
  expect(sent).toEqual([OPENING, 'data: {"kind":"bookmarks","saved":1,"by":"Zed"}\n\n'])
  for (let count = 0; count < 100; count++) add({ kind: 'bookmarks', saved: 2, by: 'Zed' })
  add({ kind: 'calls' })
  await wait(249)
  expect(sent).toHaveLength(2)
  await wait(1)
  expect(sent[2]).toBe('data: {"kind":"bookmarks","saved":200,"by":"Zed"}\n\ndata: {"kind":"calls"}\n\n')
})

test('many changes are sent four times a second at most, and none is lost from the counts', async () => {
  const { add, sent } = sending()
  for (let ms = 0; ms < 2000; ms += 10) {
    add({ kind: 'bookmarks', saved: 1 })
    await wait(10)
  }
  await wait(250)
  const events = sent.slice(1).map((text) => JSON.parse(text.slice('data: '.length)) as { saved: number })
  expect(events.length).toBeLessThanOrEqual(9)
  expect(events.reduce((sum, { saved }) => sum + saved, 0)).toBe(200)
})

test('for a reader that reads nothing the stream keeps sums instead of a queue', async () => {
  const { add, sent, read } = sending({ isSlow: true })
  for (let index = 0; index < 100_000; index++) add({ kind: 'bookmarks', saved: 1, by: `client ${index}` })
  await wait(1000)
  expect(sent).toEqual([OPENING])
  read()
  await wait(0)
  const events = (sent[1] ?? '').split('\n\n').filter(Boolean)
  expect(events.length).toBeLessThanOrEqual(51)
  const saved = events.map((line) => (JSON.parse(line.slice('data: '.length)) as { saved: number }).saved)
  expect(saved.reduce((sum, count) => sum + count, 0)).toBe(100_000)
})

test('a ping is sent every 20 seconds', async () => {
  const { sent } = sending()
  await wait(40_000)
  expect(sent).toEqual([OPENING, ': ping\n\n', ': ping\n\n'])
})

test.for<[string, () => Promise<boolean>]>([
  ['ends', async () => false],
  ['cannot be checked', () => Promise.reject(new Error('the library is closed'))]
])('the stream ends when its session %s, even while changes are sent', async ([, isAlive]) => {
  const { add, isOver } = sending({ isAlive })
  for (let ms = 0; ms < 21_000; ms += 1000) {
    add({ kind: 'calls' })
    await wait(1000)
  }
  expect(isOver()).toBe(true)
})

test('the stream ends after a minute without progress', async () => {
  const { add, isOver } = sending({ isSlow: true })
  add({ kind: 'calls' })
  await wait(59_000)
  expect(isOver()).toBe(false)
  await wait(2000)
  expect(isOver()).toBe(true)
})

test('an ended stream sends nothing more', async () => {
  const { add, end, sent, isOver } = sending()
  await wait(0)
  end()
  add({ kind: 'calls' })
  await wait(1000)
  expect([sent, isOver()]).toEqual([[OPENING], true])
})
