import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import type { EndedEarly } from './long-work.ts'

/** A tag that bookmarks have; the trash does not count. */
export interface Tag {
  name: string
  bookmarks: number
}

const TagName = z.string().trim().min(1, 'A tag needs a name.').max(LIMITS.tag)

export const TagRename = z.strictObject({ name: TagName })

/** Tags to become one: bookmarks with any of `from` get `into`, and `from` are gone. */
export const TagMerge = z.strictObject({ from: z.array(z.string().min(1)).min(1).max(100), into: TagName })
export type TagMerge = z.infer<typeof TagMerge>

/** What a change of a tag did. `bookmarks` had it, those in the trash too; `undo` names the step that takes it back. */
export interface TagReport extends Pick<EndedEarly, 'problem'> {
  bookmarks: number
  undo: number
}

/** What a part of a tag's deletion did, with those before it. `after` is where the next begins; `null` for the last. */
export interface TagPart extends TagReport {
  after: number | null
}
