import { z } from 'zod'
import { BOOKMARK_TYPES, type Bookmark, LIMITS, type Place, VISIBILITIES } from './bookmark.ts'
import { ListedQuery } from './bookmark-list.ts'
import type { EndedEarly } from './change.ts'
import { MAX_PAGE_MARKDOWN } from './page-details.ts'
import { TagText } from './tag.ts'

const Tags = z.array(TagText).max(LIMITS.tags)

/** The fields that a person may set. Texts that are too long are refused, so that the person shortens them. */
export const fields = {
  title: z.string().max(LIMITS.title),
  description: z.string().max(LIMITS.description),
  url: z.string().max(LIMITS.url),
  content: z.string().max(LIMITS.content),
  tags: Tags,
  visibility: z.enum(VISIBILITIES),
  /** An organization’s id or name. The visibility is then `organization`, or absent. */
  organization: z.string().min(1)
}

/** A bookmark to save. Links and images need `url`, colors and texts `content`. */
export const BookmarkRequest = z.strictObject({ type: z.enum(BOOKMARK_TYPES), ...z.object(fields).partial().shape })
export type BookmarkRequest = z.infer<typeof BookmarkRequest>

/** The fields of a picture that is saved as an original. */
export const PictureRequest = BookmarkRequest.omit({ type: true, url: true, content: true })
export type PictureRequest = z.infer<typeof PictureRequest>

/**
 * Changes to a bookmark; absent fields stay unchanged. `version` is the time of the bookmark's last change when it was
 * read; if the bookmark changed since, the patch is refused, unless it would change nothing. `formerTags` are the tags
 * that were read; with them only the difference is applied, because renaming a tag changes no bookmark's version.
 */
export const BookmarkPatch = z.strictObject({ ...fields, version: z.iso.datetime(), formerTags: Tags }).partial()
export type BookmarkPatch = z.infer<typeof BookmarkPatch>

const Id = z.string().min(1).max(64)
export const Ids = z.array(Id).max(1000)

/** Bookmarks chosen by id, or all bookmarks of a list except some. */
const Chosen = z.strictObject({ ids: Ids.min(1) })
const AllShown = z.strictObject({ all: ListedQuery, except: Ids.default([]) })
export const SelectionRequest = z.union([Chosen, AllShown])
export type SelectionRequest = z.infer<typeof SelectionRequest>

const TagsChange = z.strictObject({ kind: z.literal('tags'), add: Tags.default([]), remove: Tags.default([]) })
const { visibility, organization } = fields
const Move = z.strictObject({ kind: z.literal('move'), visibility, organization: organization.optional() })
/** `follow` replaces the address of each bookmark whose page moved. */
const PlainChange = z.strictObject({ kind: z.enum(['follow', 'delete', 'restore', 'purge']) })
const Change = z.discriminatedUnion('kind', [TagsChange, Move, PlainChange])

export const ChangeRequest = z.union([Chosen.extend({ change: Change }), AllShown.extend({ change: Change })])
export type ChangeRequest = z.infer<typeof ChangeRequest>
export type RequestedChange = ChangeRequest['change']

/** A patch with clean texts and a parsed address, as the library requires it. */
export interface BookmarkEdit extends Pick<BookmarkPatch, 'title' | 'description' | 'content' | 'tags' | 'formerTags'> {
  address?: { url: string | null; domain: string | null; pageKey: string | null } | undefined
  place?: Place | undefined
  /** The time of the last change that was read, in ms. */
  version?: number | undefined
}

/** A change to many bookmarks. The requested organization is already resolved to a `Place`. */
export type BulkChange =
  | z.infer<typeof TagsChange>
  | { kind: 'move'; place: Place }
  /** Adds tags, and moves the profile’s own bookmarks. A bookmark that cannot be moved still gets the tags. */
  | { kind: 'rule'; add: string[]; place: Place | undefined }
  | { kind: 'follow' }
  | { kind: 'delete' | 'restore' }
  | { kind: 'purge' }

/**
 * Why a bookmark was not changed. `same-page`: the destination already has a bookmark of this page.
 * `same-page-in-trash`: the destination has one in its trash.
 */
export type UnchangedReason =
  | 'missing'
  | 'in-trash'
  | 'not-in-trash'
  | 'same-page'
  | 'same-page-in-trash'
  | 'too-many-tags'
  | 'not-moved'

/** Reports name at most this many bookmarks that were not changed. */
export const MAX_NAMED = 1000

export interface ChangeReport extends EndedEarly {
  changed: number
  /** Bookmarks that were already as requested, and those in `kept`. */
  unchanged: number
  /** The first `MAX_NAMED` bookmarks that could not be changed. */
  kept: { id: string; reason: UnchangedReason }[]
  /** The undo step; `null` if nothing changed. */
  undo: number | null
}

export interface EditedBookmark {
  bookmark: Bookmark
  /** The undo step; `null` if nothing changed. */
  undo: number | null
}

/** Merges duplicates: `keep` stays, the others go to the trash. */
const Merge = z.strictObject({ keep: Id, others: z.array(Id).min(1).max(100) })
export type Merge = z.infer<typeof Merge>

export const MergeRequest = z
  .strictObject({ merges: z.array(Merge).min(1).max(200) })
  .refine(({ merges }) => idsOf(merges).length <= 1000, 'merges: at most 1000 bookmarks at once')
  .refine(({ merges }) => new Set(idsOf(merges)).size === idsOf(merges).length, 'merges: name each bookmark once')

/** Merges all duplicates. Of each group, a bookmark in `keep` stays, otherwise the best bookmark. */
export const MergeAllRequest = z.strictObject({ keep: Ids.default([]) })
export type MergeAllRequest = z.infer<typeof MergeAllRequest>

function idsOf(merges: Merge[]): string[] {
  return merges.flatMap(({ keep, others }) => [keep, ...others])
}

/**
 * Why bookmarks are duplicates. `near`: their addresses differ only slightly. `own`: the page of one bookmark names the
 * address of another as canonical. `moved`: the page of one bookmark has moved to the address of another.
 */
export type DuplicateReason = 'near' | 'own' | 'moved'

/** Maximum number of bookmarks of a group that are listed. The others are listed after these are merged. */
export const MAX_IN_GROUP = 50

/** One page of the list of duplicates. */
export interface Duplicates {
  /** Number of all groups. */
  total: number
  /** False while bookmarks that were saved under older rules are still being compared. */
  settled: boolean
  groups: { why: DuplicateReason; bookmarks: Bookmark[] }[]
}

/** Why bookmarks were not merged. `other-page`: a bookmark is not a duplicate, or belongs to another owner. */
export type UnmergedReason = 'missing' | 'in-trash' | 'other-page' | 'too-many-tags'

export interface MergeReport extends EndedEarly {
  merged: number
  trashed: number
  /** The first `MAX_NAMED` merges that were not made. */
  left: { keep: string; reason: UnmergedReason }[]
  /** The undo step of all merges; `null` if nothing was merged. */
  undo: number | null
}

/** The position at which a reader stopped in a text. It does not depend on the width of the window. */
export const ReadingPlace = z.strictObject({
  /** The number of the text's block, counted from 0. */
  block: z.int().min(0).max(MAX_PAGE_MARKDOWN),
  /** The position within the block, from 0 (top) to 1 (bottom). */
  share: z.number().min(0).max(1)
})
export type ReadingPlace = z.infer<typeof ReadingPlace>
