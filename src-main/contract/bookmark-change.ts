import { z } from 'zod'
import { BOOKMARK_TYPES, type Bookmark, LIMITS, VISIBILITIES, type Visibility } from './bookmark.ts'
import { ListedQuery } from './bookmark-list.ts'
import type { Owner } from './caller.ts'
import type { EndedEarly } from './long-work.ts'
import { TagText } from './tag.ts'

const Tags = z.array(TagText).max(LIMITS.tags)

/** The fields a person may set. Texts that are too long are refused, never cut: they were typed here. */
export const fields = {
  title: z.string().max(LIMITS.title),
  description: z.string().max(LIMITS.description),
  url: z.string().max(LIMITS.url),
  content: z.string().max(LIMITS.content),
  tags: Tags,
  visibility: z.enum(VISIBILITIES),
  /** An organization's id or name; visibility `organization` goes with it. */
  organization: z.string().min(1)
}

/** A bookmark to save. A link and an image need `url`, a color and a text `content`. */
export const BookmarkRequest = z.strictObject({ type: z.enum(BOOKMARK_TYPES), ...z.object(fields).partial().shape })
export type BookmarkRequest = z.infer<typeof BookmarkRequest>

/** How to save a picture that has no address. */
export const PictureRequest = BookmarkRequest.omit({ type: true, url: true, content: true })
export type PictureRequest = z.infer<typeof PictureRequest>

/** Changes to a bookmark; fields that are absent stay as they are. */
export const BookmarkPatch = z.strictObject(fields).partial()
export type BookmarkPatch = z.infer<typeof BookmarkPatch>

/** Bookmarks named one by one. */
export const Ids = z.array(z.string().min(1).max(64)).max(1000)

/** Bookmarks chosen one by one, or all that a list shows but a few. */
const Chosen = z.strictObject({ ids: Ids.min(1) })
const AllShown = z.strictObject({ all: ListedQuery, except: Ids.default([]) })
export const SelectionRequest = z.union([Chosen, AllShown])
export type SelectionRequest = z.infer<typeof SelectionRequest>

const Change = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tags'), add: Tags.default([]), remove: Tags.default([]) }),
  z.strictObject({
    kind: z.literal('move'),
    visibility: fields.visibility,
    organization: fields.organization.optional()
  }),
  z.strictObject({ kind: z.enum(['follow', 'delete', 'restore', 'purge']) })
])

/** One change to many bookmarks. */
export const ChangeRequest = z.union([Chosen.extend({ change: Change }), AllShown.extend({ change: Change })])
export type ChangeRequest = z.infer<typeof ChangeRequest>
export type RequestedChange = ChangeRequest['change']

/** The owner and the visibility of a bookmark. */
export interface Place {
  owner: Owner
  visibility: Visibility
}

/** An edit as the library takes it: texts clean, the address taken apart. What is absent stays. */
export interface BookmarkEdit {
  title?: string
  description?: string
  content?: string
  address?: { url: string | null; domain: string | null; pageKey: string | null }
  tags?: string[]
  place?: Place
}

/** A change of many as the library takes it. */
export type BulkChange =
  | { kind: 'tags'; add: string[]; remove: string[] }
  | { kind: 'move'; place: Place }
  /** Adds tags, and moves the profile's own; one that cannot be moved gets the tags all the same. */
  | { kind: 'rule'; add: string[]; place: Place | undefined }
  /** Changes the address of each bookmark whose page moved to the page's new address. */
  | { kind: 'follow' }
  | { kind: 'delete' | 'restore' }
  | { kind: 'purge' }

/**
 * Why a bookmark was left alone: there is none with this id; it is in the trash, or, to be restored or purged, it is
 * not; the same page already is where it should go to, or lies in the trash there; it has as many tags as it can;
 * its page has not moved.
 */
export type KeptReason =
  | 'missing'
  | 'in-trash'
  | 'not-in-trash'
  | 'same-page'
  | 'same-page-in-trash'
  | 'too-many-tags'
  | 'not-moved'

/** Result of a change of many bookmarks. `undo` names the step that takes it back; `null` if nothing changed. */
export interface ChangeReport extends EndedEarly {
  changed: number
  /** The number that were already as they should be, and of those in `kept`. */
  unchanged: number
  /** Of a change of all that a list shows, only the first thousand. */
  kept: { id: string; reason: KeptReason }[]
  undo: number | null
}

/** A bookmark after an edit. `undo` is `null` where nothing changed. */
export interface EditedBookmark {
  bookmark: Bookmark
  undo: number | null
}
