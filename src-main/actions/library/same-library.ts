import type { Library } from '../../contract/library/library.ts'
import { Problem } from '../../contract/problem.ts'

/**
 * For work of many steps, each of which would go on in whatever library is open by then: what was chosen in one must
 * not be done to the backup that took its place.
 *
 * @returns called right before each step; throws Problem `taken` once a backup was restored
 */
export function sameLibrary(library: Library): () => void {
  const begun = library.generation()
  return () => {
    if (library.generation() !== begun) {
      throw new Problem('taken', 'A backup was restored in the meantime, so the rest was not changed.')
    }
  }
}
