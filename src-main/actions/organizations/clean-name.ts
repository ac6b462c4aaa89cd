import { Problem } from '../../contract/problem.ts'
import { cleanText } from '../../core/clean-text.ts'

/** Longest name of a key or an organization, in UTF-16 code units. */
const LONGEST = 80

/**
 * A name as it is stored and shown: one line, without characters that hide in it or reorder it.
 *
 * @param what the name belongs to, with its article
 * @throws Problem `invalid` when nothing of the name is left
 */
export function cleanName(name: string, what: string): string {
  const clean = cleanText(name, LONGEST)
  if (clean === '') throw new Problem('invalid', `${what} needs a name.`)
  return clean
}
