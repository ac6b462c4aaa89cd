import { family } from '../family.ts'
import { duplicateMerges } from './duplicate-merges.ts'
import { duplicateReads } from './duplicate-reads.ts'

/** Duplicates. */
export const duplicates = family({
  slow: duplicateReads,
  writes: duplicateMerges,
  emits: { mergeDuplicates: ({ trashed }) => (trashed > 0 ? [{ kind: 'bookmarks' }] : []) }
})
