import { expect, test } from 'vitest'
import { createOwnTests } from '../../../src-main/actions/keys/own-tests.ts'

const sent = (value: string | undefined) => (name: string) => (name === 'x-earmark-test' ? value : undefined)

test('a request is of a test as long as that runs, and by its token alone', () => {
  const tests = createOwnTests()
  expect(tests.isOne(sent(''))).toBe(false)
  const [first, second] = [tests.begin(), tests.begin()]
  expect(second).not.toBe(first)
  expect([first, second].map((token) => tests.isOne(sent(token)))).toEqual([true, true])
  for (const made of [undefined, '', 'AAAAAAAAAAAAAAAAAAAAAA', `${first},${second}`]) {
    expect(tests.isOne(sent(made))).toBe(false)
  }
  tests.end(first)
  expect(tests.isOne(sent(first))).toBe(false)
  expect(tests.isOne(sent(second))).toBe(true)
  tests.end(second)
  expect(tests.isOne(sent(second))).toBe(false)
})
