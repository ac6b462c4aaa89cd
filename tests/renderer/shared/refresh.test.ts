import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../src-renderer/shared/query-client.ts'
import { fetchAgain, refresh } from '../../../src-renderer/shared/refresh.ts'

const queryKey = ['tags'] as const

afterEach(() => queryClient.clear())

/** Shows the tags, each answer of which comes when the test says so. */
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

test('a first answer that was on its way during a change is asked for once more', async () => {
  const { answers, hide, shown } = showTags()
  const refreshed = refresh('tags')
  answers[0]?.resolve('before')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.resolve('after')
  await refreshed
  expect(shown()).toBe('after')
  expect(answers).toHaveLength(2)
  hide()
})

test('an answer that is there is asked for once', async () => {
  const { answers, hide, shown } = showTags()
  answers[0]?.resolve('before')
  await vi.waitFor(() => expect(shown()).toBe('before'))
  const refreshed = fetchAgain()
  answers[1]?.resolve('after')
  await refreshed
  expect([shown(), answers.length]).toEqual(['after', 2])
  hide()
})

test('a first answer that failed is left to whoever tries it again', async () => {
  const { answers, hide } = showTags()
  const refreshed = refresh('tags')
  answers[0]?.reject(new Error('no'))
  await refreshed
  expect(answers).toHaveLength(1)
  hide()
})
