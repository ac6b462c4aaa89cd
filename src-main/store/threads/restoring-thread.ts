/** The thread that puts a backup in the place of a library: copying and looking through a large one takes seconds. */
import { restoreLibraryFile } from '../files/restore-library-file.ts'
import { serveCalls } from './serve-calls.ts'

function restores(file: string) {
  return { restore: (backup: string, now: number) => restoreLibraryFile(file, backup, now) }
}

export type Restores = ReturnType<typeof restores>

serveCalls((file) => ({ calls: restores(file), close() {} }))
