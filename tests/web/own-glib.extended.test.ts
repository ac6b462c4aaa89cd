import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runs } from '../support/runs.ts'

const program = join(import.meta.dirname, '../../out/tests/shrink-many.js')

const PICTURES = runs(60, 300)

/** Where Debian, Fedora and Arch have libraries. */
const FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']

function find(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((file) => existsSync(file))
}

// What Electron brings along on Linux: the system's GLib, and an allocator that stands in front of the C library's.
test.for([
  ['the system’s GLib', ['libgobject-2.0.so.0']],
  ['the system’s GLib and another allocator', ['libc_malloc_debug.so.0', 'libgobject-2.0.so.0']]
] as const)('pictures beside %s: no complaint, and memory stays', ([, names], { skip }) => {
  const files = names.map(find)
  skip(files.includes(undefined), `needs ${names} of a glibc system`)
  const env = { ...process.env, LD_PRELOAD: files.join(' '), MALLOC_CHECK_: '3', NODE_OPTIONS: '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, String(PICTURES)], { encoding: 'utf8', env })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  console.log(`${PICTURES} pictures: grew by ${stdout.trim()} MB`)
  expect(Number(stdout)).toBeLessThan(40)
})
