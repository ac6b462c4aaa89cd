import { LIMITS, type Visibility } from '../../contract/bookmark.ts'
import type { Merge, MergeReport, UnmergedReason } from '../../contract/duplicate.ts'
import type { WriteConnection } from '../../database/connection.ts'
import { readRow } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'
import { findTabText } from '../pages/page-texts.ts'
import { type BookmarkState, replaceState } from './bookmark-state.ts'
import { ascending, tagIdsOf } from './bookmark-tags.ts'
import { type Addresses, areTied } from './duplicate-ties.ts'
import { noteChange, type UndoStep } from './undo-steps.ts'

interface Row extends Addresses {
  rowId: number
  owner: number | null
  visibility: Visibility
  title: string
  description: string
  content: string
  createdAt: number
  deletedAt: number | null
}

/** Merges duplicates, all in one step; what cannot be merged is left alone. */
export function mergeDuplicates(
  db: WriteConnection,
  merges: Merge[],
  at: number,
  goOn: number | null = null
): Written<MergeReport> {
  const step: UndoStep = { id: goOn, at }
  const left: MergeReport['left'] = []
  const changed: number[] = []
  let trashed = 0
  for (const { keep, others } of merges) {
    const merged = mergeOne(db, [keep, ...others], step)
    if (typeof merged === 'string') {
      left.push({ keep, reason: merged })
      continue
    }
    changed.push(...merged)
    trashed += others.length
  }
  searchIndex(db).refresh(changed)
  return {
    answer: { merged: merges.length - left.length, trashed, left, undo: step.id },
    events: trashed > 0 ? [{ kind: 'bookmarks' }] : []
  }
}

/** Makes the first of these bookmarks what all are, and trashes the others. Returns the row ids of what changed. */
function mergeOne(db: WriteConnection, ids: string[], step: UndoStep): number[] | UnmergedReason {
  const [kept, ...others] = ids.map((id) => find(db, id)).filter((row) => row !== undefined)
  if (!kept || others.length < ids.length - 1) return 'missing'
  const wanted = merge(db, kept, others)
  if (typeof wanted === 'string') return wanted
  const merged = others.map(({ rowId }) => rowId)
  const changes = [{ rowId: kept.rowId, state: wanted, merged }]
  for (const rowId of merged) changes.push({ rowId, state: { deletedAt: step.at }, merged: [] })
  return changes.flatMap(({ rowId, state, merged }) => {
    const replaced = replaceState(db, rowId, state, step.at)
    if (!replaced) return []
    const before = merged.length > 0 ? { ...replaced.before, merged } : replaced.before
    noteChange(db, step, rowId, { ...replaced, before })
    return [rowId]
  })
}

/** Returns what the one that stays should become, or why they cannot be merged. */
function merge(db: WriteConnection, kept: Row, others: Row[]): BookmarkState | UnmergedReason {
  const all = [kept, ...others]
  if (all.some(({ deletedAt }) => deletedAt !== null)) return 'in-trash'
  if (others.some((other) => other.owner !== kept.owner) || !areTied(all)) return 'other-page'
  const tags = ascending(all.flatMap(({ rowId }) => tagIdsOf(db, rowId)))
  if (tags.length > LIMITS.tags) return 'too-many-tags'
  const tabTexts = all.map(({ rowId }) => findTabText(db, rowId)).filter((text) => text !== undefined)
  const state: BookmarkState = {
    // Some browsers export an address as the title of a page that has none.
    title: longest(all.map(({ title, url }) => (title === url ? '' : title))) || kept.title,
    description: longest(all.map(({ description }) => description)),
    content: longest(all.map(({ content }) => content)),
    createdAt: Math.min(...all.map(({ createdAt }) => createdAt)),
    // What one of them keeps private, another does not show.
    visibility: all.some(({ visibility }) => visibility === 'private') ? 'private' : kept.visibility,
    tags
  }
  if (tabTexts.length > 0) state.tabText = longest(tabTexts)
  return state
}

function find(db: WriteConnection, id: string): Row | undefined {
  return readRow<Row>(db)`
    SELECT b.id AS rowId, b.organization_id AS owner, b.visibility, b.url, b.title, b.description, b.content,
      b.created_at AS createdAt, b.deleted_at AS deletedAt, d.canonical_url AS canonicalUrl,
      iif(l.mark = 'moved', l.moved_to, NULL) AS movedTo
    FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id LEFT JOIN link_checks l ON l.bookmark_id = b.id
    WHERE b.public_id = ${id}`
}

/** Returns the first of the longest texts. */
function longest(texts: string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best))
}
