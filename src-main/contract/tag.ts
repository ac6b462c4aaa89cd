import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import { fitsTag } from './tag-names.ts'

export interface Tag {
  name: string
  /** Without the trash. */
  bookmarks: number
}

const TOO_LONG = `A tag has at most ${LIMITS.tagName} characters, a nested tag ${LIMITS.tagName} between slashes and ${LIMITS.tag} in all.`

/** A tag that a person typed. If it is too long, it is refused, not cut. */
export const TagText = z.string().refine(fitsTag, TOO_LONG)

const TagName = z.string().trim().min(1, 'A tag needs a name.').refine(fitsTag, TOO_LONG)

export const TagRename = z.strictObject({ name: TagName })

/** Bookmarks with any of the tags in `from` get `into`, and those tags are removed. */
export const TagMerge = z.strictObject({ from: z.array(z.string().min(1)).min(1).max(100), into: TagName })
export type TagMerge = z.infer<typeof TagMerge>

/** The fields of a bookmark, saved or not, for which tags are suggested. */
export const SuggestionRequest = z.strictObject({
  url: z.string().max(LIMITS.url).default(''),
  title: z.string().max(LIMITS.title).default(''),
  description: z.string().max(LIMITS.description).default(''),
  /** Tags that the bookmark has, which are not suggested. */
  tags: z.array(TagText).max(LIMITS.tags).default([])
})
export type SuggestionRequest = z.infer<typeof SuggestionRequest>

export interface TagReport {
  /** Bookmarks that had the tag, with those in the trash. */
  bookmarks: number
  undo: number
}
