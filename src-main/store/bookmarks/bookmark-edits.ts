import { LIMITS } from '../../contract/bookmark.ts'
import type { BookmarkEdit, BulkChange, ChangeReport, UnchangedReason } from '../../contract/bookmark-change.ts'
import { Problem } from '../../contract/problem.ts'
import { addressOf } from '../../core/address.ts'
import { pageKey } from '../../core/page-key.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRow, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { lastLogged, markAutomatic } from '../sync/stamping.ts'
import { assertOwner } from './bookmark-inserts.ts'
import {
  ascending,
  type BookmarkState,
  findOrMakeTag,
  findTag,
  findTwin,
  replaceState,
  tagIdsOf
} from './bookmark-state.ts'
import { recordChange, type UndoStep } from './undo-steps.ts'

interface Found {
  rowId: number
  deletedAt: number | null
  updatedAt: number
}

/**
 * Changes one bookmark.
 *
 * @returns the undo step, `null` if nothing changed; `undefined` if there is no such bookmark
 * @throws Problem `taken` if another bookmark of the owner has the address; `invalid` if the bookmark is in the trash or
 *   would get too many tags; `not-found` if the organization in `edit.place` was deleted; `conflict` if the bookmark
 *   changed since the version that the client read. An edit that would change nothing throws no `conflict`, so that a
 *   client that received no answer may repeat it
 */
export function editBookmark(
  db: WriteConnection,
  id: string,
  edit: BookmarkEdit,
  at: number
): Written<{ undo: number | null } | undefined> {
  const found = find(db, id)
  if (!found) return { answer: undefined, events: [] }
  const isOutdated = edit.version !== undefined && edit.version !== found.updatedAt
  if (found.deletedAt !== null) throw isOutdated ? changedElsewhere() : new Problem('invalid', EDITED_IN_TRASH)
  assertOwner(db, edit.place?.owner)
  const wanted = stateAfterEdit(db, found.rowId, edit)
  const twin = findTwin(db, found.rowId, wanted)
  if (twin) throw new Problem('taken', twin.deletedAt === null ? SAVED : IN_TRASH)
  const replaced = replaceState(db, found.rowId, wanted, at)
  if (!replaced) return { answer: { undo: null }, events: [] }
  if (isOutdated) throw changedElsewhere()
  const step: UndoStep = { id: null, at }
  recordChange(db, step, found.rowId, replaced)
  searchIndex(db).refresh([found.rowId])
  return { answer: { undo: step.id }, events: [{ kind: 'bookmarks' }] }
}

/**
 * Changes many bookmarks. Bookmarks that cannot be changed are reported in `kept`; the others are still changed.
 *
 * @param begun the id of an undo step to add this change to, so that both changes are undone together
 * @throws Problem `not-found` if the organization in `change.place` was deleted
 */
export function changeBookmarks(
  db: WriteConnection,
  ids: string[],
  change: BulkChange,
  at: number,
  begun: number | null = null
): Written<ChangeReport> {
  if (change.kind === 'move' || change.kind === 'rule') assertOwner(db, change.place?.owner)
  const step: UndoStep = { id: begun, at }
  const kept: ChangeReport['kept'] = []
  const changed: number[] = []
  const wanted = [...new Set(ids)]
  for (const id of wanted) {
    const outcome = changeOne(db, find(db, id), change, step)
    if (typeof outcome === 'string') kept.push({ id, reason: outcome })
    else if (outcome) changed.push(outcome.changed)
  }
  searchIndex(db).refresh(changed)
  return {
    answer: { changed: changed.length, unchanged: wanted.length - changed.length, kept, undo: step.id },
    events: changed.length > 0 ? [{ kind: 'bookmarks' }] : []
  }
}

/** Maximum number of bookmarks that one transaction purges. Other writes run between two transactions. */
const PURGE_BATCH = 500

/**
 * Permanently deletes a batch of the bookmarks that were moved to the trash before a time. Returns their number; 0 if
 * none remain.
 *
 * @param before `Number.MAX_SAFE_INTEGER` if a person empties the trash. Any other time marks the deletions as automatic
 *   for synchronization
 */
export function purgeTrash(db: WriteConnection, before: number): Written<number> {
  const logged = lastLogged(db)
  const { changes } = run(db)`
    DELETE FROM bookmarks WHERE id IN
    (SELECT id FROM bookmarks WHERE deleted_at IS NOT NULL AND deleted_at < ${before} LIMIT ${PURGE_BATCH})`
  if (before < Number.MAX_SAFE_INTEGER) markAutomatic(db, logged)
  return { answer: changes, events: changes > 0 ? [{ kind: 'bookmarks' }] : [] }
}

