import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkEdit, BulkChange, KeptReason } from '../../contract/bookmark-change.ts'
import { addressOf } from '../../core/address.ts'
import type { WriteConnection } from '../connection.ts'
import { type BookmarkState, bookmarkStates } from './bookmark-state.ts'
import { ascending, bookmarkTags } from './bookmark-tags.ts'

/** What bookmarks are to become by what somebody asked for; for use inside a transaction. */
export function wantedStates(db: WriteConnection) {
  const states = bookmarkStates(db)
  const tags = bookmarkTags(db)
  const movedTo = db
    .prepare<[number], string>("SELECT moved_to FROM link_checks WHERE bookmark_id = ? AND mark = 'moved'")
    .pluck()

  const idsOf = (names: string[]) => ascending(names.map((name) => tags.findOrMake(name)))

  /** What an edit of one makes of it. */
  function byEdit(edit: BookmarkEdit): BookmarkState {
    const { address, tags: names, place, ...texts } = edit
    return {
      ...texts,
      ...address,
      visibility: place?.visibility,
      organization: place?.owner,
      tags: names && idsOf(names)
    }
  }

  /** What one of many should become, or why it is left alone. */
  function byChange(
    rowId: number,
    change: Exclude<BulkChange, { kind: 'purge' }>,
    at: number
  ): BookmarkState | KeptReason {
    switch (change.kind) {
      case 'tags': {
        const gone = change.remove.map((name) => tags.find(name))
        const left = tags.of(rowId).filter((tag) => !gone.includes(tag))
        const all = ascending([...left, ...idsOf(change.add)])
        return all.length > LIMITS.tags ? 'too-many-tags' : { tags: all }
      }
      case 'move':
        return moved(rowId, { visibility: change.place.visibility, organization: change.place.owner })
      case 'follow': {
        const address = addressOf(movedTo.get(rowId) ?? '')
        return 'fault' in address ? 'not-moved' : moved(rowId, address)
      }
      case 'delete':
        return { deletedAt: at }
      case 'restore':
        return { deletedAt: null }
    }
  }

  function moved(rowId: number, wanted: BookmarkState): BookmarkState | KeptReason {
    const twin = states.twin(rowId, wanted)
    if (!twin) return wanted
    return twin.deletedAt === null ? 'same-page' : 'same-page-in-trash'
  }

  return { byEdit, byChange }
}
