import { z } from 'zod'
import { LIMITS } from './bookmark.ts'
import { BookmarkRequest } from './bookmark-change.ts'
import { COPY_PART_BYTES, MAX_COPY_BYTES } from './page-copy.ts'
import { MAX_PAGE_MARKDOWN } from './page-details.ts'
import { SuggestionRequest } from './tag.ts'

/** A page, a picture, or a passage saved as a text. If the page is already saved, only the given fields change. */
export const SaveRequest = BookmarkRequest.omit({ visibility: true, organization: true }).extend({
  type: z.enum(['link', 'image', 'text']),
  /** As Markdown. */
  pageText: z.string().max(MAX_PAGE_MARKDOWN).optional()
})
export type SaveRequest = z.infer<typeof SaveRequest>

export const SavedQuery = z.strictObject({ url: z.string().max(LIMITS.url) })

export const TagsQuery = z.strictObject({ typed: z.string().max(LIMITS.tag).default('') })

/** A part of a copy of a page. Parts may arrive in any order, and more than once. */
export const CopyPart = z.strictObject({
  url: z.string().max(LIMITS.url),
  /** A random name of the upload that the parts belong to. */
  upload: z.string().regex(/^[\w-]{16,64}$/),
  part: z.int().min(0),
  parts: z
    .int()
    .min(1)
    .max(Math.ceil(MAX_COPY_BYTES / COPY_PART_BYTES)),
  /** As base64. */
  data: z.string().max(COPY_PART_BYTES * 2)
})
export type CopyPart = z.infer<typeof CopyPart>

export const FindQuery = z.strictObject({
  words: z.string().max(1000),
  limit: z.int().min(1).max(20).default(6)
})

/** The extension's requests, one message each. The answer has the same `id`. */
export const HostRequest = z.discriminatedUnion('ask', [
  z.strictObject({ id: z.int(), ask: z.literal('save'), page: SaveRequest }),
  z.strictObject({ id: z.int(), ask: z.literal('saved'), page: SavedQuery }),
  z.strictObject({ id: z.int(), ask: z.literal('remove'), page: SavedQuery }),
  z.strictObject({ id: z.int(), ask: z.literal('copy'), page: CopyPart }),
  z.strictObject({ id: z.int(), ask: z.literal('tags'), page: TagsQuery }),
  z.strictObject({ id: z.int(), ask: z.literal('suggestions'), page: SuggestionRequest }),
  z.strictObject({ id: z.int(), ask: z.literal('search'), page: FindQuery })
])
export type HostRequest = z.infer<typeof HostRequest>
/** A request as the extension writes it. Fields with a default are optional. */
export type HostQuestion = z.input<typeof HostRequest>

/** A bookmark as the extension shows it. */
export interface ShownPage {
  url: string | null
  title: string
  description: string
  tags: string[]
  /** The name of the bookmark's organization; `null` if the bookmark belongs to the profile. */
  organization: string | null
  savedAt: string
}

/** The answers, by kind of request. */
export interface HostAnswers {
  /** `copy`: a rule requests a copy of the page. */
  save: { status: 'saved' | 'changed' | 'existing'; bookmark: ShownPage; copy: boolean }
  saved: { bookmark: ShownPage | null }
  remove: { removed: boolean }
  /** `stored`: this was the last missing part, so the copy is now stored. */
  copy: { stored: boolean }
  tags: { tags: string[] }
  suggestions: { tags: string[] }
  search: { bookmarks: ShownPage[]; hint?: string | undefined }
}

/** The answer to a request; `id` is `null` if the request could not be read. */
export type HostAnswer =
  | { id: number; answer: HostAnswers[keyof HostAnswers] }
  | { id: number | null; error: { code: string; message: string } }
