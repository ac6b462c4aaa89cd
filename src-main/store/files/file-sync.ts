import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Makes a file's bytes last through a power cut. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/** Syncs a large file, whose bytes may take seconds: it holds up nobody. */
export async function syncLargeFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the renames in a folder last that may be far away, and that may know no such call. */
export async function syncSlowFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    await handle.close()
  }
}

/** Makes a rename last through a power cut. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
