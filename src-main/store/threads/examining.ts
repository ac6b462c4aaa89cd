import { dirname } from 'node:path'
import type { Finding } from '../../contract/doctor.ts'
import { doctorLibrary } from '../doctor/doctor-library.ts'
import { firefoxPlaces } from '../files/firefox-places.ts'
import type { Work } from './work.ts'

function examines(file: string) {
  return {
    examine: (now: number): Finding[] => doctorLibrary(dirname(file), false, now, true).findings,
    /** The bookmarks in another file, a Firefox profile's database. */
    places: (places: string): string => firefoxPlaces(places)
  }
}

export type Examines = ReturnType<typeof examines>

/** Looks through a library that somebody has open, or through another program's, and changes nothing. */
export function openExamining(file: string): Work {
  return { calls: examines(file), close() {} }
}
