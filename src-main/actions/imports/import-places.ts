import type { Caller, Owner } from '../../contract/caller.ts'
import type { ImportedOrganization, ImportedRecord } from '../../contract/import-format.ts'
import { foldName } from '../../core/fold-name.ts'
import { cleanName } from '../organizations/clean-name.ts'
import type { Ports } from '../ports.ts'

/**
 * Finds the owners of what Earmark itself exported: organizations go by their names, and are made where there are none.
 * Whoever imports for an organization keeps everything in it.
 */
export function createImportPlaces(ports: Ports, caller: Caller, dryRun: boolean) {
  const known = new Map<string, number>()
  let read = false

  async function rowIdOf(name: string, createdAt: number): Promise<number> {
    if (!read) for (const one of await ports.library.listOrganizations()) known.set(foldName(one.name), one.rowId)
    read = true
    const clean = cleanName(name, 'An organization')
    const found = known.get(foldName(clean))
    if (found !== undefined) return found
    // One that is only imagined has an id that no other has.
    const rowId = dryRun ? -1 - known.size : (await ports.library.createOrganization(clean, createdAt)).rowId
    known.set(foldName(clean), rowId)
    return rowId
  }

  return {
    async declare({ organization, createdAt }: ImportedOrganization): Promise<void> {
      if (caller.owner === null) await rowIdOf(organization, createdAt)
    },
    /** `undefined` where the record does not say, or may not. */
    async ownerOf({ own }: ImportedRecord): Promise<Owner | undefined> {
      if (!own || caller.owner !== null) return undefined
      return own.organization === null ? null : rowIdOf(own.organization, ports.now())
    }
  }
}
