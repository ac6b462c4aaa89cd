/** Random histories of everything that can be done to bookmarks and tags, compared with the rows. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BookmarkFilter } from '../../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { LINK_MARKS } from '../../../src-main/contract/link-check.ts'
import type { WriteConnection } from '../../../src-main/database/connection.ts'
import { anyToIndex, indexFaults, rebuildIndex } from '../../../src-main/search/sql/search-index.ts'
import { runs } from '../../support/runs.ts'
import { hasTag, listed, settle } from '../library.ts'
import { change, run, step, world } from './history-steps.ts'

/** Everything a search reads: each token of both indexes with its bookmark, and the counts of filters. */
function indexed(db: WriteConnection) {
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.t USING fts5vocab (main, bookmark_texts, instance)')
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.n USING fts5vocab (main, bookmark_titles, instance)')
  return {
    texts: db.prepare('SELECT term, doc, col, offset FROM temp.t ORDER BY 1, 2, 3, 4').all(),
    titles: db.prepare('SELECT DISTINCT term, doc FROM temp.n ORDER BY 1, 2').all(),
    counts: db.prepare('SELECT filter, bookmarks FROM filter_counts WHERE bookmarks <> 0 ORDER BY 1').all()
  }
}

/** The same after both indexes were rebuilt from the rows. */
function rebuilt(db: WriteConnection) {
  rebuildIndex(db)
  return indexed(db)
}

/** All bookmarks with the names of their tags. An undo puts them into the trash with a new time. */
function seen(db: WriteConnection) {
  return db
    .prepare(
      `SELECT b.*, deleted_at IS NULL AS deleted_at, NULL AS filters, NULL AS details_due, NULL AS near_page, NULL AS to_index,
         (SELECT json_group_array(name) FROM (SELECT t.name FROM bookmark_tags bt
         JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = b.id ORDER BY t.folded)) AS tags,
         (SELECT json_group_array(id || highlight) FROM (SELECT * FROM highlights h
         WHERE h.bookmark_id = b.id ORDER BY id)) AS highlights
       FROM bookmarks b ORDER BY b.id`
    )
    .all()
}

/** The number of bookmarks of each tag, counted row by row. */
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

/** The ids that match a filter, read row by row. */
function matching(db: WriteConnection, { type, visibility, domain, tags = [] }: BookmarkFilter): string[] {
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

const histories = fc.tuple(fc.constantFrom(0, 2, 200), fc.array(step, { minLength: 1, maxLength: 50, size: 'max' }))

test('after random histories lists, counts and indexes match the rows', {
  timeout: 120_000
}, () => {
  fc.assert(
    fc.property(histories, ([atOnce, steps]) => {
      const library = world(atOnce)
      const { db } = library
      for (const [index, action] of steps.entries()) run(library, action, 1000 + index)
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
      // A search reads the index, which has a change of a large tag later.
      const tagsAreStale = db
        .prepare('SELECT count(*) FROM bookmarks b JOIN bookmark_texts_docsize d ON d.id = b.id WHERE b.to_index = 1')
        .pluck()
        .get()
      for (const filter of FILTERS) {
        const ids = matching(db, filter)
        const { total, bookmarks } = library.listBookmarks({ ...filter, order: 'newest', page: 1, limit: 100 })
        expect([total, bookmarks.map(({ id }) => id).sort()]).toEqual([ids.length, ids])
        if (tagsAreStale) continue
        const found = library.searchBookmarks(PROFILE, { ...filter, page: 1, limit: 100 })
        expect(found.bookmarks.map(({ id }) => id).sort()).toEqual(ids)
      }
      expect(indexFaults(db)).toEqual([])
      settle(library)
      expect(anyToIndex(library.db)).toBe(false)
      for (const filter of FILTERS) {
        const found = library.searchBookmarks(PROFILE, { ...filter, page: 1, limit: 100 })
        expect(found.bookmarks.map(({ id }) => id).sort()).toEqual(matching(db, filter))
      }
      expect(indexed(db)).toEqual(rebuilt(db))
    }),
    { numRuns: runs(40, 400) }
  )
})

test('undoing random changes restores every bookmark', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(histories, fc.array(change, { minLength: 1, maxLength: 3 }), ([atOnce, steps], changes) => {
      const library = world(atOnce)
      for (const [index, action] of steps.entries()) run(library, action, 1000 + index)
      const before = seen(library.db)
      const undo = changes.map((action) => run(library, action, 2000))
      for (const number of undo.toReversed()) if (number !== null) library.undo({ step: number }, 3000)
      expect(seen(library.db)).toEqual(before)
    }),
    { numRuns: runs(40, 400) }
  )
})
