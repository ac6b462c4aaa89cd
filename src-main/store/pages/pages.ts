import type { LinkVerdict } from '../../contract/link-check.ts'
import type { DuePage, KeptDetails, PageFailure, StoredPage, TextLayout } from '../../contract/page-details.ts'
import { ownPageHash } from '../../core/own-page.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { linkNotes } from './link-notes.ts'

/** Looked at for a page of another domain than those that are busy, so that a long row of one site costs little. */
const WINDOW = 2000

/** As far as what is left to read is counted. */
const COUNT_CAP = 10_000

interface Now {
  rowId: number
  type: string
  title: string
  description: string
  /** What the page gave before; empty where something else stands there. */
  pageTitle: string
  pageDescription: string
}

/** What the pages of bookmarks say. */
export const pages = family({
  here: pageReads,
  writes: pageWrites,
  emits: {
    saveDetails: (kept) => (kept ? [{ kind: 'details' }] : []),
    saveFailure: (kept) => (kept ? [{ kind: 'details' }] : []),
    saveTabText: (kept) => (kept ? [{ kind: 'details' }] : []),
    askForPage: (asked) => (asked ? [{ kind: 'details' }] : [])
  }
})

/** What the writing thread can do with what pages say. None of it counts as a change to the bookmark. */
function pageWrites(db: WriteConnection) {
  const sql = statements(db)
  const index = searchIndex(db)
  const links = linkNotes(db)

  return {
    saveDetails: db.transaction(({ id, url }: DuePage, details: KeptDetails, at: number): boolean => {
      const now = sql.find.get(id, url)
      if (!now) return false
      const { rowId } = now
      const title = filled(now.title, now.pageTitle, details.title)
      const description = filled(now.description, now.pageDescription, details.description)
      const type = details.kind === 'image' && now.type === 'link' ? 'image' : now.type
      sql.setBookmark.run({ rowId, type, title: title.text, description: description.text, due: null })
      const { siteName, canonicalUrl, language, publishedAt, icon, preview, text, layout } = details
      const ownPage = ownPageHash(url, canonicalUrl)
      const kept = { siteName, canonicalUrl, ownPage, language, publishedAt, icon, preview }
      sql.setDetails.run({ rowId, at, ...kept, pageTitle: title.given, pageDescription: description.given })
      if (text === '') sql.removeText.run(rowId)
      else {
        sql.setText.run(rowId, text, layout && JSON.stringify(layout))
        sql.countText.run()
      }
      links.clear(rowId, at)
      index.refresh([rowId])
      return true
    }),

    saveFailure: db.transaction(({ id, url }: DuePage, failure: PageFailure, at: number): boolean => {
      const now = sql.find.get(id, url)
      if (!now) return false
      const { rowId, type, description } = now
      const { due, attempts, fault } = failure
      const title =
        now.title === '' ? { text: failure.title, given: failure.title } : { text: now.title, given: now.pageTitle }
      sql.setBookmark.run({ rowId, type, title: title.text, description, due })
      sql.setFailure.run({
        rowId,
        at,
        state: due === null ? 'failed' : 'waiting',
        attempts,
        fault,
        pageTitle: title.given
      })
      if (fault === 'gone') links.keep(rowId, url, GONE, at)
      if (title.text !== now.title || fault === 'gone') index.refresh([rowId])
      return true
    }),

    saveTabText: db.transaction(({ id, url }: Pick<DuePage, 'id' | 'url'>, text: string): boolean => {
      const now = sql.find.get(id, url)
      if (!now) return false
      sql.setTabText.run(now.rowId, text)
      sql.countText.run()
      index.refresh([now.rowId])
      return true
    }),

    askForPage: db.transaction((id: string, at: number): boolean => {
      sql.askAnew.run(id)
      return sql.ask.run(at, id).changes > 0
    })
  }
}

