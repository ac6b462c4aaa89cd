import type { DueLink, LinkFault, LinkMark, LinkState, LinkVerdict, StoredLink } from '../../contract/link-check.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'

/** Looked at for a link of another domain than those that are busy. */
const WINDOW = 2000

/**
 * Keeps what a check found, which does not count as a change to the bookmark. `undefined` where the bookmark is no longer
 * of this address; `changed` says whether it is marked otherwise now.
 *
 * @param next when it is looked at again; `null` where nothing is to be confirmed
 */
export function saveLink(
  db: WriteConnection,
  { id, url, round }: DueLink,
  verdict: LinkVerdict,
  next: number | null,
  at: number
): Written<{ changed: boolean } | undefined> {
  const now = readRow<{ rowId: number; mark: LinkMark | null }>(db)`
    SELECT b.id AS rowId, l.mark FROM bookmarks b LEFT JOIN link_checks l ON l.bookmark_id = b.id
    WHERE b.public_id = ${id} AND b.url = ${url} AND b.deleted_at IS NULL`
  if (!now) return { answer: undefined, events: [] }
  keepVerdict(db, now.rowId, url, verdict, at)
  setNextCheck(db, now.rowId, next)
  if (round !== null) countInRound(db, round, verdict)
  const changed = markOf(verdict.state) !== now.mark
  if (changed) searchIndex(db).refresh([now.rowId])
  return { answer: { changed }, events: changed ? [{ kind: 'links' }, { kind: 'details' }] : [{ kind: 'links' }] }
}

function setNextCheck(db: WriteConnection, rowId: number, next: number | null): void {
  if (next === null) {
    run(db)`DELETE FROM links_to_check WHERE bookmark_id = ${rowId}`
    return
  }
  run(db)`
    INSERT INTO links_to_check (bookmark_id, due, round) VALUES (${rowId}, ${next}, NULL)
    ON CONFLICT (bookmark_id) DO UPDATE SET due = excluded.due, round = NULL`
}

function countInRound(db: WriteConnection, round: number, { state }: LinkVerdict): void {
  run(db)`
    UPDATE link_rounds SET checked = checked + 1, broken = broken + (${state} = 'broken'),
    moved = moved + (${state} = 'moved'), failing = failing + (${state} = 'failing'),
    unclear = unclear + (${state} = 'unclear') WHERE id = ${round}`
}

/** A moved link has its mark as long as the bookmark has the address it moved from. */
const OF_THIS_ADDRESS = "(l.state <> 'moved' OR l.mark = 'moved')"

type DueRow = Pick<DueLink, 'id' | 'url' | 'domain' | 'round'> & (LinkVerdict | { [Name in keyof LinkVerdict]: null })

/** Returns a link whose check is due, and of none of these domains. */
export function dueLink(db: ReadConnection, now: number, except: string[]): DueLink | undefined {
  const row = readRow<DueRow>(
    db,
    `SELECT b.public_id AS id, b.url, b.domain, waiting.round, l.state, l.fault, l.moved_to AS movedTo,
       l.failing_since AS failingSince
     FROM (SELECT q.bookmark_id, q.round FROM links_to_check q INDEXED BY links_to_check_by_due
       LEFT JOIN link_rounds r ON r.id = q.round
       WHERE q.due <= @now AND r.ended_at IS NULL ORDER BY q.due LIMIT ${WINDOW}) waiting
     CROSS JOIN bookmarks b ON b.id = waiting.bookmark_id
       LEFT JOIN link_checks l ON l.bookmark_id = b.id AND ${OF_THIS_ADDRESS}
     WHERE b.url IS NOT NULL AND b.domain NOT IN (SELECT value FROM json_each(@except)) LIMIT 1`,
    { now, except: JSON.stringify(except) }
  )
  if (!row) return undefined
  const { id, url, domain, round, ...before } = row
  return { id, url, domain, round, before: before.state === null ? null : before }
}

/** Returns what is known of a bookmark's link; `undefined` where it was not checked yet. */
export function findLink(db: ReadConnection, id: string): StoredLink | undefined {
  return readRow(
    db,
    `SELECT l.state, l.fault, l.moved_to AS movedTo, l.failing_since AS failingSince, l.checked_at AS checkedAt
     FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id
     WHERE b.public_id = ? AND ${OF_THIS_ADDRESS}`,
    id
  )
}

/** Returns how many links outside the trash were not checked yet, by indexes alone. */
export function countUnchecked(db: ReadConnection): number {
  return (
    readValue<number>(db)`
    SELECT count(*) FROM bookmarks b INDEXED BY bookmarks_by_date WHERE b.deleted_at IS NULL AND b.type = 'link'
      AND NOT EXISTS (SELECT 1 FROM link_checks l WHERE l.bookmark_id = b.id)` ?? 0
  )
}

/** Returns the address of a link of another site that was well when it was checked. */
export function linkThatAnswered(db: ReadConnection, domain: string): string | undefined {
  return readValue<string>(db)`
    SELECT b.url FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id
    WHERE l.state = 'ok' AND b.url IS NOT NULL AND b.domain <> ${domain} ORDER BY l.bookmark_id DESC LIMIT 1`
}

/** A bookmark whose link is broken or moved. */
interface MarkedLink {
  id: string
  url: string
  title: string
  link: LinkMark
  fault: LinkFault | null
  movedTo: string | null
}

/** Returns links that a check since a time found broken or moved, those saved last first. */
export function markedLinks(db: ReadConnection, since: number, limit: number): MarkedLink[] {
  return readRows<MarkedLink>(db)`
    SELECT b.public_id AS id, b.url, b.title, l.mark AS link, l.fault, l.moved_to AS movedTo
    FROM link_checks l INDEXED BY link_checks_by_mark JOIN bookmarks b ON b.id = l.bookmark_id
    WHERE l.mark IS NOT NULL AND l.checked_at >= ${since} AND b.deleted_at IS NULL
      ORDER BY l.bookmark_id DESC LIMIT ${limit}`
}

/** Keeps what a check found of a link; for use inside a transaction, which ends by bringing the index up to it. */
export function keepVerdict(db: WriteConnection, rowId: number, url: string, verdict: LinkVerdict, at: number): void {
  const movedFrom = verdict.state === 'moved' ? url : null
  run(
    db,
    `INSERT INTO link_checks (bookmark_id, state, mark, fault, moved_from, moved_to, failing_since, checked_at)
     VALUES (@rowId, @state, @mark, @fault, @movedFrom, @movedTo, @failingSince, @at)
     ON CONFLICT (bookmark_id) DO UPDATE SET state = excluded.state, mark = excluded.mark, fault = excluded.fault,
       moved_from = excluded.moved_from, moved_to = excluded.moved_to, failing_since = excluded.failing_since,
       checked_at = excluded.checked_at`,
    { rowId, mark: markOf(verdict.state), movedFrom, ...verdict, at }
  )
}

/** Notes that a link's page was read: what was wrong no longer is. */
export function clearVerdict(db: WriteConnection, rowId: number, at: number): void {
  run(db)`
    UPDATE link_checks SET state = 'ok', mark = NULL, fault = NULL, failing_since = NULL, checked_at = ${at}
    WHERE bookmark_id = ${rowId} AND state IN ('broken', 'failing')`
}

/** Returns the mark that a bookmark is found by. */
function markOf(state: LinkState): LinkMark | null {
  return state === 'broken' || state === 'moved' ? state : null
}
