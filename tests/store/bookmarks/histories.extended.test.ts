/** Random histories of everything that can be done to bookmarks and tags, against the rows they leave. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkFilter } from '../../../src-main/contract/bookmark.ts'
import type { BulkChange } from '../../../src-main/contract/bookmark-change.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { LINK_MARKS } from '../../../src-main/contract/link-check.ts'
import { Problem } from '../../../src-main/contract/problem.ts'
import type { TagMerge, TagPart } from '../../../src-main/contract/tag.ts'
import { packDrafts } from '../../../src-main/core/packed-drafts.ts'
import { indexFaults } from '../../../src-main/search/sql/index-faults.ts'
import { searchIndex } from '../../../src-main/search/sql/search-index.ts'
import { deleteTagSome, mergeTags, renameTag } from '../../../src-main/store/bookmarks/tags.ts'
import { undoStepSome } from '../../../src-main/store/bookmarks/undo.ts'
import type { WriteConnection } from '../../../src-main/store/connection.ts'
import { runs } from '../../support/runs.ts'
import {
  emptyLibrary,
  hasTag,
  imported,
  link,
  listed,
  newKey,
  note,
  PRIVATE,
  PUBLIC,
  settle,
  undone,
  within
} from '../library.ts'

const TAGS = ['one', 'one/a', 'one/a/b', 'two', 'two/a', 'ÄRZTE', '読書']

/** Chooses one of what is there. */
const which = fc.nat({ max: 30 })
const page = fc.nat({ max: 8 })
const tag = fc.constantFrom(...TAGS)
const tags = fc.array(tag, { maxLength: 3 })
const some = { which: fc.array(which, { maxLength: 6 }) }
const is = <Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind) })

/** A change that is one step and can be undone. */
const change = fc.oneof(
  fc.record({ ...is('edit'), one: which, page, title: fc.constantFrom('日本語 rust', 'Café', ''), tags }),
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
  fc.record({ ...is('delete-tag'), name: tag })
)

const step = fc.oneof(
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
    arbitrary: fc.record({ ...is('check-link'), one: which, state: fc.constantFrom('ok', 'broken', 'moved'), page })
  },
  fc.record({ ...is('rebuild') })
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Bookmarks that one part of an undoing takes back. */
const PART = 2

/** @param atOnce 0 leaves every change of a tag to the background */
function world(atOnce: number) {
  const library = emptyLibrary()
  const owners = ['A', 'B'].map((name) => library.createOrganization(name, 1).rowId)
  const { rowId: keyId } = library.createKey(newKey())
  const { db } = library
  return {
    ...library,
    renameTag: (name: string, newName: string, at: number) =>
      db.transaction(renameTag)(db, name, newName, at, atOnce).answer,
    mergeTags: (merge: TagMerge, at: number) => db.transaction(mergeTags)(db, merge, at, atOnce).answer,
    deleteTagSome: (name: string, at: number, part?: TagPart) =>
      db.transaction(deleteTagSome)(db, name, at, part, atOnce).answer,
    undoStep: (id: number) =>
      undone((step, after) => db.transaction(undoStepSome)(db, step, after, null, { atOnce, part: PART }).answer, id),
    owners,
    keyId
  }
}
type World = ReturnType<typeof world>

