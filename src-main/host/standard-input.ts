import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

/**
 * Returns the input of this program. On Windows Electron puts a stream in place of `process.stdin` that is at its end
 * from the start (lib/common/init.ts; electron/electron#4218, #21705); the file descriptor beneath it can be read all
 * the same if it is a pipe or a file, and that is what a program that starts this one gives.
 */
export function standardInput({ stdin }: { stdin: Readable } = process): Readable {
  const closed = process.platform === 'win32' && process.versions.electron !== undefined
  return closed ? createReadStream('', { fd: 0, autoClose: false }) : stdin
}
