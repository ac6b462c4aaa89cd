import { LIMITS } from '../../contract/bookmark.ts'
import type { Merge, MergeReport, UnmergedReason } from '../../contract/duplicate.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'
import { type BookmarkState, bookmarkStates } from './bookmark-state.ts'
import { ascending, bookmarkTags } from './bookmark-tags.ts'
import { type Addresses, areTied } from './duplicate-ties.ts'
import { undoSteps } from './undo.ts'

interface Row extends Addresses {
  rowId: number
  owner: number | null
  title: string
  description: string
  content: string
  createdAt: number
  deletedAt: number | null
}

/** What the writing thread can do with duplicates. */
export function duplicateMerges(db: WriteConnection) {
  const sql = statements(db)
  const index = searchIndex(db)
  const states = bookmarkStates(db)
  const tags = bookmarkTags(db)
  const steps = undoSteps(db)

  /** What the one that stays should become, or why they cannot be merged. */
  function mergedOf(kept: Row, others: Row[]): BookmarkState | UnmergedReason {
    const all = [kept, ...others]
    if (all.some(({ deletedAt }) => deletedAt !== null)) return 'in-trash'
    if (others.some((other) => other.owner !== kept.owner) || !areTied(all)) return 'other-page'
    const tagIds = ascending(all.flatMap(({ rowId }) => tags.of(rowId)))
    if (tagIds.length > LIMITS.tags) return 'too-many-tags'
    return {
      // Some browsers export an address as the title of a page that has none.
      title: longest(all.map(({ title, url }) => (title === url ? '' : title))) || kept.title,
      description: longest(all.map(({ description }) => description)),
      content: longest(all.map(({ content }) => content)),
      createdAt: Math.min(...all.map(({ createdAt }) => createdAt)),
      tags: tagIds
    }
  }

  return {
    mergeDuplicates: db.transaction((merges: Merge[], at: number): MergeReport => {
      const step = steps.begin(at)
      const changed: number[] = []
      const left: MergeReport['left'] = []
      let trashed = 0
      const change = (rowId: number, wanted: BookmarkState, merged?: number[]) => {
        const replaced = states.replace(rowId, wanted, at)
        if (!replaced) return
        step.note(rowId, replaced, merged)
        changed.push(rowId)
      }
      for (const { keep, others: ids } of merges) {
        const [kept, ...others] = [keep, ...ids].map((id) => sql.find.get(id)).filter((row) => row !== undefined)
        const missing = !kept || others.length < ids.length
        const wanted = missing ? 'missing' : mergedOf(kept, others)
        if (!kept || typeof wanted === 'string') {
          left.push({ keep, reason: typeof wanted === 'string' ? wanted : 'missing' })
          continue
        }
        const merged = others.map(({ rowId }) => rowId)
        change(kept.rowId, wanted, merged)
        for (const { rowId } of others) change(rowId, { deletedAt: at })
        trashed += others.length
      }
      index.refresh(changed)
      return { merged: merges.length - left.length, trashed, left, undo: step.id() }
    })
  }
}

function statements(db: WriteConnection) {
  return {
    find: db.prepare<[string], Row>(
      `SELECT b.id AS rowId, b.organization_id AS owner, b.url, b.title, b.description, b.content,
         b.created_at AS createdAt, b.deleted_at AS deletedAt, d.canonical_url AS canonicalUrl,
         iif(l.mark = 'moved', l.moved_to, NULL) AS movedTo
       FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id LEFT JOIN link_checks l ON l.bookmark_id = b.id
       WHERE b.public_id = ?`
    )
  }
}

/** The first of the longest. */
function longest(texts: string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best))
}
