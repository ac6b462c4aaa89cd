import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { skip, tempFolder } from './support.ts'

/** A disk of its own, which can be filled. */
export interface SmallDisk {
  folder: string
  /** Fills it up to so many bytes that stay free. */
  fill(room?: number): void
  /** Frees what `fill` took. */
  free(): void
}

/** Mounts a disk in memory until this process ends. */
export function mountSmallDisk(name: string, megabytes: number): SmallDisk {
  const folder = tempFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (mounted.status !== 0) skip(name, `a disk of ${megabytes} MB cannot be mounted here without root`)
  process.prependListener('exit', () => spawnSync('umount', ['-l', folder]))
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(room = 0) {
      for (const piece of [65_536, 4096, 512, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(piece))
        } catch {
          // No more of this size.
        }
      }
      if (room > 0 && existsSync(filler)) truncateSync(filler, Math.max(0, statSync(filler).size - room))
      execFileSync('sync', ['-f', folder])
    },
    free: () => rmSync(filler, { force: true })
  }
}
