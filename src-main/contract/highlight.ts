import { z } from 'zod'
import { HIGHLIGHT_COLORS, HIGHLIGHT_LIMITS } from './bookmark.ts'

/**
 * A passage that its owner marked in the text of a page, with a text quote selector and a text position selector
 * (https://www.w3.org/TR/annotation-model/#selectors). They refer to the text as it is shown.
 */
export const HighlightRequest = z.strictObject({
  quote: z
    .string()
    .max(HIGHLIGHT_LIMITS.quote)
    .refine((quote) => quote.trim() !== '', 'quote: select some text'),
  /** The text before and after the quote; empty if it is not known. */
  prefix: z.string().max(HIGHLIGHT_LIMITS.context).default(''),
  suffix: z.string().max(HIGHLIGHT_LIMITS.context).default(''),
  /** Offset of the quote in the text, in UTF-16 code units; `null` if it is not known, as in most imports. */
  start: z.int().min(0).nullable().default(null),
  color: z.enum(HIGHLIGHT_COLORS).default('yellow'),
  note: z.string().max(HIGHLIGHT_LIMITS.note).default('')
})
export type HighlightRequest = z.infer<typeof HighlightRequest>

/** `createdAt` is in milliseconds since 1970. */
export const Highlight = HighlightRequest.extend({ id: z.string().regex(/^[\w-]{1,64}$/), createdAt: z.int() })
export type Highlight = z.infer<typeof Highlight>

/** Query for one page of the list of all highlights, newest first. */
export const HighlightsQuery = z.strictObject({
  /** A part of the quote, the note or the title, in any case. */
  words: z.string().max(1000).default(''),
  color: z.enum(HIGHLIGHT_COLORS).optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(50)
})
export type HighlightsQuery = z.infer<typeof HighlightsQuery>

/** A highlight in the list of all highlights, with its bookmark. */
export interface ListedHighlight extends Highlight {
  bookmark: { id: string; title: string; url: string | null; domain: string | null; hasText: boolean }
}
