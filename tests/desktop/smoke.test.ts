import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandOf } from '../real/packaged-app.ts'

test('the smoke runs commands on Windows through the file whose output can be read', () => {
  const app = { executable: 'C:\\dist\\win-unpacked\\Earmark.exe', kind: 'real Electron' } as const
  const file = 'C:\\dist\\win-unpacked\\bin\\earmark.cmd'
  expect(commandOf(app, 'win32')).toEqual(['cmd.exe', '/d', '/c', 'call', file])
  const mac = { ...app, executable: '/dist/mac/Earmark.app/Contents/MacOS/Earmark' }
  expect(commandOf(mac, 'darwin')).toEqual([mac.executable])
})

test('each word of the smoke’s legacy encodings is what its bytes say', () => {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, '../real/encodings.cjs')], {
    encoding: 'utf8'
  })
  const { misread, seen } = JSON.parse(stdout)
  expect(misread).toEqual([])
  expect(seen['words-en']).toContain('3.14|')
})
