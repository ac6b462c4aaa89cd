import type { Owner } from './caller.ts'
import type { LinkMark } from './link-check.ts'

export const BOOKMARK_TYPES = ['link', 'image', 'color', 'text'] as const
export type BookmarkType = (typeof BOOKMARK_TYPES)[number]

export const VISIBILITIES = ['private', 'organization', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/**
 * Maximum lengths of stored texts, in UTF-16 code units. `tag` is for a nested tag as a whole, `tagName` for each name in
 * it; `tags` is the number of a bookmark’s tags.
 */
export const LIMITS = {
  title: 512,
  description: 2048,
  url: 8192,
  tag: 512,
  tagName: 64,
  tags: 64,
  content: 100_000
} as const

export const HIGHLIGHT_COLORS = ['yellow', 'green', 'blue', 'pink'] as const
export type HighlightColor = (typeof HIGHLIGHT_COLORS)[number]

/** Maximum lengths in UTF-16 code units, and `highlights` of one bookmark. `context` is each of `prefix` and `suffix`. */
export const HIGHLIGHT_LIMITS = { quote: 5000, context: 64, note: 5000, highlights: 1000 } as const

/** Number of days that a bookmark stays in the trash, and that an import can be undone. */
export const TRASH_DAYS = 30

/** The largest picture that the library stores as an original, in bytes. */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024
export const PICTURE_TOO_LARGE = 'A picture has at most 10 MB. Make it smaller, or save its address.'

/** Times are milliseconds since 1970. */
export interface Bookmark {
  id: string
  type: BookmarkType
  visibility: Visibility
  /** The organization’s name. */
  organization: string | null
  url: string | null
  domain: string | null
  title: string
  description: string
  /** The text of a bookmark of type `text`, or the value of a `color`. */
  content: string
  tags: string[]
  createdAt: number
  updatedAt: number
  deletedAt: number | null
  /** Names of the stored pictures of its page. */
  icon: string | null
  preview: string | null
  /** Width divided by height of an image; `null` until it is known. */
  ratio: number | null
  /** Whether the text of its page is stored. */
  hasText: boolean
  /** The fault that a check of its link found. */
  link: LinkMark | null
  /** The hash of the original, if the library stores the picture itself. Such an image has no address. */
  picture: string | null
  /** The name of the key that saved the bookmark, and the name that the client sent. */
  savedBy: { key: string; client: string | null } | null
}

/** A bookmark to save. Drafts with the same `pageKey` are one page; a draft without a page key is always new. */
export interface BookmarkDraft {
  type: BookmarkType
  pageKey: string | null
  url: string | null
  domain: string | null
  title: string
  description: string
  content: string
  tags: string[]
  createdAt: number
  /** The hash of an original that is stored already or together with the draft. The draft then has no address. */
  picture?: string
}

/** `saved`: the bookmark is new, or was restored from the trash. `existing`: it existed before, and is unchanged. */
export interface SavedBookmark {
  id: string
  status: 'saved' | 'existing'
}

/** The owner and the visibility of a bookmark. */
export interface Place {
  owner: Owner
  visibility: Visibility
}

/** Where and when drafts are saved. The same page saved by another owner is another bookmark. */
export interface Placement extends Place {
  /** In milliseconds since 1970. The `createdAt` of a draft may be earlier. */
  savedAt: number
}

/** Filters, all of which must match. Tags match as a whole, in any case. */
export interface BookmarkFilter {
  tags?: string[] | undefined
  /** At least one of these tags. Only the words of a query can set this filter. */
  anyTag?: string[] | undefined
  /** A host; its subdomains match too. */
  domain?: string | undefined
  /** The name of a site without its ending, such as `github`. Only the words of a query can set this filter. */
  siteName?: string | undefined
  type?: BookmarkType | undefined
  visibility?: Visibility | undefined
  /** An organization's row id. */
  organization?: number | undefined
  /** A bookmark with any of these marks matches. */
  is?: LinkMark[] | undefined
  /** `createdAt` is earlier than `before`, and not earlier than `after`. In milliseconds since 1970. */
  before?: number | undefined
  after?: number | undefined
  untagged?: boolean | undefined
  /** The id of the import that added the bookmark or restored it from the trash. Only the owner may use this filter. */
  import?: number | undefined
  /** Opened recently by the owner. Only the owner may use this filter. */
  opened?: boolean | undefined
  /** The owner marked passages in its text. Only the owner may use this filter. */
  highlighted?: boolean | undefined
}

/** A filter as a hint shows it: `name` is the text in the hint. */
export interface NamedFilter {
  name: string
  kind: 'type' | 'visibility' | 'site' | 'is' | 'date' | 'untagged' | 'highlighted'
  value: string
}

export interface BookmarkQuery extends BookmarkFilter {
  words?: string | undefined
  /** The last word is still being typed, so it matches as a prefix. */
  typing?: boolean | undefined
  /** The current time, in ms since 1970. Words such as “last month” are read as dates only if it is set. */
  now?: number | undefined
  /** Counted from 1. */
  page: number
  /** Bookmarks per page. */
  limit: number
}

export interface BookmarkPage {
  /** Exact unless `atLeast`. */
  total: number
  atLeast: boolean
  bookmarks: Bookmark[]
  /** How the search was changed because the query as typed matched nothing. */
  note?: string | undefined
  /** Set if some of the bookmarks contain only some of the words. */
  relaxed?: Relaxed | undefined
  /** The words that were searched, if they differ from the typed words. */
  words?: string | undefined
}

/** The words of a relaxed search, as typed. No shown bookmark contains the `absent` words. */
export interface Relaxed {
  words: string[]
  absent: string[]
  /** The query that finds only bookmarks with all words as typed. */
  exactly?: string | undefined
}
