import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createEventStream } from '../../src-main/server/routes/events.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

const OPENING = 'retry: 1000\n: open\n\n'

/** An open stream of a live session, and its reader. */
function opened({ isAlive = async () => true, onEnd = () => {} } = {}) {
  const stream = createEventStream(isAlive, onEnd)
  const reader = stream.body.getReader()
  return { ...stream, read: () => textOf(reader), reader }
}

async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value)
}

test('the first change is sent at once, the next ones together after 250 ms', async () => {
  const { tell, read } = opened()
  expect(await read()).toBe(OPENING)
  tell({ kind: 'bookmarks', saved: 1, by: 'Zed' })
  expect(await read()).toBe('data: {"kind":"bookmarks","saved":1,"by":"Zed"}\n\n')
  for (let count = 0; count < 100; count++) tell({ kind: 'bookmarks', saved: 2, by: 'Zed' })
  tell({ kind: 'calls' })
  const next = read()
  await vi.advanceTimersByTimeAsync(250)
  expect(await next).toBe('data: {"kind":"bookmarks","saved":200,"by":"Zed"}\n\ndata: {"kind":"calls"}\n\n')
})

test('many changes are sent four times a second at most, and none is lost from the counts', async () => {
  const { tell, reader } = opened()
  const sent: string[] = []
  void (async () => {
    for (;;) {
      sent.push(await textOf(reader))
    }
  })()
  for (let ms = 0; ms < 2000; ms += 10) {
    tell({ kind: 'bookmarks', saved: 1 })
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(250)
  const events = sent.slice(1).map((text) => JSON.parse(text.slice('data: '.length)) as { saved: number })
  expect(events.length).toBeLessThanOrEqual(9)
  expect(events.reduce((sum, { saved }) => sum + saved, 0)).toBe(200)
})

test('for a reader that reads nothing the stream keeps sums instead of a queue', async () => {
  const { tell, body } = createEventStream(
    async () => true,
    () => {}
  )
  for (let index = 0; index < 100_000; index++) tell({ kind: 'bookmarks', saved: 1, by: `client ${index}` })
  await vi.advanceTimersByTimeAsync(1000)
  const reader = body.getReader()
  await reader.read()
  const events = (await textOf(reader)).split('\n\n').filter(Boolean)
  expect(events.length).toBeLessThanOrEqual(51)
  const saved = events.map((line) => (JSON.parse(line.slice('data: '.length)) as { saved: number }).saved)
  expect(saved.reduce((sum, count) => sum + count, 0)).toBe(100_000)
})

test('a ping is sent every 20 seconds', async () => {
  const { read } = opened()
  await read()
  const next = read()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await next).toBe(': ping\n\n')
})

test('the stream ends with its session, and calls onEnd once', async () => {
  const onEnd = vi.fn()
  let alive = true
  const { reader } = opened({ isAlive: async () => alive, onEnd })
  await reader.read()
  const next = reader.read()
  alive = false
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await next).done).toBe(true)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('the stream ends if its session cannot be checked', async () => {
  const { reader } = opened({ isAlive: () => Promise.reject(new Error('the library is closed')) })
  await reader.read()
  const next = reader.read()
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await next).done).toBe(true)
})

test('the stream ends after a minute without a read', async () => {
  const onEnd = vi.fn()
  const { tell } = createEventStream(async () => true, onEnd)
  tell({ kind: 'calls' })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(onEnd).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2000)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a cancelled stream ends once, whatever is sent afterwards', async () => {
  const onEnd = vi.fn()
  const { reader, tell, end } = opened({ onEnd })
  await reader.cancel()
  tell({ kind: 'calls' })
  end()
  expect(onEnd).toHaveBeenCalledOnce()
})
