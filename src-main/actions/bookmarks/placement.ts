import type { Placement } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Ports } from '../ports.ts'

/** Where what this caller saves belongs: in its organization, or with the profile under the default visibility. */
export async function placementFor(ports: Ports, caller: Caller): Promise<Placement> {
  const savedAt = ports.now()
  if (caller.owner !== null) return { owner: caller.owner, visibility: 'organization', savedAt }
  const { defaultVisibility } = await ports.library.readSettings()
  return { owner: null, visibility: defaultVisibility, savedAt }
}
