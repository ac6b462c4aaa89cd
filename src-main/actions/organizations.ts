import type {
  BookmarkFate,
  DeletionPreview,
  DeletionReport,
  Organization,
  OrganizationRequest
} from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { cleanText, foldName } from '../core/clean-text.ts'
import { removeSecret } from './keys/credentials.ts'
import type { Ports } from './ports.ts'

/** @throws Problem `taken` if an organization has that name, in any case; `invalid` if the name is invisible */
export async function createOrganization(ports: Ports, { name }: OrganizationRequest): Promise<Organization> {
  return ports.library.createOrganization(cleanName(name, 'An organization'), ports.now())
}

/** @throws Problem `not-found`, or as `createOrganization` */
export async function renameOrganization(ports: Ports, id: string, { name }: OrganizationRequest): Promise<void> {
  const { rowId } = await findOrganization(ports, id)
  await ports.library.renameOrganization(rowId, cleanName(name, 'An organization'))
}

/** @throws Problem `not-found` */
export async function previewDeletion(ports: Ports, id: string): Promise<DeletionPreview> {
  return ports.library.previewDeletion((await findOrganization(ports, id)).rowId)
}

/**
 * Deletes an organization. Its keys are revoked first, so that no bookmark is added while its bookmarks are moved in
 * batches. After an interruption, deleting it again continues.
 *
 * @throws Problem `not-found`
 */
export async function deleteOrganization(
  ports: Ports,
  id: string,
  fate: BookmarkFate
): Promise<DeletionReport & { revoked: number; undo: number | null }> {
  const { rowId } = await findOrganization(ports, id)
  const keys = await ports.library.revokeKeysOf(rowId, ports.now())
  const report = { moved: 0, trashed: 0, merged: 0, revoked: keys.length, undo: null as number | null }
  for (let done = false; !done; ) {
    const batch = await ports.library.deleteOrganizationBatch(rowId, fate, ports.now())
    report.moved += batch.moved
    report.trashed += batch.trashed
    report.merged += batch.merged
    report.undo = batch.undo
    done = batch.done
  }
  for (const key of keys) await removeSecret(ports, key)
  return report
}

/**
 * Finds an organization by its id or, in any case, its name.
 *
 * @throws Problem `not-found`
 */
export async function findOrganization(ports: Ports, nameOrId: string): Promise<Organization> {
  const organization = organizationIn(await ports.library.listOrganizations(), nameOrId)
  if (!organization) throw new Problem('not-found', `There is no organization named ${nameOrId}.`)
  return organization
}

/** Returns the organization with this id or, in any case, this name. */
export function organizationIn(organizations: Organization[], nameOrId: string): Organization | undefined {
  const folded = foldName(nameOrId.trim())
  return organizations.find(({ id }) => id === nameOrId) ?? organizations.find(({ name }) => foldName(name) === folded)
}

/** Maximum length of a name of a key, a search or an organization, in UTF-16 code units. */
const MAX_NAME_LENGTH = 80

/**
 * Returns a name as it is stored: one line, without invisible or reordering characters.
 *
 * @param what the kind of thing that has the name, such as `A key`
 * @throws Problem `invalid` if the name is invisible
 */
export function cleanName(name: string, what: string): string {
  const clean = cleanText(name, MAX_NAME_LENGTH)
  if (clean === '') throw new Problem('invalid', `${what} needs a name.`)
  return clean
}
