import type { BookmarkType, Visibility } from '../../contract/bookmark.ts'
import type { LinkMark } from '../../contract/link-check.ts'
import { MOST_PAGE_TEXT } from '../../contract/page-details.ts'
import { foldedWords, indexText } from '../../core/segment.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { filterToken, placeTokens, siteTokens } from './filter-tokens.ts'
import { unindexedRows } from './unindexed.ts'
import { wordList } from './words.ts'

/** Bookmarks a batch of the background's work; between two of them other writes get their turn. */
const REBUILD_BATCH = 200

/** Between two tags, so that no phrase is found across them. */
const APART = ' \ue001 '

/**
 * Keeps both indexes and the filters' counts beside the rows. Whatever changes bookmarks ends its transaction with
 * `refresh` of them. Not after every row: FTS5 writes a segment of its own for every row that is not above the one
 * before, and at every statement that may stop halfway (one with a trigger, one to a foreign key).
 */
export function searchIndex(db: WriteConnection) {
  const words = wordList(db)
  const unindexed = unindexedRows(db)
  const read = indexedRows(db)
  const addTexts = db.prepare(
    `INSERT INTO bookmark_texts (rowid, title, tags, address, description, content, filters)
     VALUES (?, ?, ?, ?, ?, ?, ?)`
  )
  const addTitle = db.prepare('INSERT INTO bookmark_titles (rowid, words, filters) VALUES (?, ?, ?)')
  const removeTexts = db.prepare('DELETE FROM bookmark_texts WHERE rowid = ?')
  const removeTitle = db.prepare('DELETE FROM bookmark_titles WHERE rowid = ?')
  const setFilters = db.prepare('UPDATE bookmarks SET filters = ? WHERE id = ?')
  const count = db.prepare(
    `INSERT INTO filter_counts (filter, bookmarks) VALUES (?, ?)
     ON CONFLICT (filter) DO UPDATE SET bookmarks = bookmarks + excluded.bookmarks`
  )
  const pending = db
    .prepare<[number], number>(
      'SELECT id FROM bookmarks WHERE filters IS NULL AND deleted_at IS NULL ORDER BY id DESC LIMIT ?'
    )
    .pluck()
  const readStale = db.prepare<[number], { tag: number; ahead: number }>(
    'SELECT tag_id AS tag, ahead FROM stale_tags WHERE bookmark_id = ?'
  )
  const forgetStale = db.prepare('DELETE FROM stale_tags WHERE bookmark_id = ?')
  const stale = db.prepare<[number], number>('SELECT DISTINCT bookmark_id FROM stale_tags LIMIT ?').pluck()
  const anyStale = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM stale_tags)').pluck()
  const markRenamed = db.prepare(
    `INSERT OR IGNORE INTO stale_tags (bookmark_id, tag_id, ahead)
       SELECT b.id, bt.tag_id, 0 FROM bookmark_tags bt JOIN bookmarks b ON b.id = bt.bookmark_id
       WHERE bt.tag_id = ? AND b.filters IS NOT NULL`
  )
  const markChanged = db.prepare(
    `INSERT INTO stale_tags (bookmark_id, tag_id, ahead)
       SELECT b.id, u.tag_id, u.given * @direction FROM undo_taggings u JOIN bookmarks b ON b.id = u.bookmark_id
       WHERE u.step_id = @step AND u.bookmark_id > @after AND b.filters IS NOT NULL
     ON CONFLICT (bookmark_id, tag_id) DO UPDATE SET ahead = ahead + excluded.ahead`
  )
  const countChanged = db.prepare<[{ step: number; direction: number; after: number }], { tag: number; more: number }>(
    `SELECT u.tag_id AS tag, sum(u.given) * @direction AS more FROM undo_taggings u
       JOIN bookmarks b ON b.id = u.bookmark_id
     WHERE u.step_id = @step AND u.bookmark_id > @after AND b.filters IS NOT NULL GROUP BY u.tag_id`
  )

  /** The counts follow from the row again. */
  function takeStale(rowId: number, count: Count): void {
    const stale = readStale.all(rowId)
    if (stale.length === 0) return
    for (const { tag, ahead } of stale) count(filterToken.tag(tag), -ahead)
    forgetStale.run(rowId)
  }

  /** @param held whether the indexes hold the row, if it is counted at all */
  function refreshOne(rowId: number, held: boolean, count: Count): void {
    const row = read(rowId)
    if (!row) return
    takeStale(rowId, count)
    if (row.unindexed) unindexed.enter(row)
    if (row.filters !== null) {
      if (held) {
        removeTexts.run(rowId)
        removeTitle.run(rowId)
      }
      for (const filter of row.filters.split(' ')) count(filter, -1)
    }
    if (row.deletedAt !== null) {
      if (row.filters !== null) setFilters.run(null, rowId)
      return
    }
    const filters = filtersOf(
      row,
      row.tags.map(({ id }) => id)
    )
    const tokens = filters.join(' ')
    const { title, tags, address, description, content, said } = indexedTexts(row)
    addTexts.run(rowId, title, tags, address, description, said, tokens)
    // Not a whole page's words: strangers' typos would be taken for what was meant.
    words.learn(foldedWords([title, tags, address, description, content].join(' ')))
    addTitle.run(rowId, `${title}${APART}${tags}`, tokens)
    for (const filter of filters) count(filter, 1)
    if (tokens !== row.filters) setFilters.run(tokens, rowId)
  }

  function counted(work: (count: Count) => void): void {
    const counts = new Map<string, number>()
    work((filter, more) => counts.set(filter, (counts.get(filter) ?? 0) + more))
    addCounts(counts)
  }

  function addCounts(counts: Map<string, number>): void {
    for (const [filter, more] of counts) if (more !== 0) count.run(filter, more)
  }

  function refresh(rowIds: number[]): void {
    counted((count) => {
      for (const rowId of rowIds.toSorted((a, b) => a - b)) refreshOne(rowId, !unindexed.take(rowId), count)
    })
  }

  function indexSome(): number {
    const rows = unindexed.takeSome(REBUILD_BATCH)
    if (!rows) return 0
    counted((count) => {
      for (const rowId of rows) refreshOne(rowId, false, count)
    })
    return Math.max(1, rows.length)
  }

  return {
    /** Brings the index up to these rows. */
    refresh,
    /**
     * Counts new rows, the highest of all, and leaves their words to the background.
     *
     * @param counts how many of them have each token
     */
    defer(first: number, last: number, counts: Map<string, number>): void {
      unindexed.add(first, last)
      addCounts(counts)
    },
    /**
     * Leaves to the background what a step's taggings changed, or with -1 what taking them back did. The counts of tags
     * are right at once.
     *
     * @param after of the bookmarks above this row id alone
     */
    markChanged(step: number, direction: 1 | -1, after = 0): void {
      for (const { tag, more } of countChanged.all({ step, direction, after })) count.run(filterToken.tag(tag), more)
      markChanged.run({ step, direction, after })
    },
    /** Leaves to the background the words of all bookmarks with a tag. */
    markRenamed(tag: number): void {
      markRenamed.run(tag)
    },
    /** Whether something was left to the background. */
    hasStale: () => unindexed.any() || anyStale.get() === 1,
    /** Indexes some of the rows that were left to the background, newest first. 0 when none is left. */
    indexSome: db.transaction(indexSome),
    /** Indexes some rows that are not indexed yet, newest first, or no longer rightly. False when none is left. */
    rebuildSome: db.transaction((): boolean => {
      if (indexSome() > 0) return true
      const rows = pending.all(REBUILD_BATCH)
      if (rows.length === 0) rows.push(...stale.all(REBUILD_BATCH))
      refresh(rows)
      return rows.length > 0
    })
  }
}

