import type { Owner } from './caller.ts'
import type { LinkMark } from './link-check.ts'

export const BOOKMARK_TYPES = ['link', 'image', 'color', 'text'] as const
export type BookmarkType = (typeof BOOKMARK_TYPES)[number]

export const VISIBILITIES = ['private', 'organization', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/**
 * Longest stored texts, in UTF-16 code units; what is longer is cut, so that one page cannot fill the library. `tagName` is
 * for each name of a nested tag, `tag` for all of it; `tags` is their number.
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

/** A bookmark as every room sees it. Times are milliseconds since 1970. */
export interface Bookmark {
  id: string
  type: BookmarkType
  visibility: Visibility
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
  /** When it went to the trash. */
  deletedAt: number | null
  /** Names of its page's icon and picture among those kept here. */
  icon: string | null
  preview: string | null
  /** The fault of its link, if a check found one. */
  link: LinkMark | null
  /** The picture that is kept itself, by its hash; such an image has no address. */
  picture: string | null
  /** The key it was saved with, by name, and what the client called itself. */
  savedBy: { key: string; client: string | null } | null
}

/**
 * A bookmark that is about to be saved. Two drafts with the same `pageKey` are one page; a draft without one is always
 * new.
 */
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
  /** The hash of a picture that is kept already, or with it; then there is no address. */
  picture?: string
}

/** `saved` is new or came back from the trash; `existing` was there and is untouched. */
export interface SavedBookmark {
  id: string
  status: 'saved' | 'existing'
}

/** Where a save goes: the owner decides what counts as the same page, the visibility who sees it. */
export interface Placement {
  owner: Owner
  visibility: Visibility
  /** When it is saved, in milliseconds since 1970; a draft's own date may be older. */
  savedAt: number
}

/** Filters that hold together (AND); an absent one does not filter. Tags match whole and case-insensitively. */
export interface BookmarkFilter {
  tags?: string[] | undefined
  /** A host; its subdomains match too. */
  domain?: string | undefined
  type?: BookmarkType | undefined
  visibility?: Visibility | undefined
  /** An organization's row id. */
  organization?: number | undefined
  /** Link marks; a bookmark with any of them matches. */
  is?: LinkMark[] | undefined
  /** Saved before then, by the bookmark's own date, in milliseconds since 1970. */
  before?: number | undefined
  /** Saved then or later. */
  after?: number | undefined
  /** Without any tag. */
  untagged?: boolean | undefined
  /** Opened lately by the owner, whom alone this filter is for. */
  opened?: boolean | undefined
}

/** The filters that words may ask for, and those that only words can express. */
export interface AskedFilter extends BookmarkFilter {
  /** At least one of these tags. */
  anyTag?: string[] | undefined
}

export interface BookmarkQuery extends BookmarkFilter {
  words?: string | undefined
  /** The last word is still being typed: it is found as the beginning of a word. */
  typing?: boolean | undefined
  /** Counted from 1. */
  page: number
  /** Bookmarks a page. */
  limit: number
}

/** One page of what was found. `total` is exact unless `atLeast`. */
export interface BookmarkPage {
  total: number
  atLeast: boolean
  bookmarks: Bookmark[]
  /** Says what was done where not all that was typed was found. */
  note?: string | undefined
  /** Where some of these hold only some of the words. */
  relaxed?: Relaxed | undefined
}

/** The words of a search that was loosened, as typed; `absent` are those that none of the bookmarks shown hold. */
export interface Relaxed {
  words: string[]
  absent: string[]
  /** The query that finds only bookmarks with all words as typed. */
  exactly?: string | undefined
}
