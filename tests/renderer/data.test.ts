// Data of the dashboard: when it is fetched again, stores, and pauses.

import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient, refetch, refetchSoon } from '../../src-renderer/api/events.ts'
import { createStore } from '../../src-renderer/lib/store.ts'
import { pause } from '../../src-renderer/lib/waiting.ts'

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
  const refreshed = refetch(['tags'])
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
  const refreshed = refetch('all')
  answers[1]?.resolve('after')
  await refreshed
  expect([shown(), answers.length]).toEqual(['after', 2])
  hide()
})

test('changes that follow each other are fetched one after the other; a list that is held is fetched after a change of this page', async () => {
  const { answers, hide } = showTags()
  answers[0]?.resolve('first')
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  const hold = { isHeld: vi.fn(() => false), end: vi.fn() }
  const queryFn = vi.fn(async () => 'list')
  const listKey = ['bookmarks', 'list'] as const
  const list = new QueryObserver(queryClient, { queryKey: listKey, queryFn, meta: { hold } })
  const hideList = list.subscribe(() => {})
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledOnce())
  hold.isHeld.mockReturnValue(true)
  for (let change = 0; change < 5; change++) void refetchSoon('bookmarks')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  void refetchSoon('tags')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(answers).toHaveLength(2)
  answers[1]?.resolve('second')
  await vi.waitFor(() => expect(answers).toHaveLength(3))
  answers[2]?.resolve('third')
  expect(queryFn).toHaveBeenCalledOnce()
  expect(hold.end).not.toHaveBeenCalled()
  hold.end.mockImplementation(() => void hold.isHeld.mockReturnValue(false))
  await refetch(['searches'])
  expect(queryFn).toHaveBeenCalledOnce()
  void refetch(['bookmarks'])
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2))
  hide()
  hideList()
})

test('a refetch does not repeat a first request that failed', async () => {
  const { answers, hide } = showTags()
  const refreshed = refetch(['tags'])
  answers[0]?.reject(new Error('no'))
  await refreshed
  expect(answers).toHaveLength(1)
  hide()
})

test('subscribers of a store are called for each new value until they unsubscribe', () => {
  const store = createStore('a')
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
