import type { BulkChange, ChangeReport, ChangeRequest } from '../../contract/bookmark-change.ts'
import type { Ports } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { choosePlace } from './choose-place.ts'
import { cleanTags } from './clean-tags.ts'

/**
 * Makes one change to many bookmarks, as one step that can be undone, unless it deletes for good. What cannot be changed
 * is left alone and named.
 *
 * @throws Problem `invalid` when no tag is left to add or remove, or no place to move to; `not-found` when there is no
 *   such organization
 */
export async function changeBookmarks(ports: Ports, { ids, change }: ChangeRequest): Promise<ChangeReport> {
  return ports.library.changeBookmarks(ids, await resolve(ports, change), ports.now())
}

async function resolve(ports: Ports, change: ChangeRequest['change']): Promise<BulkChange> {
  if (change.kind === 'move') {
    const place = await choosePlace(ports, change)
    if (!place) throw new Problem('invalid', 'Choose where to move the bookmarks.')
    return { kind: 'move', place }
  }
  if (!('tags' in change)) return change
  const tags = cleanTags(change.tags)
  if (tags.length === 0) throw new Problem('invalid', 'A tag needs a name.')
  return { kind: change.kind, tags }
}
