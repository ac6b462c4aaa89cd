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
  /** The text of a `text`, the value of a `color`. */
  content: string
  tags: string[]
  createdAt: number
  updatedAt: number
  /** When it was moved to the trash. */
  deletedAt: number | null
  /** Names of the stored pictures of its page. */
  icon: string | null
  preview: string | null
  /** The fault that a check of its link found. */
  link: LinkMark | null
  /** The hash of its original, if the picture itself is stored; such an image has no address. */
  picture: string | null
  /** The name of the key that saved it, and the client’s name for itself. */
  savedBy: { key: string; client: string | null } | null
}

/** A bookmark to save. Drafts with the same `pageKey` are one page; a draft without one is always new. */
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
  /** The hash of an original that is already stored, or is stored with the draft; then there is no address. */
  picture?: string
}

/** `saved` is new, or was restored from the trash; `existing` was there and is unchanged. */
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
  /** In milliseconds since 1970; a draft’s own date may be older. */
  savedAt: number
}

/** Filters that all must match; an absent one does not filter. Tags match whole and case-insensitively. */
export interface BookmarkFilter {
  tags?: string[] | undefined
  /** At least one of these tags. Only the words of a query can express this. */
  anyTag?: string[] | undefined
  /** A host; its subdomains match too. */
  domain?: string | undefined
  type?: BookmarkType | undefined
  visibility?: Visibility | undefined
  /** An organization's row id. */
  organization?: number | undefined
  /** A bookmark with any of these marks matches. */
  is?: LinkMark[] | undefined
  /** Saved before or since this time, in milliseconds since 1970, by the bookmark’s own date. */
  before?: number | undefined
  after?: number | undefined
  untagged?: boolean | undefined
  /** Opened recently by the owner, who alone may use this filter. */
  opened?: boolean | undefined
}

export interface BookmarkQuery extends BookmarkFilter {
  words?: string | undefined
  /** The last word is still being typed, so it matches as a prefix. */
  typing?: boolean | undefined
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
}

/** The words of a relaxed search, as typed; none of the shown bookmarks contains the `absent` ones. */
export interface Relaxed {
  words: string[]
  absent: string[]
  /** The query that finds only bookmarks with all words as typed. */
  exactly?: string | undefined
}
