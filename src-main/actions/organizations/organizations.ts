import type {
  BookmarkFate,
  DeletionPreview,
  DeletionReport,
  Organization,
  OrganizationRequest
} from '../../contract/organization.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanText } from '../../core/clean-text.ts'
import { foldName } from '../../core/fold-name.ts'
import { forgetSecret } from '../keys/keep-secret.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'

/** @throws Problem `taken` when an organization has that name, in any case; `invalid` when the name shows nothing */
export async function createOrganization(ports: Ports, request: OrganizationRequest): Promise<Organization> {
  return ports.library.createOrganization(cleanName(request.name, 'An organization'), ports.now())
}

/**
 * @throws Problem `not-found`, `taken` when another organization has that name, in any case, or `invalid` when the name
 *   shows nothing
 */
export async function renameOrganization(ports: Ports, id: string, { name }: OrganizationRequest): Promise<void> {
  const { rowId } = await findOrganization(ports, id)
  await ports.library.renameOrganization(rowId, cleanName(name, 'An organization'))
}

/**
 * Counts the bookmarks and keys that deleting an organization would touch.
 *
 * @throws Problem `not-found`
 */
export async function previewDeletion(ports: Ports, id: string): Promise<DeletionPreview> {
  return ports.library.previewDeletion((await findOrganization(ports, id)).rowId)
}

/**
 * Deletes an organization. Its keys end first, so that nothing new arrives while its bookmarks move, step by step,
 * each whole. Where that is interrupted, deleting it again goes on.
 *
 * @throws Problem `not-found`, or `taken` when a backup is restored meanwhile
 */
export async function deleteOrganization(
  ports: Ports,
  id: string,
  fate: BookmarkFate
): Promise<DeletionReport & { revoked: number; undo: number | null }> {
  const inSameLibrary = sameLibrary(ports.library)
  const { rowId } = await findOrganization(ports, id)
  inSameLibrary()
  const keys = await ports.library.revokeKeysOf(rowId, ports.now())
  const sum = { moved: 0, trashed: 0, merged: 0 }
  let undo: number | null = null
  for (let done = false; !done; ) {
    inSameLibrary()
    const step = await ports.library.deleteOrganizationSome(rowId, fate, ports.now())
    sum.moved += step.moved
    sum.trashed += step.trashed
    sum.merged += step.merged
    done = step.done
    undo = step.undo
  }
  for (const key of keys) await forgetSecret(ports, key)
  return { ...sum, revoked: keys.length, undo }
}

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

/** Longest name of a key or an organization, in UTF-16 code units. */
const LONGEST = 80

/**
 * A name as it is stored and shown: one line, without characters that hide in it or reorder it.
 *
 * @param what the name belongs to, with its article
 * @throws Problem `invalid` when nothing of the name is left
 */
export function cleanName(name: string, what: string): string {
  const clean = cleanText(name, LONGEST)
  if (clean === '') throw new Problem('invalid', `${what} needs a name.`)
  return clean
}
