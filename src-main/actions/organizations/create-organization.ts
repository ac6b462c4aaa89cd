import type { Organization, OrganizationRequest } from '../../contract/organization.ts'
import type { Ports } from '../ports.ts'
import { cleanName } from './clean-name.ts'

/** @throws Problem `taken` when an organization has that name, in any case; `invalid` when the name shows nothing */
export async function createOrganization(ports: Ports, request: OrganizationRequest): Promise<Organization> {
  return ports.library.createOrganization(cleanName(request.name, 'An organization'), ports.now())
}
