import { z } from 'zod'
import type { Bookmark } from './bookmark.ts'
import type { EndedEarly } from './long-work.ts'

const Id = z.string().min(1).max(64)

/** Makes one bookmark of several: which stays, and which go to the trash. */
const Merge = z.strictObject({ keep: Id, others: z.array(Id).min(1).max(100) })
export type Merge = z.infer<typeof Merge>

/** Several merges at once, of different bookmarks. */
export const MergeRequest = z
  .strictObject({ merges: z.array(Merge).min(1).max(200) })
  .refine(({ merges }) => idsOf(merges).length <= 1000, 'merges: at most 1000 bookmarks at once')
  .refine(({ merges }) => new Set(idsOf(merges)).size === idsOf(merges).length, 'merges: name each bookmark once')

/** Merges all duplicates there are. Of each group a bookmark named here stays, or else the one that best stays. */
export const MergeAllRequest = z.strictObject({ keep: z.array(Id).max(1000).default([]) })
export type MergeAllRequest = z.infer<typeof MergeAllRequest>

function idsOf(merges: Merge[]): string[] {
  return merges.flatMap(({ keep, others }) => [keep, ...others])
}

/**
 * Why bookmarks count as the same page: their addresses differ only a little; one of their pages gives another's address
 * as its own; one has moved to the address of another.
 */
export type DuplicateReason = 'near' | 'own' | 'moved'

/** Bookmarks of a group that are shown; once these are merged the others follow. */
export const MOST_IN_GROUP = 50

/** Some of the groups of bookmarks that are nearly the same page. */
export interface Duplicates {
  /** All groups. */
  total: number
  /** False while bookmarks that were saved under older rules are still being compared. */
  settled: boolean
  groups: { why: DuplicateReason; bookmarks: Bookmark[] }[]
}

/**
 * Why bookmarks were not merged: one is gone, or in the trash; one is of another page or another owner; together they
 * have more tags than a bookmark can.
 */
export type UnmergedReason = 'missing' | 'in-trash' | 'other-page' | 'too-many-tags'

/** Result of merging duplicates. `undo` names the step that takes all merges back; `null` if nothing was merged. */
export interface MergeReport extends EndedEarly {
  merged: number
  /** Bookmarks that went to the trash. */
  trashed: number
  /** Merges that were left alone, by the bookmark that was to stay. */
  left: { keep: string; reason: UnmergedReason }[]
  undo: number | null
}
