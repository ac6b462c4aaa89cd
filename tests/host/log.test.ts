import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Problem } from '../../src-main/contract/problem.ts'
import { logBug, logSlow } from '../../src-main/host/log.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a bug is written down, for its owner’s eyes only', () => {
  const folder = tempFolder()
  logBug(folder)(new Error('boom'))
  expect(readFileSync(join(folder, 'earmark.log'), 'utf8')).toMatch(/"message":"boom"/)
  expect(statSync(join(folder, 'earmark.log')).mode & 0o777).toBe(0o600)
})

test('a problem that somebody was told of is not', () => {
  const folder = tempFolder()
  logBug(folder)(new Problem('disk-full', 'The disk is full.'))
  expect(existsSync(join(folder, 'earmark.log'))).toBe(false)
})

test('a log that cannot be written stops nobody', () => {
  expect(() => logBug(join(tempFolder(), 'gone'))(new Error('boom'))).not.toThrow()
})

test('a large log makes room for a new one', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'earmark.log'), 'x'.repeat(1024 * 1024 + 1))
  logBug(folder)(new Error('boom'))
  expect(statSync(join(folder, 'earmark.log')).size).toBeLessThan(10_000)
  expect(statSync(join(folder, 'earmark.log.old')).size).toBe(1024 * 1024 + 1)
})

test('slow calls are written down by their names where a limit asks for it, and not otherwise', () => {
  const folder = tempFolder()
  for (const none of [undefined, '', 'no', '-1']) expect(logSlow(folder, none)).toBeUndefined()
  const slow = logSlow(folder, '40')
  expect(slow?.most).toBe(40)
  slow?.onSlow('searchBookmarks', 57)
  expect(readFileSync(join(folder, 'earmark.log'), 'utf8')).toMatch(/"call":"searchBookmarks","ms":57,"msg":"slow"/)
})
