import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createQueue } from '../../src-main/core/queue.ts'

test('work runs one at a time, urgent work first, also after a failure', async () => {
  const queue = createQueue()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await setImmediate()
    log.push(`${name} ends`)
    if (name === 'first') throw new Error('the disk is full')
    return name
  }
  const results = Promise.allSettled([
    queue.add(work('first')),
    queue.add(work('second')),
    queue.add(work('urgent'), { urgent: true })
  ])
  await queue.onIdle()
  expect(log).toEqual(['first', 'urgent', 'second'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(await results).toMatchObject([{ status: 'rejected' }, { value: 'second' }, { value: 'urgent' }])
  await queue.onIdle()
  expect(await queue.add(() => 'later')).toBe('later')
})
