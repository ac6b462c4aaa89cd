import type { DueLink, LinkMark, LinkVerdict, MarkedLink, StoredLink } from '../../contract/link-check.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family } from '../family.ts'
import { linkNotes, markOf } from './link-notes.ts'

/** Looked at for a link of another domain than those that are busy. */
const WINDOW = 2000

interface Now {
  rowId: number
  mark: LinkMark | null
}

/** Checks of links. */
export const links = family({
  here: linkReads,
  writes: linkWrites,
  emits: {
    saveLink: (kept) => (kept ? [{ kind: 'links' }, ...(kept.changed ? ([{ kind: 'details' }] as const) : [])] : [])
  }
})

/** What the writing thread can do with links. None of it counts as a change to the bookmark. */
function linkWrites(db: WriteConnection) {
  const index = searchIndex(db)
  const find = db.prepare<[string, string], Now>(
    `SELECT b.id AS rowId, l.mark FROM bookmarks b LEFT JOIN link_checks l ON l.bookmark_id = b.id
     WHERE b.public_id = ? AND b.url = ? AND b.deleted_at IS NULL`
  )
  const { keep } = linkNotes(db)
  const count = db.prepare(
    `UPDATE link_rounds SET checked = checked + 1, broken = broken + (@state = 'broken'),
       moved = moved + (@state = 'moved'), failing = failing + (@state = 'failing'),
       unclear = unclear + (@state = 'unclear') WHERE id = @round`
  )
  const done = db.prepare('DELETE FROM links_to_check WHERE bookmark_id = ?')
  const again = db.prepare(
    `INSERT INTO links_to_check (bookmark_id, due, round) VALUES (?, ?, NULL)
     ON CONFLICT (bookmark_id) DO UPDATE SET due = excluded.due, round = NULL`
  )

  return {
    /** `undefined` where the bookmark is no longer of this address; `changed` says whether it is marked otherwise now. */
    saveLink: db.transaction(({ id, url, round }: DueLink, verdict: LinkVerdict, next: number | null, at: number) => {
      const now = find.get(id, url)
      if (!now) return undefined
      const { rowId } = now
      const mark = markOf(verdict.state)
      keep(rowId, url, verdict, at)
      if (next === null) done.run(rowId)
      else again.run(rowId, next)
      if (round !== null) count.run({ state: verdict.state, round })
      if (mark !== now.mark) index.refresh([rowId])
      return { changed: mark !== now.mark }
    })
  }
}

type DueRow = Pick<DueLink, 'id' | 'url' | 'domain' | 'round'> & (LinkVerdict | { [Name in keyof LinkVerdict]: null })

/** What moved has its mark as long as the bookmark has the address it moved from. */
const OF_THIS_ADDRESS = "(l.state <> 'moved' OR l.mark = 'moved')"

/** What can be asked about links. */
function linkReads(db: ReadConnection) {
  const due = db.prepare(
    `SELECT b.public_id AS id, b.url, b.domain, waiting.round, l.state, l.fault, l.moved_to AS movedTo,
       l.failing_since AS failingSince
     FROM (SELECT q.bookmark_id, q.round FROM links_to_check q INDEXED BY links_to_check_by_due
       LEFT JOIN link_rounds r ON r.id = q.round
       WHERE q.due <= @now AND r.ended_at IS NULL ORDER BY q.due LIMIT ${WINDOW}) waiting
     CROSS JOIN bookmarks b ON b.id = waiting.bookmark_id
       LEFT JOIN link_checks l ON l.bookmark_id = b.id AND ${OF_THIS_ADDRESS}
     WHERE b.url IS NOT NULL AND b.domain NOT IN (SELECT value FROM json_each(@except)) LIMIT 1`
  )
  const find = db.prepare(
    `SELECT l.state, l.fault, l.moved_to AS movedTo, l.failing_since AS failingSince, l.checked_at AS checkedAt
     FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id
     WHERE b.public_id = ? AND ${OF_THIS_ADDRESS}`
  )
  const answered = db.prepare(
    `SELECT b.url FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id
     WHERE l.state = 'ok' AND b.url IS NOT NULL AND b.domain <> ? ORDER BY l.bookmark_id DESC LIMIT 1`
  )
  const marked = db.prepare(
    `SELECT b.public_id AS id, b.url, b.title, l.mark AS link, l.fault, l.moved_to AS movedTo
     FROM link_checks l INDEXED BY link_checks_by_mark JOIN bookmarks b ON b.id = l.bookmark_id
     WHERE l.mark IS NOT NULL AND l.checked_at >= ? AND b.deleted_at IS NULL ORDER BY l.bookmark_id DESC LIMIT ?`
  )

  return {
    markedLinks: (since: number, limit: number) => marked.all(since, limit) as MarkedLink[],
    dueLink(now: number, except: string[]): DueLink | undefined {
      const row = due.get({ now, except: JSON.stringify(except) }) as DueRow | undefined
      if (!row) return undefined
      const { id, url, domain, round, ...before } = row
      return { id, url, domain, round, before: before.state === null ? null : before }
    },
    findLink: (id: string) => find.get(id) as StoredLink | undefined,
    /** The address of a link of another site that was well when it was checked. */
    linkThatAnswered: (domain: string) => (answered.get(domain) as { url: string } | undefined)?.url
  }
}
