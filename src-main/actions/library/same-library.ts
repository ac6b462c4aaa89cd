import { Problem } from '../../contract/problem.ts'
import type { Library } from '../../store/open-library.ts'

/**
 * For work of many steps, each of which would go on in whatever library is open by then: what was chosen in one must
 * not be done to the backup that took its place.
 *
 * @param told why it ends then
 * @returns called right before each step, or right after one that only reads; throws Problem `taken` once a backup was
 *   restored
 */
export function sameLibrary(
  library: Library,
  told = 'A backup was restored in the meantime, so the rest was not changed.'
): () => void {
  const begun = library.generation()
  return () => {
    if (library.generation() !== begun) throw new Problem('taken', told)
  }
}
