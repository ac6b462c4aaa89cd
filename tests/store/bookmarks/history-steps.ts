/** Random steps of everything that can be done to bookmarks and tags. */
import fc from 'fast-check'
import type { BulkChange } from '../../../src-main/contract/bookmark-change.ts'
import type { UndoTarget } from '../../../src-main/contract/call.ts'
import { HighlightRequest } from '../../../src-main/contract/highlight.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import type { TagMerge } from '../../../src-main/contract/tag.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { deleteTag, mergeTags, renameTag } from '../../../src-main/store/bookmarks/tags.ts'
import { undoBatch } from '../../../src-main/store/bookmarks/undo.ts'
import { emptyLibrary, imported, link, newKey, note, PRIVATE, PUBLIC, undone, within } from '../library.ts'

const DAY_MS = 86_400_000

const TAGS = ['one', 'one/a', 'one/a/b', 'two', 'two/a', 'ÄRZTE', '読書']

/** The index of an existing bookmark. */
const which = fc.nat({ max: 30 })
const page = fc.nat({ max: 8 })
const tag = fc.constantFrom(...TAGS)
const tags = fc.array(tag, { maxLength: 3 })
const highlight = fc.constantFrom('h1', 'h2', 'h3')
const some = { which: fc.array(which, { maxLength: 6 }) }
const is = <Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind) })

/** A change that is undone as one step. */
export const change = fc.oneof(
  fc.record({ ...is('edit'), bookmark: which, page, title: fc.constantFrom('日本語 rust', 'Café', ''), tags }),
  fc.record({
    ...is('tags'),
    ...some,
    add: fc.array(tag, { maxLength: 2 }),
    remove: fc.array(tag, { maxLength: 2 })
  }),
  fc.record({ ...is('move'), ...some, place: which }),
  fc.record({ ...is('delete'), ...some }),
  fc.record({ ...is('restore'), ...some }),
  fc.record({ ...is('follow'), ...some }),
  fc.record({ ...is('rename-tag'), from: tag, to: fc.oneof(tag, fc.constantFrom('new', 'ONE', 'a')) }),
  fc.record({ ...is('merge-tags'), from: fc.array(tag, { minLength: 1, maxLength: 2 }), into: tag }),
  fc.record({ ...is('delete-tag'), name: tag }),
  fc.record({ ...is('highlight'), bookmark: which, id: highlight, note: fc.constantFrom('', 'rust', 'Café') }),
  fc.record({ ...is('unhighlight'), bookmark: which, id: highlight })
)

export const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...is('save'), page, place: which, tags }) },
  { weight: 2, arbitrary: fc.record({ ...is('note'), tags }) },
  {
    weight: 4,
    arbitrary: fc.record({ ...is('import'), pages: fc.array(page, { minLength: 1, maxLength: 4 }), place: which, tags })
  },
  fc.record({ ...is('undo-import'), back: fc.nat({ max: 3 }) }),
  { weight: 9, arbitrary: change },
  { weight: 3, arbitrary: fc.record({ ...is('undo'), back: fc.nat({ max: 5 }) }) },
  fc.record({ ...is('purge'), ...some }),
  fc.record({ ...is('undo-call'), call: which }),
  fc.record({ ...is('purge-trash'), ago: which }),
  fc.record({ ...is('forget-steps'), ago: which }),
  fc.record({
    ...is('dissolve'),
    owner: fc.nat({ max: 1 }),
    fate: fc.constantFrom('profile' as const, 'trash' as const)
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      ...is('check-link'),
      bookmark: which,
      state: fc.constantFrom('ok', 'broken', 'moved'),
      page
    })
  },
  fc.record({ ...is('read'), bookmark: which, block: fc.nat({ max: 2 }) }),
  fc.record({ ...is('rebuild') })
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Maximum number of bookmarks in a batch of an undo. */
const BATCH = 2

/**
 * Returns an empty library with two organizations, a key and rules.
 *
 * @param atOnce 0 leaves every change of a tag to the background
 */
export function world(atOnce: number) {
  const library = emptyLibrary()
  const owners = ['A', 'B'].map((name) => library.createOrganization(name, 1).rowId)
  const { rowId: keyId } = library.createKey(newKey())
  library.saveRule({ query: 'tag:one', tags: ['ruled', 'two/b'], place: undefined })
  library.saveRule({ query: 'a.example -tag:two', tags: ['new'], place: { visibility: 'public', owner: null } })
  library.saveRule({ query: 'tag:two/', tags: [], place: { visibility: 'organization', owner: owners[0] ?? 0 } })
  const { db } = library
  return {
    ...library,
    renameTag: (name: string, newName: string, at: number) =>
      db.transaction(renameTag)(db, name, newName, at, atOnce).answer,
    mergeTags: (merge: TagMerge, at: number) => db.transaction(mergeTags)(db, merge, at, atOnce).answer,
    deleteTag: (name: string, at: number) => db.transaction(deleteTag)(db, name, at, atOnce).answer,
    undo: (target: UndoTarget, at: number) =>
      undone(
        (...args) => db.transaction(undoBatch)(db, args[0], args[1], args[2], { atOnce, batch: BATCH }).answer,
        target,
        at
      ),
    owners,
    keyId
  }
}
export type World = ReturnType<typeof world>

