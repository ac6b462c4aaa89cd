import { z } from 'zod'

/** The owner's choices, kept in the library. A missing one has its default. */
export const Settings = z.object({
  /** What the profile's new bookmarks get. `organization` is not offered: it needs one to belong to. */
  defaultVisibility: z.enum(['private', 'public']).default('private')
})
export type Settings = z.infer<typeof Settings>
