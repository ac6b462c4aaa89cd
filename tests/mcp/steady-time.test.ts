import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { inSteadyTime } from '../../src-main/mcp/steady-time.ts'

/** Runs work of this duration with fake timers. @returns the time of its answer, in ms */
async function answeredAfter(milliseconds: number, fails = false): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  try {
    const begun = performance.now()
    const answer = inSteadyTime(async () => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      if (fails) throw new Error('failed')
      return 'done'
    }).then(
      (value) => ({ value, at: performance.now() - begun }),
      ({ message }) => ({ value: message, at: performance.now() - begun })
    )
    for (let passed = 0; passed < 200; passed++) {
      await vi.advanceTimersByTimeAsync(1)
      await nextTurn() // inSteadyTime reads the clock once in each turn of the event loop
    }
    expect((await answer).value).toBe(fails ? 'failed' : 'done')
    return (await answer).at
  } finally {
    vi.useRealTimers()
  }
}

test.for([
  [0, 16],
  [1, 16],
  [15, 16],
  [17, 32],
  [40, 64],
  [100, 128]
] as const)('work of %d ms is answered after %d ms, also if it fails', async ([takes, answered]) => {
  expect(await answeredAfter(takes)).toBe(answered)
  expect(await answeredAfter(takes, true)).toBe(answered)
})

test('work that blocks the thread is still answered at a multiple of 16 ms', async () => {
  const begun = performance.now()
  await inSteadyTime(async () => {
    await wait(1)
    while (performance.now() - begun < 8);
  })
  expect(performance.now() - begun).toBeGreaterThanOrEqual(16)
})

test('work that blocks the thread past a time of answer causes no warning', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  try {
    await inSteadyTime(async () => {
      const begun = performance.now()
      while (performance.now() - begun < 40);
      await wait(20)
    })
    await nextTurn()
  } finally {
    process.off('warning', note)
  }
  expect(warnings).toEqual([])
})
