import type { Visibility } from '../../contract/bookmark.ts'
import type { Place } from '../../contract/bookmark-change.ts'
import { Problem } from '../../contract/problem.ts'
import { findOrganization } from '../organizations/find-organization.ts'
import type { Ports } from '../ports.ts'

/**
 * The place a person chose: an organization by its id or name, or the profile with a visibility. `undefined` when
 * neither was given.
 *
 * @throws Problem `invalid` when the two do not go together, `not-found` when there is no such organization
 */
export async function choosePlace(
  ports: Ports,
  { visibility, organization }: { visibility?: Visibility | undefined; organization?: string | undefined }
): Promise<Place | undefined> {
  if (organization !== undefined) {
    if (visibility !== undefined && visibility !== 'organization') {
      throw new Problem('invalid', `A bookmark of an organization cannot be ${visibility}.`)
    }
    return { owner: (await findOrganization(ports, organization)).rowId, visibility: 'organization' }
  }
  if (visibility === 'organization') throw new Problem('invalid', 'Choose the organization it should belong to.')
  return visibility && { owner: null, visibility }
}
