import type { Ports } from '../ports.ts'

/** Room for all pictures together, in bytes: some 10,000 previews. */
const MOST_BYTES = 256 * 1024 * 1024

/** Makes room among the pictures: those go that no bookmark has, then the oldest. */
export function prunePictures({ library }: Ports): Promise<void> {
  return library.prunePictures(MOST_BYTES)
}
