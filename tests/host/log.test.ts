import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Problem } from '../../src-main/contract/problem.ts'
import { lastErrors, logBug } from '../../src-main/host/log.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a bug is logged in a file that only its owner can read', () => {
  const folder = tempFolder()
  logBug(folder)(new Error('boom'))
  expect(readFileSync(join(folder, 'earmark.log'), 'utf8')).toMatch(/"message":"boom"/)
  expect(statSync(join(folder, 'earmark.log')).mode & 0o777).toBe(0o600)
})

test('a problem is not logged', () => {
  const folder = tempFolder()
  logBug(folder)(new Problem('disk-full', 'The disk is full.'))
  expect(existsSync(join(folder, 'earmark.log'))).toBe(false)
})

test('a log that cannot be written throws nothing', () => {
  expect(() => logBug(join(tempFolder(), 'gone'))(new Error('boom'))).not.toThrow()
})

test('a log over 1 MiB is renamed, and a new one begins', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'earmark.log'), 'x'.repeat(1024 * 1024 + 1))
  logBug(folder)(new Error('boom'))
  expect(statSync(join(folder, 'earmark.log')).size).toBeLessThan(10_000)
  expect(statSync(join(folder, 'earmark.log.old')).size).toBe(1024 * 1024 + 1)
})

test('the last errors are read without their messages and without folders', () => {
  const folder = tempFolder()
  expect(lastErrors(folder)).toEqual([])
  const log = logBug(folder)
  for (let count = 0; count < 6; count++) log(new Error('an earlier error'))
  const secret = 'https://secret.example/ “My title”\n    at home (/home/ada/secret.js:1:2)'
  log(Object.assign(new TypeError(secret), { code: 'ERR_X' }))
  writeFileSync(join(folder, 'earmark.log'), '{"cut', { flag: 'a' })
  const errors = lastErrors(folder)
  expect(errors).toHaveLength(4)
  expect(errors[0]).toMatchObject({ at: expect.stringMatching(/^\d{4}-.*Z$/), name: 'TypeError ERR_X' })
  expect(errors[0]?.stack[0]).toMatch(/^log\.test\.ts:\d+:\d+$/)
  expect(JSON.stringify(errors)).not.toMatch(/secret|ada|title|earlier|[\\/]/)
})
