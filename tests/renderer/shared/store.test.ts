import { expect, test } from 'vitest'
import { storeOf } from '../../../src-renderer/shared/store.ts'

test('whoever follows a store hears of each change, and what it is then', () => {
  const store = storeOf('a')
  const heard: string[] = []
  store.subscribe(() => heard.push(store.get()))
  store.set('b')
  store.set('c')
  expect(heard).toEqual(['b', 'c'])
})

test('the same value again is no change', () => {
  const store = storeOf<string | undefined>(undefined)
  let changes = 0
  store.subscribe(() => {
    changes += 1
  })
  store.set(undefined)
  expect(changes).toBe(0)
})

test('who no longer follows hears nothing, and the others still do', () => {
  const store = storeOf(0)
  const heard: string[] = []
  const leave = store.subscribe(() => heard.push('first'))
  store.subscribe(() => heard.push('second'))
  leave()
  store.set(1)
  expect(heard).toEqual(['second'])
})
