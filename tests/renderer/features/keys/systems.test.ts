import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandLine, systemOf } from '../../../../src-renderer/features/keys/systems.ts'

test.for([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macos'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'powershell'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
  ['', 'linux']
] as const)('%s is told the commands of its system', ([userAgent, system]) => {
  expect(systemOf(userAgent)).toBe(system)
})

test('plain words stay as they are', () => {
  const words = ['earmark', 'connect', 'cursor', '--key-id', 'k-1']
  for (const system of ['macos', 'linux', 'powershell', 'cmd'] as const) {
    expect(commandLine(words, system)).toBe('earmark connect cursor --key-id k-1')
  }
})

test('a POSIX shell reads every word as it was', () => {
  const words = ["it's", '{"a":"b c"}', '$HOME', '`id`', 'back\\slash', '~/x', '', 'a&b;c']
  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${commandLine(words, 'linux')}`]).toString()
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})

test('Windows gets paths with spaces in quotes, and PowerShell calls them', () => {
  const words = ['C:\\Program Files\\Earmark\\Earmark.exe', 'connect', '--data', "D:\\it's mine\\"]
  expect(commandLine(words, 'cmd')).toBe(
    '"C:\\Program Files\\Earmark\\Earmark.exe" connect --data "D:\\it\'s mine\\\\"'
  )
  expect(commandLine(words, 'powershell')).toBe(
    "& 'C:\\Program Files\\Earmark\\Earmark.exe' connect --data 'D:\\it''s mine\\\\'"
  )
  expect(commandLine(['C:\\Earmark\\earmark.exe', 'serve'], 'powershell')).toBe('C:\\Earmark\\earmark.exe serve')
})