/**
 * Returns the row id of the changed bookmark, the reason why it was not changed, or `undefined` if nothing differed.
 */
function changeOne(
  db: WriteConnection,
  found: Found | undefined,
  change: BulkChange,
  step: UndoStep
): { changed: number } | UnchangedReason | undefined {
  if (!found) return 'missing'
  const fromTrash = change.kind === 'restore' || change.kind === 'purge'
  if (fromTrash !== (found.deletedAt !== null)) return fromTrash ? 'not-in-trash' : 'in-trash'
  if (change.kind === 'purge') {
    run(db)`DELETE FROM bookmarks WHERE id = ${found.rowId}`
    return { changed: found.rowId }
  }
  const state = stateAfterChange(db, found.rowId, change, step.at)
  if (typeof state === 'string') return state
  const replaced = replaceState(db, found.rowId, state, step.at)
  if (!replaced) return undefined
  recordChange(db, step, found.rowId, replaced)
  return { changed: found.rowId }
}

function find(db: WriteConnection, id: string): Found | undefined {
  return readRow<Found>(db)`
    SELECT id AS rowId, deleted_at AS deletedAt, updated_at AS updatedAt FROM bookmarks WHERE public_id = ${id}`
}

const EDITED_IN_TRASH = 'This bookmark is in the trash. Restore it before changing it.'
const SAVED = 'Another bookmark there already has this address.'
const IN_TRASH = 'A bookmark with this address is in the trash there. Restore it, or delete it permanently first.'

function changedElsewhere(): Problem {
  return new Problem('conflict', 'This bookmark was changed elsewhere. Read it again before changing it.')
}

/** Returns the fields that an edit sets, with their values. */
function stateAfterEdit(db: WriteConnection, rowId: number, edit: BookmarkEdit): BookmarkState {
  const { address, tags, formerTags, place, version: _, ...texts } = edit
  return {
    ...texts,
    ...address,
    visibility: place?.visibility,
    organization: place?.owner,
    tags: tags && (formerTags ? tagsAfterEdit(db, rowId, formerTags, tags) : tagIds(db, tags))
  }
}

function tagsAfterEdit(db: WriteConnection, rowId: number, former: string[], wanted: string[]): number[] {
  const add = wanted.filter((name) => !former.includes(name))
  const remove = former.filter((name) => !wanted.includes(name))
  const all = tagsAfterChange(db, rowId, add, remove)
  if (all.length > LIMITS.tags) throw new Problem('invalid', `tags: a bookmark has at most ${LIMITS.tags} tags`)
  return all
}

function tagsAfterChange(db: WriteConnection, rowId: number, add: string[], remove: string[]): number[] {
  const removed = remove.map((name) => findTag(db, name))
  const remaining = tagIdsOf(db, rowId).filter((tag) => !removed.includes(tag))
  return ascending([...remaining, ...tagIds(db, add)])
}

/** Returns the fields that a bulk change sets on a bookmark, or the reason why the bookmark is not changed. */
export function stateAfterChange(
  db: WriteConnection,
  rowId: number,
  change: Exclude<BulkChange, { kind: 'purge' }>,
  at: number
): BookmarkState | UnchangedReason {
  switch (change.kind) {
    case 'tags': {
      const all = tagsAfterChange(db, rowId, change.add, change.remove)
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
): BookmarkState | UnchangedReason {
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

/**
 * A bookmark in the trash loses its page key to a new bookmark of the same page. Returns that key, or `undefined` if
 * another bookmark still has it.
 */
function givenUpPage(db: WriteConnection, rowId: number): string | undefined {
  const url = readValue<string>(db)`
    SELECT url FROM bookmarks WHERE id = ${rowId} AND page_key IS NULL AND type = 'link' AND url IS NOT NULL`
  const key = url === undefined ? undefined : pageKey(url)
  return key === undefined || findTwin(db, rowId, { pageKey: key }) ? undefined : key
}

function unlessTwin(db: WriteConnection, rowId: number, wanted: BookmarkState): BookmarkState | UnchangedReason {
  const twin = findTwin(db, rowId, wanted)
  if (!twin) return wanted
  return twin.deletedAt === null ? 'same-page' : 'same-page-in-trash'
}
