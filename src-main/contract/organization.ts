import { z } from 'zod'

/** A local workspace, for example for a client or a project. */
export interface Organization {
  rowId: number
  id: string
  name: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** Without the trash. */
  bookmarks: number
  /** Without revoked keys. */
  keys: number
}

export const OrganizationRequest = z.strictObject({
  name: z.string().trim().min(1, 'An organization needs a name.').max(80)
})
export type OrganizationRequest = z.infer<typeof OrganizationRequest>

/** The changes that deleting an organization would make. */
export interface DeletionPreview {
  bookmarks: number
  /** The keys that would be revoked, each with the client that used it last. */
  keys: { id: string; name: string; client: string | null }[]
  /** Number of bookmarks whose page the profile has too. */
  duplicates: number
}

/** The destination of a deleted organization’s bookmarks: the profile, as private bookmarks, or the trash. */
export const BookmarkFate = z.enum(['profile', 'trash'])
export type BookmarkFate = z.infer<typeof BookmarkFate>

/** Counts of a deleted organization’s bookmarks, without those already in the trash. */
export interface DeletionReport {
  moved: number
  trashed: number
  /**
   * Bookmarks of pages that the profile has too. The profile’s bookmark got their tags and the older date, and they
   * were moved to the trash.
   */
  merged: number
}