/** Does a step, gives the number of the step that undoes it, and lets the library refuse what it should. */
function run(library: World, one: Step, at: number): number | null {
  try {
    return attempt(library, one, at)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function attempt(library: World, one: Step, at: number): number | null {
  const { owners, keyId, db } = library
  const ids = db.prepare<[], string>('SELECT public_id FROM bookmarks ORDER BY id').pluck().all()
  const id = (index: number) => ids[index % Math.max(1, ids.length)] ?? 'none'
  const places = [PRIVATE, PUBLIC, within(owners[0] ?? 0), within(owners[1] ?? 0)]
  const place = (index: number) => places[index % 4] ?? PRIVATE
  const many = (indexes: number[], wanted: BulkChange) => library.changeBookmarks(indexes.map(id), wanted, at).undo
  switch (one.kind) {
    case 'save': {
      const placement = { ...place(one.place), savedAt: at }
      const call = { keyId, client: null, tool: 'bookmarks.insert' }
      library.saveForCall(placement, [link(`https://a.example/${one.page}`, { tags: one.tags, createdAt: at })], call)
      return null
    }
    case 'import': {
      const placement = { ...place(one.place), savedAt: at }
      const drafts = one.pages.map((number) => link(`https://a.example/${number}`, { tags: one.tags, createdAt: at }))
      const packed = packDrafts(drafts.map((draft) => imported(draft, placement)))
      library.importBookmarks(library.beginImport(at), [packed])
      return null
    }
    case 'undo-import': {
      const id = Number(db.prepare('SELECT max(id) FROM imports').pluck().get()) - one.back
      while (library.undoImportSome(id, at)?.done === false);
      return null
    }
    case 'note':
      library.saveBookmarks({ ...PRIVATE, savedAt: at }, [note({ tags: one.tags, content: 'milk' })])
      return null
    case 'edit': {
      const { url, domain, pageKey } = link(`https://b${one.page}.example/`)
      const edit = { title: one.title, tags: one.tags, address: { url, domain, pageKey } }
      return library.editBookmark(id(one.one), edit, at)?.undo ?? null
    }
    case 'move':
      return many(one.which, { kind: 'move', place: place(one.place) })
    case 'follow':
      return many(one.which, { kind: 'follow' })
    case 'check-link': {
      const url = library.findBookmark(id(one.one))?.url
      const movedTo = one.state === 'moved' ? `https://c${one.page}.example/` : null
      const verdict = { state: one.state, fault: null, movedTo, failingSince: null } as const
      if (url) library.saveLink({ id: id(one.one), url, domain: '', round: null, before: null }, verdict, null, at)
      return null
    }
    case 'tags':
      return many(one.which, one)
    case 'delete':
    case 'restore':
      return many(one.which, { kind: one.kind })
    case 'purge':
      return many(one.which, { kind: 'purge' })
    case 'rename-tag':
      return library.renameTag(one.from, one.to, at).undo
    case 'merge-tags':
      return library.mergeTags(one, at).undo
    case 'delete-tag':
      return library.deleteTag(one.name, at).undo
    case 'undo':
      library.undoStep(Number(db.prepare('SELECT max(id) FROM undo_steps').pluck().get()) - one.back)
      return null
    case 'undo-call':
      library.undoCall(one.call, at)
      return null
    case 'purge-trash':
      library.purgeTrash(at - one.ago)
      return null
    case 'forget-steps':
      while (library.forgetSteps(at - one.ago));
      return null
    case 'dissolve':
      library.deleteOrganizationSome(owners[one.owner] ?? 0, one.fate, at)
      return null
    case 'rebuild':
      library.rebuildSome()
      return null
  }
}

/** Every token of both indexes with its bookmark, and the filters' counts: all that a search can see. */
function indexed(db: WriteConnection) {
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.t USING fts5vocab (main, bookmark_texts, instance)')
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.n USING fts5vocab (main, bookmark_titles, instance)')
  return {
    texts: db.prepare('SELECT term, doc, col, offset FROM temp.t ORDER BY 1, 2, 3, 4').all(),
    titles: db.prepare('SELECT DISTINCT term, doc FROM temp.n ORDER BY 1, 2').all(),
    counts: db.prepare('SELECT filter, bookmarks FROM filter_counts WHERE bookmarks <> 0 ORDER BY 1').all()
  }
}

/** Both indexes made anew from the rows. */
function rebuilt(db: WriteConnection) {
  db.exec("INSERT INTO bookmark_texts (bookmark_texts) VALUES ('delete-all')")
  db.exec("INSERT INTO bookmark_titles (bookmark_titles) VALUES ('delete-all')")
  db.exec(
    'DELETE FROM stale_tags; DELETE FROM unindexed_ranges; DELETE FROM filter_counts; UPDATE bookmarks SET filters = NULL'
  )
  const index = searchIndex(db)
  while (index.rebuildSome());
  return indexed(db)
}

/** All bookmarks as a person sees them, with their tags by name. */
function seen(db: WriteConnection) {
  return db
    .prepare(
      `SELECT b.*, NULL AS filters, NULL AS details_due, NULL AS near_page, NULL AS unindexed,
         (SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt
         JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags
       FROM bookmarks b ORDER BY b.id`
    )
    .all()
}

/** How many bookmarks have each tag, counted row by row. */
function tagCounts(db: WriteConnection) {
  return db
    .prepare(
      `SELECT t.name, count(*) AS bookmarks FROM tags t JOIN bookmark_tags bt ON bt.tag_id = t.id
         JOIN bookmarks b ON b.id = bt.bookmark_id WHERE b.deleted_at IS NULL GROUP BY t.id ORDER BY t.folded`
    )
    .all()
}

const FILTERS: BookmarkFilter[] = [
  { domain: 'a.example' },
  { visibility: 'public' },
  { type: 'link', visibility: 'private' },
  { domain: 'example', tags: ['one'] },
  { tags: ['one/'] },
  { tags: ['=one/a'] },
  { type: 'text', tags: ['two', '読書'] }
]

/** What a filter lets through, looked up row by row. */
function wanted(db: WriteConnection, { type, visibility, domain, tags = [] }: BookmarkFilter): string[] {
  const rows = db.prepare('SELECT * FROM bookmarks WHERE deleted_at IS NULL').all() as Record<string, string>[]
  const tagged = db.prepare(
    'SELECT t.folded FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = ?'
  )
  return rows
    .filter((row) => type === undefined || row.type === type)
    .filter((row) => visibility === undefined || row.visibility === visibility)
    .filter((row) => domain === undefined || `.${row.domain}`.endsWith(`.${domain}`))
    .filter((row) => tags.every((tag) => hasTag(tagged.pluck().all(row.id) as string[], tag)))
    .map((row) => row.public_id ?? '')
    .sort()
}

const histories = fc.tuple(fc.constantFrom(0, 2, 200), fc.array(step, { minLength: 1, maxLength: 50 }))

test('after any history lists and counts are right at once, and the indexes as if made anew', {
  timeout: 120_000
}, () => {
  fc.assert(
    fc.property(histories, ([atOnce, steps]) => {
      const library = world(atOnce)
      const { db } = library
      for (const [index, one] of steps.entries()) run(library, one, 1000 + index)
      expect(library.listTags()).toEqual(tagCounts(db))
      for (const { name, bookmarks } of library.listTags()) {
        expect(library.listBookmarks({ tags: [`=${name}`], order: 'newest', page: 1, limit: 1 }).total).toBe(bookmarks)
      }
      const count = (where: string) =>
        db.prepare(`SELECT count(*) FROM bookmarks WHERE deleted_at ${where}`).pluck().get()
      const { all, trash } = library.countByKind()
      expect([all, trash]).toEqual([count('IS NULL'), count('IS NOT NULL')])
      expect(listed(library, { trash: true })).toHaveLength(trash)
      for (const mark of LINK_MARKS) {
        const marked = db
          .prepare(
            'SELECT count(*) FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id WHERE l.mark = ? AND b.deleted_at IS NULL'
          )
          .pluck()
          .get(mark)
        expect(library.countByKind()[mark]).toBe(marked)
        expect(listed(library, { is: [mark] })).toHaveLength(marked as number)
      }
      // A search asks the index, which follows a change of a large tag later.
      const tagsAreStale = db.prepare('SELECT EXISTS (SELECT 1 FROM stale_tags)').pluck().get() === 1
      for (const filter of FILTERS) {
        const ids = wanted(db, filter)
        const { total, bookmarks } = library.listBookmarks({ ...filter, order: 'newest', page: 1, limit: 100 })
        expect([total, bookmarks.map(({ id }) => id).sort()]).toEqual([ids.length, ids])
        if (tagsAreStale) continue
        const found = library.searchBookmarks(PROFILE, { ...filter, page: 1, limit: 100 })
        expect(found.bookmarks.map(({ id }) => id).sort()).toEqual(ids)
      }
      expect(indexFaults(db)).toEqual([])
      settle(library)
      expect(library.hasStale()).toBe(false)
      for (const filter of FILTERS) {
        const found = library.searchBookmarks(PROFILE, { ...filter, page: 1, limit: 100 })
        expect(found.bookmarks.map(({ id }) => id).sort()).toEqual(wanted(db, filter))
      }
      expect(indexed(db)).toEqual(rebuilt(db))
    }),
    { numRuns: runs(40, 400) }
  )
})

test('undoing a change right away leaves every bookmark as it was', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(histories, fc.array(change, { minLength: 1, maxLength: 3 }), ([atOnce, steps], changes) => {
      const library = world(atOnce)
      for (const [index, one] of steps.entries()) run(library, one, 1000 + index)
      const before = seen(library.db)
      const undo = changes.map((one) => run(library, one, 2000))
      for (const number of undo.toReversed()) if (number !== null) library.undoStep(number)
      expect(seen(library.db)).toEqual(before)
    }),
    { numRuns: runs(40, 400) }
  )
})
