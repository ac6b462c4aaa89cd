import type { BookmarkFate, DeletionPreview, DeletionReport } from '../../contract/organization.ts'
import { forgetSecret } from '../keys/keep-secret.ts'
import { sameLibrary } from '../library/same-library.ts'
import type { Ports } from '../ports.ts'
import { findOrganization } from './find-organization.ts'

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
