import type { BookmarkEdit, BulkChange, ChangeReport, KeptReason } from '../../contract/bookmark-change.ts'
import { Problem } from '../../contract/problem.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { bookmarkStates } from './bookmark-state.ts'
import { undoSteps } from './undo.ts'
import { wantedStates } from './wanted-states.ts'

interface Found {
  rowId: number
  deletedAt: number | null
}

/** Changing bookmarks. */
export const edits = family({
  writes: bookmarkEdits,
  emits: {
    editBookmark: (edited) => (edited && edited.undo !== null ? [{ kind: 'bookmarks' }] : []),
    changeBookmarks: ({ changed }) => (changed > 0 ? [{ kind: 'bookmarks' }] : [])
  }
})

/** What the writing thread can do to bookmarks that are there. */
function bookmarkEdits(db: WriteConnection) {
  const index = searchIndex(db)
  const states = bookmarkStates(db)
  const wanting = wantedStates(db)
  const steps = undoSteps(db)
  const find = db.prepare<[string], Found>(
    'SELECT id AS rowId, deleted_at AS deletedAt FROM bookmarks WHERE public_id = ?'
  )
  const purge = db.prepare('DELETE FROM bookmarks WHERE id = ?')

  return {
    /**
     * Changes one bookmark.
     *
     * @returns the step that takes it back, `null` where nothing changed; `undefined` when there is no such bookmark
     * @throws Problem `taken` when another bookmark is that page, `invalid` when it is in the trash
     */
    editBookmark: db.transaction((id: string, edit: BookmarkEdit, at: number): { undo: number | null } | undefined => {
      const found = find.get(id)
      if (!found) return undefined
      if (found.deletedAt !== null) {
        throw new Problem('invalid', 'This bookmark is in the trash. Restore it before changing it.')
      }
      const wanted = wanting.byEdit(edit)
      const twin = states.twin(found.rowId, wanted)
      if (twin) throw new Problem('taken', twin.deletedAt === null ? SAVED : IN_TRASH)
      const step = steps.begin(at)
      const replaced = states.replace(found.rowId, wanted, at)
      if (replaced) {
        step.note(found.rowId, replaced)
        index.refresh([found.rowId])
      }
      return { undo: step.id() }
    }),

    /** Changes many; one that cannot be never keeps the others from it. */
    changeBookmarks: db.transaction(
      (ids: string[], change: BulkChange, at: number, begun?: number | null): ChangeReport => {
        const step = steps.begin(at, begun)
        const kept: ChangeReport['kept'] = []
        const changed: number[] = []
        const wanted = [...new Set(ids)]
        for (const id of wanted) {
          const found = find.get(id)
          const fault = faultOf(found, change.kind)
          if (!found || fault) {
            kept.push({ id, reason: fault ?? 'missing' })
          } else if (change.kind === 'purge') {
            purge.run(found.rowId)
            changed.push(found.rowId)
          } else {
            const state = wanting.byChange(found.rowId, change, at)
            const replaced = typeof state === 'string' ? undefined : states.replace(found.rowId, state, at)
            if (typeof state === 'string') kept.push({ id, reason: state })
            if (replaced) {
              step.note(found.rowId, replaced)
              changed.push(found.rowId)
            }
          }
        }
        index.refresh(changed)
        return { changed: changed.length, unchanged: wanted.length - changed.length, kept, undo: step.id() }
      }
    )
  }
}

function faultOf(found: Found | undefined, kind: BulkChange['kind']): KeptReason | undefined {
  if (!found) return 'missing'
  const fromTrash = kind === 'restore' || kind === 'purge'
  if (fromTrash === (found.deletedAt !== null)) return undefined
  return fromTrash ? 'not-in-trash' : 'in-trash'
}

const SAVED = 'Another bookmark already has this address there.'
const IN_TRASH = 'A bookmark with this address lies in the trash there. Restore it, or delete it for good first.'
