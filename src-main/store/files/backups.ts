import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../contract/backup.ts'
import { Problem } from '../../contract/problem.ts'
import { readingFamily } from '../family.ts'
import { syncFolder, syncLargeFile } from './file-sync.ts'

/** Backups that are there. */
export const backups = readingFamily({
  here(_, folder) {
    const { list, remove } = backupFolder(folder)
    return { listBackups: list, removeBackup: remove }
  }
})

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
      makeFolder(folder)
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
      const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
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

/** @throws Problem `data-folder-unusable` where something else has its name */
export function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) {
    throw new Problem(
      'data-folder-unusable',
      'What should be the folder of backups in the data folder is a file, so nothing is backed up. Move it away.'
    )
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}
