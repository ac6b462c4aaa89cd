import { z } from 'zod'
import { BOOKMARK_TYPES, type Bookmark, LIMITS, type Place, VISIBILITIES } from './bookmark.ts'
import { ListedQuery } from './bookmark-list.ts'
import type { EndedEarly } from './change.ts'
import { TagText } from './tag.ts'

const Tags = z.array(TagText).max(LIMITS.tags)

/** The fields that a person may set. Texts that are too long are refused, not cut: they were typed here. */
export const fields = {
  title: z.string().max(LIMITS.title),
  description: z.string().max(LIMITS.description),
  url: z.string().max(LIMITS.url),
  content: z.string().max(LIMITS.content),
  tags: Tags,
  visibility: z.enum(VISIBILITIES),
  /** An organization’s id or name; visibility `organization` goes with it. */
  organization: z.string().min(1)
}

/** A bookmark to save. Links and images need `url`, colors and texts `content`. */
export const BookmarkRequest = z.strictObject({ type: z.enum(BOOKMARK_TYPES), ...z.object(fields).partial().shape })
export type BookmarkRequest = z.infer<typeof BookmarkRequest>

/** The fields of a picture that is saved as an original. */
export const PictureRequest = BookmarkRequest.omit({ type: true, url: true, content: true })
export type PictureRequest = z.infer<typeof PictureRequest>

/** Changes to a bookmark; absent fields stay unchanged. */
export const BookmarkPatch = z.strictObject(fields).partial()
export type BookmarkPatch = z.infer<typeof BookmarkPatch>

const Id = z.string().min(1).max(64)
export const Ids = z.array(Id).max(1000)

/** Bookmarks chosen by id, or all that a list shows except some. */
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

/** One change of many bookmarks. */
export const ChangeRequest = z.union([Chosen.extend({ change: Change }), AllShown.extend({ change: Change })])
export type ChangeRequest = z.infer<typeof ChangeRequest>
export type RequestedChange = ChangeRequest['change']

/** A patch as the library takes it: texts are clean and the address is parsed. */
export interface BookmarkEdit extends Pick<BookmarkPatch, 'title' | 'description' | 'content' | 'tags'> {
  address?: { url: string | null; domain: string | null; pageKey: string | null } | undefined
  place?: Place | undefined
}

/** A change of many bookmarks as the library takes it. */
export type BulkChange =
  | z.infer<typeof TagsChange>
  | { kind: 'move'; place: Place }
  /** Adds tags, and moves the profile’s own bookmarks. A bookmark that cannot be moved still gets the tags. */
  | { kind: 'rule'; add: string[]; place: Place | undefined }
  | { kind: 'follow' }
  | { kind: 'delete' | 'restore' }
  | { kind: 'purge' }

/**
 * Why a bookmark was not changed. `same-page`: the same page already is at the destination, or `same-page-in-trash` in the
 * trash there.
 */
export type KeptReason =
  | 'missing'
  | 'in-trash'
  | 'not-in-trash'
  | 'same-page'
  | 'same-page-in-trash'
  | 'too-many-tags'
  | 'not-moved'

/** Result of a change of many bookmarks. */
export interface ChangeReport extends EndedEarly {
  changed: number
  /** Bookmarks that were already as requested, and those in `kept`. */
  unchanged: number
  /** At most 1,000. */
  kept: { id: string; reason: KeptReason }[]
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

/** Merges all duplicates. Of each group a bookmark named here stays, else the best one. */
export const MergeAllRequest = z.strictObject({ keep: Ids.default([]) })
export type MergeAllRequest = z.infer<typeof MergeAllRequest>

function idsOf(merges: Merge[]): string[] {
  return merges.flatMap(({ keep, others }) => [keep, ...others])
}

/**
 * Why bookmarks count as the same page: their addresses differ only slightly; the page of one names another’s address as
 * its own; one has moved to the address of another.
 */
export type DuplicateReason = 'near' | 'own' | 'moved'

/** Bookmarks of a group that are shown; the rest follow once these are merged. */
export const MAX_IN_GROUP = 50

/** Some of the groups of bookmarks that are nearly the same page. */
export interface Duplicates {
  /** Number of all groups. */
  total: number
  /** False while bookmarks that were saved under older rules are still being compared. */
  settled: boolean
  groups: { why: DuplicateReason; bookmarks: Bookmark[] }[]
}

/** `other-page`: not a duplicate, or of another owner. */
export type UnmergedReason = 'missing' | 'in-trash' | 'other-page' | 'too-many-tags'

export interface MergeReport extends EndedEarly {
  merged: number
  /** Bookmarks that were moved to the trash. */
  trashed: number
  /** Merges that were not made. */
  left: { keep: string; reason: UnmergedReason }[]
  /** The undo step of all merges; `null` if nothing was merged. */
  undo: number | null
}