function statements(db: WriteConnection) {
  return {
    find: db.prepare<[string, string], Now>(
      `SELECT b.id AS rowId, b.type, b.title, b.description,
         ifnull(d.title, '') AS pageTitle, ifnull(d.description, '') AS pageDescription
       FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id WHERE b.public_id = ? AND b.url = ?`
    ),
    setBookmark: db.prepare(
      'UPDATE bookmarks SET type = @type, title = @title, description = @description, details_due = @due WHERE id = @rowId'
    ),
    setDetails: db.prepare(
      `INSERT INTO page_details (bookmark_id, state, attempts, fault, read_at, title, description, site_name,
         canonical_url, own_page, language, published_at, icon, preview)
       VALUES (@rowId, 'done', 0, NULL, @at, @pageTitle, @pageDescription, @siteName, @canonicalUrl, @ownPage,
         @language,
         @publishedAt, @icon, @preview)
       ON CONFLICT (bookmark_id) DO UPDATE SET state = 'done', attempts = 0, fault = NULL, read_at = excluded.read_at,
         title = excluded.title, description = excluded.description, site_name = excluded.site_name,
         canonical_url = excluded.canonical_url,
         own_page = excluded.own_page, language = excluded.language, published_at = excluded.published_at,
         icon = excluded.icon, preview = excluded.preview`
    ),
    setFailure: db.prepare(
      `INSERT INTO page_details (bookmark_id, state, attempts, fault, read_at, title)
       VALUES (@rowId, @state, @attempts, @fault, @at, @pageTitle)
       ON CONFLICT (bookmark_id) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
         fault = excluded.fault, read_at = excluded.read_at, title = excluded.title`
    ),
    setText: db.prepare(
      `INSERT INTO page_texts (bookmark_id, text, layout) VALUES (?, ?, ?)
       ON CONFLICT (bookmark_id) DO UPDATE SET text = excluded.text, layout = excluded.layout WHERE from_tab = 0`
    ),
    setTabText: db.prepare(
      `INSERT INTO page_texts (bookmark_id, text, from_tab) VALUES (?, ?, 1)
       ON CONFLICT (bookmark_id) DO UPDATE SET text = excluded.text, layout = NULL, from_tab = 1`
    ),
    countText: db.prepare('UPDATE index_merge SET pages = pages + 1'),
    removeText: db.prepare('DELETE FROM page_texts WHERE bookmark_id = ? AND from_tab = 0'),
    ask: db.prepare(
      'UPDATE bookmarks SET details_due = ? WHERE public_id = ? AND page_key IS NOT NULL AND url IS NOT NULL'
    ),
    askAnew: db.prepare(
      'UPDATE page_details SET attempts = 0 WHERE bookmark_id = (SELECT id FROM bookmarks WHERE public_id = ?)'
    )
  }
}

/** A page that is clearly gone needs no check of its link. */
const GONE: LinkVerdict = { state: 'broken', fault: 'gone', movedTo: null, failingSince: null }

/** A text after a page was read: the page's, unless somebody wrote another. `given` is what is the page's of it. */
function filled(now: string, before: string, page: string): { text: string; given: string } {
  if (now !== '' && now !== before) return { text: now, given: '' }
  const text = page || now
  return { text, given: text }
}

/** What can be asked about pages. */
export function pageReads(db: ReadConnection) {
  const due = db.prepare(
    `SELECT b.public_id AS id, b.url, b.domain, ifnull(d.attempts, 0) AS attempts
     FROM (SELECT id, domain FROM bookmarks INDEXED BY bookmarks_to_describe
       WHERE details_due IS NOT NULL AND deleted_at IS NULL AND details_due <= ?
       ORDER BY details_due DESC, id DESC LIMIT ${WINDOW}) waiting
     CROSS JOIN bookmarks b ON b.id = waiting.id LEFT JOIN page_details d ON d.bookmark_id = b.id
     WHERE waiting.domain NOT IN (SELECT value FROM json_each(?)) LIMIT 1`
  )
  const find = db.prepare(
    `SELECT iif(b.unindexed = 1 AND d.bookmark_id IS NULL, ifnull(b.details_due, b.updated_at), b.details_due) AS due,
       d.state, ifnull(d.attempts, 0) AS attempts, d.fault, d.read_at AS readAt,
       ifnull(d.site_name, '') AS siteName, d.canonical_url AS canonicalUrl, d.language,
       d.published_at AS publishedAt, d.icon, d.preview,
       EXISTS (SELECT 1 FROM page_texts p WHERE p.bookmark_id = b.id) AS hasText
     FROM bookmarks b LEFT JOIN page_details d ON d.bookmark_id = b.id
     WHERE b.public_id = ? AND b.page_key IS NOT NULL AND b.url IS NOT NULL`
  )
  const count = db
    .prepare(
      `SELECT count(*) FROM (SELECT 1 FROM bookmarks INDEXED BY bookmarks_to_describe
         WHERE details_due IS NOT NULL AND deleted_at IS NULL LIMIT ${COUNT_CAP})`
    )
    .pluck()
  const text = db
    .prepare('SELECT p.text FROM page_texts p JOIN bookmarks b ON b.id = p.bookmark_id WHERE b.public_id = ?')
    .pluck()
  const layout = db
    .prepare('SELECT p.layout FROM page_texts p JOIN bookmarks b ON b.id = p.bookmark_id WHERE b.public_id = ?')
    .pluck()
  return {
    duePage: (now: number, except: string[]) => due.get(now, JSON.stringify(except)) as DuePage | undefined,
    findPage(id: string): StoredPage | undefined {
      const row = find.get(id) as (Omit<StoredPage, 'hasText'> & { hasText: number }) | undefined
      return row && { ...row, hasText: row.hasText === 1 }
    },
    countPagesToRead: () => count.get() as number,
    readTextLayout(id: string): TextLayout | null {
      const kept = layout.get(id) as string | null | undefined
      return kept ? JSON.parse(kept) : null
    },
    readPageTexts(ids: string[]): Map<string, string> {
      const texts = ids.map((id) => [id, text.get(id) as string | undefined] as const)
      return new Map(texts.filter((one): one is [string, string] => one[1] !== undefined))
    }
  }
}
