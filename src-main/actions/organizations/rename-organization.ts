import type { OrganizationRequest } from '../../contract/organization.ts'
import type { Ports } from '../ports.ts'
import { cleanName } from './clean-name.ts'
import { findOrganization } from './find-organization.ts'

/**
 * @throws Problem `not-found`, `taken` when another organization has that name, in any case, or `invalid` when the name
 *   shows nothing
 */
export async function renameOrganization(ports: Ports, id: string, { name }: OrganizationRequest): Promise<void> {
  const { rowId } = await findOrganization(ports, id)
  await ports.library.renameOrganization(rowId, cleanName(name, 'An organization'))
}
