import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandOf } from '../real/packaged-app.ts'

test('the smoke test runs Windows commands through the console executable', () => {
  const app = { executable: 'C:\\dist\\win-unpacked\\Earmark.exe', kind: 'real Electron' } as const
  const file = 'C:\\dist\\win-unpacked\\bin\\earmark.cmd'
  expect(commandOf(app, 'win32')).toEqual(['cmd.exe', '/d', '/c', 'call', file])
  const mac = { ...app, executable: '/dist/mac/Earmark.app/Contents/MacOS/Earmark' }
  expect(commandOf(mac, 'darwin')).toEqual([mac.executable])
})

test('the smoke test’s legacy encodings decode to their words', () => {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, '../real/encodings.cjs')], {
    encoding: 'utf8'
  })
  const { misread, seen } = JSON.parse(stdout)
  expect(misread).toEqual([])
  expect(seen['words-en']).toContain('3.14|')
})