/** Counts so many more bookmarks with a filter's token. */
type Count = (filter: string, more: number) => void

/** What of a row it is filtered by, beside its tags. */
interface Filtered {
  type: BookmarkType
  visibility: Visibility
  organization: number | null
  domain: string | null
  link: LinkMark | null
}

interface IndexedRow extends Filtered {
  id: number
  pageKey: string | null
  picture: string | null
  url: string | null
  title: string
  description: string
  content: string
  filters: string | null
  deletedAt: number | null
  unindexed: 1 | null
  pageText: string | null
  /** In the order of their row ids. */
  tags: { id: number; name: string }[]
}

/** Reads what of a bookmark is indexed. */
export function indexedRows(db: Pick<ReadConnection, 'prepare'>): (rowId: number) => IndexedRow | undefined {
  const read = db.prepare(
    `SELECT id, type, visibility, organization_id AS organization, url, domain, title, description, content, filters,
       deleted_at AS deletedAt, unindexed, page_key AS pageKey, picture,
       (SELECT mark FROM link_checks l WHERE l.bookmark_id = bookmarks.id) AS link,
       (SELECT text FROM page_texts p WHERE p.bookmark_id = bookmarks.id) AS pageText FROM bookmarks WHERE id = ?`
  )
  const readTags = db.prepare(
    'SELECT t.id, t.name FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id WHERE bt.bookmark_id = ? ORDER BY bt.tag_id'
  )
  return (rowId) => {
    const row = read.get(rowId) as Omit<IndexedRow, 'tags'> | undefined
    return row && { ...row, tags: readTags.all(rowId) as IndexedRow['tags'] }
  }
}

/** The texts of a bookmark as the indexes get them; `said` is its content with the text of its page. */
export function indexedTexts({ title, tags, url, description, content, pageText }: IndexedRow) {
  const own = indexText(content)
  return {
    title: indexText(title),
    tags: tags.map(({ name }) => indexText(name)).join(APART),
    address: indexText(readable(url ?? '')),
    description: indexText(description),
    content: own,
    said: pageText === null ? own : `${own}${APART}${indexText(pageText).slice(0, MOST_PAGE_TEXT)}`
  }
}

/**
 * The tokens of a row's filters.
 *
 * @param tags row ids in ascending order
 */
function filtersOf(row: Filtered, tags: number[]): string[] {
  return [
    ...placeTokens(row.type, row.visibility, row.organization),
    ...(row.link === null ? [] : [filterToken.link(row.link)]),
    ...(row.domain === null ? [] : siteTokens(row.domain)),
    ...tags.map(filterToken.tag)
  ]
}

/** The words of an address: percent-encoding undone, so that `%E6%97%A5` is found by its character. */
function readable(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
