import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import type { EndedEarly } from './long-work.ts'
import { fitsTag } from './nested-tag.ts'

/** A tag that bookmarks have; the trash does not count. */
export interface Tag {
  name: string
  bookmarks: number
}

const TOO_LONG = `A tag has at most ${LIMITS.tagName} characters, a nested tag ${LIMITS.tagName} between slashes and ${LIMITS.tag} in all.`

/** A tag that somebody typed: too long, it is refused and not cut. */
export const TagText = z.string().refine(fitsTag, TOO_LONG)

const TagName = z.string().trim().min(1, 'A tag needs a name.').refine(fitsTag, TOO_LONG)

export const TagRename = z.strictObject({ name: TagName })

/** Tags to become one: bookmarks with any of `from` get `into`, and `from` are gone. */
export const TagMerge = z.strictObject({ from: z.array(z.string().min(1)).min(1).max(100), into: TagName })
export type TagMerge = z.infer<typeof TagMerge>

/** The fields of a bookmark, saved or not yet, that tags are suggested for. */
export const TagsAsked = z.strictObject({
  url: z.string().max(LIMITS.url).default(''),
  title: z.string().max(LIMITS.title).default(''),
  description: z.string().max(LIMITS.description).default(''),
  /** The bookmark's own tags, which are not suggested. */
  tags: z.array(TagText).max(LIMITS.tags).default([])
})
export type TagsAsked = z.infer<typeof TagsAsked>

/**
 * Result of a tag's change. `bookmarks` had the tag, those in the trash too; `undo` names the step that takes it back.
 */
export interface TagReport extends Pick<EndedEarly, 'problem'> {
  bookmarks: number
  undo: number
}

/** Result of a tag's deletion up to this part. `after` is where the next part begins; `null` for the last. */
export interface TagPart extends TagReport {
  after: number | null
}
