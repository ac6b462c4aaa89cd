import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkEdit, BulkChange, KeptReason } from '../../contract/bookmark-change.ts'
import { addressOf } from '../../core/address.ts'
import { pageKey } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readValue } from '../../database/sql.ts'
import { type BookmarkState, findTwin } from './bookmark-state.ts'
import { ascending, findOrMakeTag, findTag, tagIdsOf } from './bookmark-tags.ts'

/** Returns what an edit of one bookmark makes of it. */
export function stateAfterEdit(db: WriteConnection, edit: BookmarkEdit): BookmarkState {
  const { address, tags, place, ...texts } = edit
  return {
    ...texts,
    ...address,
    visibility: place?.visibility,
    organization: place?.owner,
    tags: tags && tagIds(db, tags)
  }
}

/** Returns what one of many bookmarks should become, or why it is left alone. */
export function stateAfterChange(
  db: WriteConnection,
  rowId: number,
  change: Exclude<BulkChange, { kind: 'purge' }>,
  at: number
): BookmarkState | KeptReason {
  switch (change.kind) {
    case 'tags': {
      const gone = change.remove.map((name) => findTag(db, name))
      const left = tagIdsOf(db, rowId).filter((tag) => !gone.includes(tag))
      const all = ascending([...left, ...tagIds(db, change.add)])
      return all.length > LIMITS.tags ? 'too-many-tags' : { tags: all }
    }
    case 'move':
      return unlessTwin(db, rowId, { visibility: change.place.visibility, organization: change.place.owner })
    case 'rule':
      return stateAfterRule(db, rowId, change)
    case 'follow': {
      const address = addressOf(movedTo(db, rowId) ?? '')
      return 'fault' in address ? 'not-moved' : unlessTwin(db, rowId, address)
    }
    case 'delete':
      return { deletedAt: at }
    case 'restore':
      return { deletedAt: null, pageKey: givenUpPage(db, rowId) }
  }
}

function stateAfterRule(
  db: WriteConnection,
  rowId: number,
  { add, place }: Extract<BulkChange, { kind: 'rule' }>
): BookmarkState | KeptReason {
  if (place && readValue<number | null>(db)`SELECT organization_id FROM bookmarks WHERE id = ${rowId}` !== null)
    return {}
  const all = ascending([...tagIdsOf(db, rowId), ...tagIds(db, add)])
  if (all.length > LIMITS.tags) return 'too-many-tags'
  const tags = add.length > 0 ? { tags: all } : {}
  if (!place) return tags
  const moved = unlessTwin(db, rowId, { visibility: place.visibility, organization: place.owner })
  if (typeof moved !== 'string') return { ...moved, ...tags }
  return add.length > 0 ? tags : moved
}

function tagIds(db: WriteConnection, names: string[]): number[] {
  return ascending(names.map((name) => findOrMakeTag(db, name)))
}

function movedTo(db: WriteConnection, rowId: number): string | undefined {
  return readValue<string>(db)`SELECT moved_to FROM link_checks WHERE bookmark_id = ${rowId} AND mark = 'moved'`
}

/** Returns the key of the page that a bookmark in the trash gave up to another, where that one is not there any more. */
function givenUpPage(db: WriteConnection, rowId: number): string | undefined {
  const url = readValue<string>(db)`
    SELECT url FROM bookmarks WHERE id = ${rowId} AND page_key IS NULL AND type = 'link' AND url IS NOT NULL`
  const key = url === undefined ? undefined : pageKey(url)
  return key === undefined || findTwin(db, rowId, { pageKey: key }) ? undefined : key
}

function unlessTwin(db: WriteConnection, rowId: number, wanted: BookmarkState): BookmarkState | KeptReason {
  const twin = findTwin(db, rowId, wanted)
  if (!twin) return wanted
  return twin.deletedAt === null ? 'same-page' : 'same-page-in-trash'
}
