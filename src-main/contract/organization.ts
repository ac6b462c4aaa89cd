import { z } from 'zod'

/** A local workspace of the owner's: a client, a project. */
export interface Organization {
  rowId: number
  id: string
  name: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** Its bookmarks, without those in the trash. */
  bookmarks: number
  /** Its keys that are not revoked. */
  keys: number
}

export const OrganizationRequest = z.strictObject({
  name: z.string().trim().min(1, 'An organization needs a name.').max(80)
})
export type OrganizationRequest = z.infer<typeof OrganizationRequest>

/**
 * The counts of what deleting an organization would touch. `duplicates` are its bookmarks of pages the profile has too.
 */
export interface DeletionPreview {
  bookmarks: number
  /** The keys that end with it, by name, and the client that each was last used by. */
  keys: { id: string; name: string; client: string | null }[]
  duplicates: number
}

/** Where a deleted organization's bookmarks go: to the profile as private ones, or to the trash. */
export const BookmarkFate = z.enum(['profile', 'trash'])
export type BookmarkFate = z.infer<typeof BookmarkFate>

/**
 * Result for a deleted organization's bookmarks, except those already in the trash. `merged` were pages the profile has
 * too: the profile's own got their tags and the older date, and they lie in the trash.
 */
export interface DeletionReport {
  moved: number
  trashed: number
  merged: number
}
