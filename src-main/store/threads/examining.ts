import { dirname } from 'node:path'
import type { Finding } from '../../contract/doctor.ts'
import { doctorLibrary } from '../doctor/doctor-library.ts'
import type { Work } from './work.ts'

function examines(file: string) {
  return { examine: (now: number): Finding[] => doctorLibrary(dirname(file), false, now, true).findings }
}

export type Examines = ReturnType<typeof examines>

/** Looks through a library that somebody has open, and changes nothing. */
export function openExamining(file: string): Work {
  return { calls: examines(file), close() {} }
}
