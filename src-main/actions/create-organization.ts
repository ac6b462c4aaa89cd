import type { Organization, OrganizationRequest } from '../contract/organization.ts'
import type { Ports } from '../contract/ports.ts'

/** @throws Problem `taken` when an organization has that name, in any case */
export function createOrganization(ports: Ports, request: OrganizationRequest): Promise<Organization> {
  return ports.library.createOrganization(request.name, ports.now())
}
