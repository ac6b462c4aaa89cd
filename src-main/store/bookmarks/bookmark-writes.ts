import type { BookmarkDraft, Placement, SavedBookmark } from '../../contract/bookmark.ts'
import type { CallOrigin } from '../../contract/call.ts'
import type { Change } from '../../contract/change.ts'
import type { NewPicture } from '../../contract/picture.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import { addCall, setSaver } from '../access/calls.ts'
import type { Written } from '../calls.ts'
import { keepOriginal } from '../pages/pictures.ts'
import { publicId } from '../public-id.ts'
import {
  assertOwner,
  findByCanonicalUrl,
  findSamePage,
  giveUpPage,
  insertBookmark,
  takeFromTrash
} from './bookmark-inserts.ts'
import type { BookmarkState } from './bookmark-state.ts'
import { applyRules } from './rules.ts'
import { claimSamples } from './samples.ts'
import { KEPT_DAYS, recordChange, recordNew, type UndoStep } from './undo-steps.ts'

/** Saves all drafts in one transaction. The results are in the order of the drafts. */
export function saveBookmarks(
  db: WriteConnection,
  placement: Placement,
  drafts: BookmarkDraft[]
): Written<SavedBookmark[]> {
  const { saved, ruleEvents } = saveAll(db, placement, drafts)
  return { answer: saved, events: [...newBookmarks(saved), ...ruleEvents] }
}

/** Saves a bookmark with its picture. */
export function savePicture(
  db: WriteConnection,
  placement: Placement,
  draft: BookmarkDraft,
  picture: NewPicture
): Written<SavedBookmark> {
  assertOwner(db, placement.owner)
  keepOriginal(db, picture, placement.savedAt)
  const { id, status, rowId } = saveOne(db, placement, draft)
  const newRows = status === 'saved' ? [rowId] : []
  searchIndex(db).refresh(newRows)
  const ruleEvents = applyRules(db, newRows, placement.savedAt)
  return { answer: { id, status }, events: [...newBookmarks([{ status }]), ...ruleEvents] }
}

/**
 * Saves the bookmarks of an agent's call as one undo step, and records the call. Returns a result for each draft, and the
 * row id of the call. If a page is in the trash, an organization's key saves a new bookmark instead of restoring the old
 * one, because such a key cannot read the trash.
 */
export function saveForCall(
  db: WriteConnection,
  placement: Placement,
  drafts: BookmarkDraft[],
  call: CallOrigin & { tool: string }
): Written<{ saved: SavedBookmark[]; callId: number }> {
  const { savedAt: at } = placement
  const { saved, newRows, ruleEvents } = saveAll(db, placement, drafts, placement.owner !== null)
  const step: UndoStep = { id: null, at, keptDays: KEPT_DAYS.call }
  for (const { rowId, before } of newRows) {
    if (before) recordChange(db, step, rowId, { before, changedAt: at })
    else recordNew(db, step, rowId, rowId)
    setSaver(db, rowId, call)
  }
  const callId = addCall(db, { ...call, at, results: newRows.length, bytes: 0 }, step.id)
  return { answer: { saved, callId }, events: [...newBookmarks(saved, call.client), { kind: 'calls' }, ...ruleEvents] }
}

/** @param asNew saves a page that is in the trash as a new bookmark, and leaves the old one there */
function saveAll(db: WriteConnection, placement: Placement, drafts: BookmarkDraft[], asNew = false) {
  assertOwner(db, placement.owner)
  const rows = drafts.map((draft) => saveOne(db, placement, draft, asNew))
  const newRows = rows.filter((row) => row.status === 'saved')
  const rowIds = newRows.map(({ rowId }) => rowId)
  searchIndex(db).refresh(rowIds)
  const ruleEvents = applyRules(db, rowIds, placement.savedAt)
  return { saved: rows.map(({ id, status }): SavedBookmark => ({ id, status })), newRows, ruleEvents }
}

interface SavedRow extends SavedBookmark {
  rowId: number
  /** The state that the bookmark had in the trash, if it was restored. */
  before?: BookmarkState
}

/** Saves one bookmark. The caller then has to update the search index. */
function saveOne(db: WriteConnection, placement: Placement, draft: BookmarkDraft, asNew = false): SavedRow {
  const { owner, pageKey, visibility, savedAt } = { ...placement, ...draft }
  const found =
    pageKey === null ? undefined : (findSamePage(db, owner, pageKey) ?? findByCanonicalUrl(db, owner, pageKey))
  if (found?.deletedAt === null) {
    claimSamples(db, [found.rowId])
    return { id: found.publicId, rowId: found.rowId, status: 'existing' }
  }
  if (found && asNew) giveUpPage(db, found.rowId)
  else if (found) {
    const before = takeFromTrash(db, found.rowId, savedAt, { ...draft, visibility })
    return { id: found.publicId, rowId: found.rowId, status: 'saved', before }
  }
  const id = publicId()
  const rowId = insertBookmark(db, { ...draft, id, owner, visibility, updatedAt: savedAt, deletedAt: null })
  return { id, rowId, status: 'saved' }
}

/**
 * Returns the events of a write that adds bookmarks.
 *
 * @param client the name of the client that made the call, `null` if unknown; `undefined` if a person saved them
 */
function newBookmarks(all: Pick<SavedBookmark, 'status'>[], client?: string | null): Change[] {
  const saved = all.filter(({ status }) => status === 'saved').length
  return saved === 0 ? [] : [{ kind: 'bookmarks', saved, by: client === null ? '' : client }]
}
