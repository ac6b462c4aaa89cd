import { test } from 'vitest'
import { DAILY, expectMet } from '../reliability/short-form.ts'

test.for(Object.entries(DAILY))('%s meets its targets in its short form', { timeout: 120_000 }, ([name, n]) =>
  expectMet(name, n)
)
