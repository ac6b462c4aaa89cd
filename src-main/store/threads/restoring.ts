import { restoreLibraryFile } from '../files/restore-library-file.ts'
import type { Work } from './work.ts'

function restores(file: string) {
  return { restore: (backup: string, now: number) => restoreLibraryFile(file, backup, now) }
}

export type Restores = ReturnType<typeof restores>

/** Puts backups in the place of a library. */
export function openRestoring(file: string): Work {
  return { calls: restores(file), close() {} }
}