/** Does a step and returns the number of the step that undoes it; `null` if it cannot be undone or was refused. */
export function run(library: World, action: Step, at: number): number | null {
  try {
    return attempt(library, action, at)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function attempt(library: World, action: Step, at: number): number | null {
  const { owners, keyId, db } = library
  const ids = db.prepare<[], string>('SELECT public_id FROM bookmarks ORDER BY id').pluck().all()
  const id = (index: number) => ids[index % Math.max(1, ids.length)] ?? 'none'
  const places = [PRIVATE, PUBLIC, within(owners[0] ?? 0), within(owners[1] ?? 0)]
  const place = (index: number) => places[index % 4] ?? PRIVATE
  const many = (indexes: number[], wanted: BulkChange) => library.changeBookmarks(indexes.map(id), wanted, at).undo
  switch (action.kind) {
    case 'save': {
      const placement = { ...place(action.place), savedAt: at }
      const call = { keyId, client: null, tool: 'bookmarks.insert' }
      library.saveForCall(
        placement,
        [link(`https://a.example/${action.page}`, { tags: action.tags, createdAt: at })],
        call
      )
      return null
    }
    case 'import': {
      const placement = { ...place(action.place), savedAt: at }
      const drafts = action.pages.map((number) =>
        link(`https://a.example/${number}`, { tags: action.tags, createdAt: at })
      )
      const packed = packDrafts(drafts.map((draft) => imported(draft, placement)))
      library.importBookmarks(library.beginImport(at), [packed])
      return null
    }
    case 'undo-import': {
      const id = Number(db.prepare('SELECT max(id) FROM imports').pluck().get()) - action.back
      library.undo({ import: id }, at)
      return null
    }
    case 'note':
      library.saveBookmarks({ ...PRIVATE, savedAt: at }, [note({ tags: action.tags, content: 'milk' })])
      return null
    case 'edit': {
      // An original has no address.
      if (library.findBookmark(id(action.bookmark))?.picture) return null
      const { url, domain, pageKey } = link(`https://b${action.page}.example/`)
      const edit = { title: action.title, tags: action.tags, address: { url, domain, pageKey } }
      return library.editBookmark(id(action.bookmark), edit, at)?.undo ?? null
    }
    case 'move':
      return many(action.which, { kind: 'move', place: place(action.place) })
    case 'follow':
      return many(action.which, { kind: 'follow' })
    case 'check-link': {
      const url = library.findBookmark(id(action.bookmark))?.url
      const movedTo = action.state === 'moved' ? `https://c${action.page}.example/` : null
      const verdict = { state: action.state, fault: null, movedTo, failingSince: null } as const
      if (url) library.saveLink({ id: id(action.bookmark), url }, verdict, at)
      return null
    }
    case 'highlight': {
      const request = HighlightRequest.parse({ quote: 'a word', note: action.note })
      return library.saveHighlight(id(action.bookmark), { ...request, id: action.id }, at).undo
    }
    case 'unhighlight':
      return library.deleteHighlight(id(action.bookmark), action.id, at).undo
    case 'read':
      library.saveReadingPlace(id(action.bookmark), { block: action.block, share: 0 })
      return null
    case 'tags':
      return many(action.which, action)
    case 'delete':
    case 'restore':
      return many(action.which, { kind: action.kind })
    case 'purge':
      return many(action.which, { kind: 'purge' })
    case 'rename-tag':
      return library.renameTag(action.from, action.to, at).undo
    case 'merge-tags':
      return library.mergeTags(action, at).undo
    case 'delete-tag':
      return library.deleteTag(action.name, at).undo
    case 'undo':
      library.undo({ step: Number(db.prepare('SELECT max(id) FROM undo_steps').pluck().get()) - action.back }, at)
      return null
    case 'undo-call':
      library.undo({ call: action.call }, at)
      return null
    case 'purge-trash':
      library.purgeTrash(at - action.ago)
      return null
    case 'forget-steps':
      library.forgetSteps(at - action.ago + DAY_MS)
      return null
    case 'dissolve':
      library.deleteOrganizationBatch(owners[action.owner] ?? 0, action.fate, at)
      return null
    case 'rebuild':
      library.indexBatch()
      return null
  }
}
