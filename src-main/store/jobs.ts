import { dirname } from 'node:path'
import type { Finding } from '../contract/doctor.ts'
import { openReadConnection } from '../database/connection.ts'
import { checkLibraryFile, isWhole } from '../database/library-file.ts'
import { restoreLibraryFile } from '../database/restore.ts'
import { doctorLibrary } from './doctor/doctor-library.ts'
import type { Work } from './thread-work.ts'

/** Jobs on whole files. Each takes seconds for a large file, so each runs on its own thread. */
const JOBS = {
  restore: restoreLibraryFile,
  check: checkLibraryFile,
  examine: (file: string, now: number): Finding[] => doctorLibrary(dirname(file), false, now, true).findings,
  isWhole(file: string): boolean {
    const db = openReadConnection(file)
    try {
      return isWhole(db)
    } finally {
      db.close()
    }
  }
}

export type Jobs = typeof JOBS

export function openJobs(): Work {
  const jobs: Record<string, ((...args: never[]) => unknown) | undefined> = JOBS
  return { call: (name, args) => jobs[name]?.(...args), close() {} }
}
