import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readServiceFile, writeServiceFile } from '../../src-main/host/service-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

const FACTS = { url: 'http://127.0.0.1:1', token: 'secret', pid: process.pid }

/** A folder on a full disk of its own; `undefined` if this user may not mount one. */
function fullFolder(): string | undefined {
  const folder = mkdtempSync('/tmp/earmark-full-')
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4096,nr_inodes=10', 'tmpfs', folder]).status === 0
  onTestFinished(() => {
    if (mounted) execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  if (mounted) spawnSync('sh', ['-c', `head -c 4096 /dev/zero > ${join(folder, 'filler')}`])
  return mounted ? folder : undefined
}

test('the file exists while the service runs', async () => {
  const folder = tempFolder()
  const { written, end } = await writeServiceFile(folder, FACTS)
  expect(written).toBe(true)
  expect(readServiceFile(folder)).toMatchObject(FACTS)
  end()
  expect(readServiceFile(folder)).toBeUndefined()
})

test.each([
  ['invalid JSON', '{'],
  ['null', 'null'],
  ['no token', JSON.stringify({ url: FACTS.url, pid: FACTS.pid })],
  ['a process id that is a string', JSON.stringify({ ...FACTS, pid: String(FACTS.pid) })],
  ['a folder that is a number', JSON.stringify({ ...FACTS, folder: 1 })]
])('a file with %s names no service', (_, text) => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'service.json'), text)
  expect(readServiceFile(folder)).toBeUndefined()
})

test('on a full disk the file is written as soon as there is space', async (context) => {
  const folder = fullFolder()
  if (!folder) return context.skip('only root may mount a disk to fill')
  const { written, end } = await writeServiceFile(folder, FACTS, 50)
  onTestFinished(end)
  expect(written).toBe(false)
  expect(readServiceFile(folder)).toBeUndefined()
  rmSync(join(folder, 'filler'))
  await expect.poll(() => readServiceFile(folder)).toMatchObject(FACTS)
  expect(readFileSync(join(folder, 'service.json'), 'utf8')).toContain('secret')
})
