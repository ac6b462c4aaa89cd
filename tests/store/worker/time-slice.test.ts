import { expect, test } from 'vitest'
import { timeSlices } from '../../../src-main/store/worker/time-slice.ts'

/** Holds the thread. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('what comes together is done in several turns, in order, and other work gets its turn between', async () => {
  const turn = timeSlices(4)
  const done: (number | string)[] = []
  const other = () => done.push('other')
  setImmediate(() => setImmediate(() => setImmediate(other)))
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      turn(() => {
        work(3)
        done.push(index)
      })
    )
  )
  expect(done.filter((one) => one !== 'other')).toEqual(Array.from({ length: 12 }, (_, index) => index))
  expect(done.indexOf('other')).toBeGreaterThan(0)
  expect(done.indexOf('other')).toBeLessThan(12)
})

test('one alone is done at once', () => {
  let done = false
  void timeSlices(4)(() => {
    done = true
  })
  expect(done).toBe(true)
})

test('work that fails fails its own call, and the next one is done', async () => {
  const turn = timeSlices(4)
  const failing = turn(() => {
    work(5)
    throw new Error('no')
  })
  const next = turn(() => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
