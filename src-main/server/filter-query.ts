import { z } from 'zod'
import { findOrganization } from '../actions/organizations/find-organization.ts'
import { BOOKMARK_TYPES, type BookmarkFilter, VISIBILITIES } from '../contract/bookmark.ts'
import { LINK_MARKS } from '../contract/link-check.ts'
import type { Ports } from '../contract/ports.ts'

const mark = z.enum(LINK_MARKS)

/** Filters in an address's query. `tag` may be given several times; an organization goes by its id or name. */
export const filterQuery = {
  tag: z
    .union([
      z.array(z.string().min(1)).max(32),
      z
        .string()
        .min(1)
        .transform((one) => [one])
    ])
    .optional(),
  domain: z.string().min(1).max(300).optional(),
  type: z.enum(BOOKMARK_TYPES).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  organization: z.string().min(1).max(100).optional(),
  /** What is wrong with the link; several are one of them. */
  is: z.union([z.array(mark).max(2), mark.transform((one) => [one])]).optional()
}

/** @throws Problem `not-found` when there is no such organization */
export async function filterOf(
  ports: Ports,
  { tag, domain, type, visibility, organization, is }: z.output<z.ZodObject<typeof filterQuery>>
): Promise<BookmarkFilter> {
  const owner = organization === undefined ? undefined : (await findOrganization(ports, organization)).rowId
  return {
    tags: tag,
    domain: domain || undefined,
    type,
    visibility,
    organization: owner,
    is
  }
}
