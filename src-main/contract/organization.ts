import { z } from 'zod'

/** A local workspace of the owner's: a client, a project. */
export interface Organization {
  rowId: number
  id: string
  name: string
  createdAt: number
}

export const OrganizationRequest = z.strictObject({
  name: z.string().trim().min(1, 'An organization needs a name.').max(80)
})
export type OrganizationRequest = z.infer<typeof OrganizationRequest>
