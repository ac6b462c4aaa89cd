import type { Organization } from '../../contract/organization.ts'
import { Problem } from '../../contract/problem.ts'
import { foldName } from '../../core/fold-name.ts'
import type { Ports } from '../ports.ts'

/**
 * The organization a person means by its id or, in any case, its name.
 *
 * @throws Problem `not-found`
 */
export async function findOrganization(ports: Ports, nameOrId: string): Promise<Organization> {
  const all = await ports.library.listOrganizations()
  const name = foldName(nameOrId.trim())
  const found = all.find((one) => one.id === nameOrId) ?? all.find((one) => foldName(one.name) === name)
  if (!found) throw new Problem('not-found', `There is no organization named ${nameOrId}.`)
  return found
}
