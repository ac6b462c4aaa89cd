import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../contract/backup.ts'
import { syncFolder, syncLargeFile } from './file-sync.ts'

/** The folder of backups beside the library. */
export function backupFolder(data: string) {
  const folder = join(data, 'backups')

  function factsOf(name: string): Backup {
    const path = join(folder, name)
    const { mtimeMs, size } = statSync(path)
    return { name, path, at: Math.round(mtimeMs), bytes: size }
  }

  return {
    /**
     * A backup appears whole, checked and on disk, or not at all.
     *
     * @param copy writes the library to a file
     * @param check throws where that is damaged
     */
    async make(
      name: string,
      copy: (file: string) => Promise<unknown>,
      check: (file: string) => Promise<unknown>
    ): Promise<Backup> {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `${name}.tmp`)
      rmSync(draft, { force: true })
      try {
        await copy(draft)
        await syncLargeFile(draft)
        await check(draft)
        renameSync(draft, join(folder, name))
      } catch (error) {
        rmSync(draft, { force: true })
        throw error
      }
      syncFolder(folder)
      return factsOf(name)
    },
    /** Newest first. */
    list(): Backup[] {
      const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
      return names
        .filter((name) => name.endsWith('.sqlite'))
        .map(factsOf)
        .toSorted((one, other) => other.at - one.at || (one.name < other.name ? 1 : -1))
    },
    remove(name: string): void {
      rmSync(join(folder, name), { force: true })
    }
  }
}
