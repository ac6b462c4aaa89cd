import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DAILY, EXTENDED, expectMet } from '../reliability/short-form.ts'

test.for(Object.entries(DAILY))('%s meets its targets in its short form', { timeout: 120_000 }, ([name, n]) =>
  expectMet(name, n)
)

test('each reliability test is a command of its own', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const names = Object.keys({ ...DAILY, ...EXTENDED }).map((name) => `node tests/reliability/run.js ${name}`)
  expect(Object.values(scripts)).toEqual(expect.arrayContaining(names))
})
