import { describe, test } from 'vitest'
import { DAILY, EXTENDED, expectFound, expectMet } from '../reliability/short-form.ts'
import { runs } from '../support/runs.ts'

const ALL = Object.keys({ ...DAILY, ...EXTENDED })

describe('each reliability test', { timeout: 300_000 }, () => {
  test.for(Object.entries(EXTENDED))('%s meets its targets in its short form', ([name, n]) => expectMet(name, n))

  test.for(runs(['instance', 'powerloss', 'ssrf'], ALL))('%s finds the fault that is planted', (name) =>
    expectFound(name)
  )
})
