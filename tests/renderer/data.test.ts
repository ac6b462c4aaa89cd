// Data of the dashboard: when it is fetched again, stores, and pauses.
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { pause } from '../../src-renderer/shared/pause.ts'
import { queryClient } from '../../src-renderer/shared/query-client.ts'
import { fetchAgain, refresh } from '../../src-renderer/shared/refresh.ts'
import { storeOf } from '../../src-renderer/shared/store.ts'

const queryKey = ['tags'] as const

afterEach(() => queryClient.clear())

/** Shows the tags; the test resolves each request. */
function showTags() {
  const answers: PromiseWithResolvers<string>[] = []
  const queryFn = () => {
    const answer = Promise.withResolvers<string>()
    answers.push(answer)
    return answer.promise
  }
  const hide = new QueryObserver(queryClient, { queryKey, queryFn, retry: false }).subscribe(() => {})
  return { answers, hide, shown: () => queryClient.getQueryData(queryKey) }
}

test('data is fetched again if it changed during the first request', async () => {
  const { answers, hide, shown } = showTags()
  const refreshed = refresh('tags')
  answers[0]?.resolve('before')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.resolve('after')
  await refreshed
  expect([shown(), answers.length]).toEqual(['after', 2])
  hide()
})

test('data that is shown is fetched again once', async () => {
  const { answers, hide, shown } = showTags()
  answers[0]?.resolve('before')
  await vi.waitFor(() => expect(shown()).toBe('before'))
  const refreshed = fetchAgain()
  answers[1]?.resolve('after')
  await refreshed
  expect([shown(), answers.length]).toEqual(['after', 2])
  hide()
})

test('a refresh does not repeat a first request that failed', async () => {
  const { answers, hide } = showTags()
  const refreshed = refresh('tags')
  answers[0]?.reject(new Error('no'))
  await refreshed
  expect(answers).toHaveLength(1)
  hide()
})

test('subscribers of a store are called for each new value until they unsubscribe', () => {
  const store = storeOf('a')
  const received: string[] = []
  const unsubscribe = store.subscribe(() => received.push(`first ${store.get()}`))
  store.subscribe(() => received.push(`second ${store.get()}`))
  store.set('b')
  store.set('b')
  unsubscribe()
  store.set('c')
  expect(received).toEqual(['first b', 'second b', 'second c'])
})

test('a pause ends after its time, or at once when it is aborted', async () => {
  await pause(1, new AbortController().signal)
  const aborting = new AbortController()
  const paused = pause(60_000, aborting.signal)
  aborting.abort()
  await expect(paused).rejects.toMatchObject({ name: 'AbortError' })
})
