import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createEventStream } from '../../src-main/server/routes/events.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

const OPENING = 'retry: 1000\n: open\n\n'

/** A stream whose session lives, with what has been read of it. */
function opened({ isAlive = async () => true, onEnd = () => {} } = {}) {
  const stream = createEventStream(isAlive, onEnd)
  const reader = stream.body.getReader()
  return { ...stream, read: () => textOf(reader), reader }
}

async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value)
}

test('the first change is told at once, those soon after it together', async () => {
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

test('during many changes it sends at most four times a second, and loses no count', async () => {
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

test('for a reader that takes nothing it holds sums and no queue', async () => {
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
  expect(saved.reduce((sum, one) => sum + one, 0)).toBe(100_000)
})

test('a reader sees every 20 seconds that the stream is alive', async () => {
  const { read } = opened()
  await read()
  const next = read()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await next).toBe(': ping\n\n')
})

test('the stream ends when its session has, and says so once', async () => {
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

test('the stream ends when it cannot be told whether its session lives', async () => {
  const { reader } = opened({ isAlive: () => Promise.reject(new Error('the library is closed')) })
  await reader.read()
  const next = reader.read()
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await next).done).toBe(true)
})

test('a reader that takes nothing for a minute is given up', async () => {
  const onEnd = vi.fn()
  const { tell } = createEventStream(async () => true, onEnd)
  tell({ kind: 'calls' })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(onEnd).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2000)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('a reader that leaves ends the stream; telling it more, or ending it again, is no trouble', async () => {
  const onEnd = vi.fn()
  const { reader, tell, end } = opened({ onEnd })
  await reader.cancel()
  tell({ kind: 'calls' })
  end()
  expect(onEnd).toHaveBeenCalledOnce()
})
