/**
 * Links: the result of each link's last check (`link_checks`), when it is checked next (`links_due`), and the check that
 * the owner requested last (`requested_link_check`).
 */
import type {
  DueLink,
  LinkCheck,
  LinkFault,
  LinkMark,
  LinkState,
  LinkVerdict,
  StoredLink
} from '../../contract/link-check.ts'
import { Problem } from '../../contract/problem.ts'
import { CHECK_INTERVAL_MS, nextCheck, RETRY_MS } from '../../core/judge-link.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { readRow, readRows, readValue, run } from '../../database/sql.ts'
import { searchIndex } from '../../search/sql/search-index.ts'
import type { Written } from '../calls.ts'

/** Number of due links that are read to find one whose domain is not in use. */
const WINDOW = 2000

/** Requested links are due in random order, because links of one site, often saved together, wait for each other. */
const SPREAD_MS = 1_000_000

/**
 * Saves the result of a check, which does not count as a change of the bookmark.
 *
 * @returns whether the link's mark changed; `undefined` if the bookmark has another address now, or is in the trash
 */
export function saveLink(
  db: WriteConnection,
  { id, url }: Pick<DueLink, 'id' | 'url'>,
  verdict: LinkVerdict,
  time: number
): Written<{ changed: boolean } | undefined> {
  const link = readRow<{ rowId: number; mark: LinkMark | null; requested: number | null }>(db)`
    SELECT b.id AS rowId, l.mark, d.requested FROM bookmarks b
    LEFT JOIN link_checks l ON l.bookmark_id = b.id LEFT JOIN links_due d ON d.bookmark_id = b.id
    WHERE b.public_id = ${id} AND b.url = ${url} AND b.deleted_at IS NULL`
  if (!link) return { answer: undefined, events: [] }
  keepVerdict(db, link.rowId, url, verdict, time)
  run(db)`
    INSERT INTO links_due (bookmark_id, due_at) VALUES (${link.rowId}, ${nextCheck(verdict.state, time)})
    ON CONFLICT (bookmark_id) DO UPDATE SET due_at = excluded.due_at, requested = 0`
  if (link.requested === 1) countResult(db, verdict)
  const changed = markOf(verdict.state) !== link.mark
  if (changed) searchIndex(db).refresh([link.rowId])
  return { answer: { changed }, events: changed ? [{ kind: 'links' }, { kind: 'details' }] : [{ kind: 'links' }] }
}

function countResult(db: WriteConnection, { state }: LinkVerdict): void {
  run(db)`
    UPDATE requested_link_check SET checked = checked + 1, broken = broken + (${state} = 'broken'),
    moved = moved + (${state} = 'moved'), failing = failing + (${state} = 'failing'),
    unclear = unclear + (${state} = 'unclear') WHERE ended_at IS NULL`
}

/** Saves a verdict. The transaction then has to refresh the search index. */
export function keepVerdict(db: WriteConnection, rowId: number, url: string, verdict: LinkVerdict, time: number): void {
  const movedFrom = verdict.state === 'moved' ? url : null
  run(
    db,
    `INSERT INTO link_checks (bookmark_id, state, mark, fault, moved_from, moved_to, failing_since, checked_at)
     VALUES (@rowId, @state, @mark, @fault, @movedFrom, @movedTo, @failingSince, @time)
     ON CONFLICT (bookmark_id) DO UPDATE SET state = excluded.state, mark = excluded.mark, fault = excluded.fault,
       moved_from = excluded.moved_from, moved_to = excluded.moved_to, failing_since = excluded.failing_since,
       checked_at = excluded.checked_at`,
    { rowId, mark: markOf(verdict.state), movedFrom, ...verdict, time }
  )
}

/** Removes a failure, because the link's page was read. */
export function clearVerdict(db: WriteConnection, rowId: number, time: number): void {
  run(db)`
    UPDATE link_checks SET state = 'ok', mark = NULL, fault = NULL, failing_since = NULL, checked_at = ${time}
    WHERE bookmark_id = ${rowId} AND state IN ('broken', 'failing')`
}

/** Schedules the next check of a link whose page was read or could not be read. A requested check stays due. */
export function scheduleCheck(db: WriteConnection, rowId: number, time: number): void {
  const state = readValue<LinkState>(db)`SELECT state FROM link_checks WHERE bookmark_id = ${rowId}` ?? 'ok'
  run(db)`
    INSERT INTO links_due (bookmark_id, due_at)
      SELECT id, ${nextCheck(state, time)} FROM bookmarks WHERE id = ${rowId} AND deleted_at IS NULL
    ON CONFLICT (bookmark_id) DO UPDATE SET due_at = excluded.due_at WHERE requested = 0`
}

/** Returns the mark by which a filter finds the bookmark (`is:broken`, `is:moved`). */
function markOf(state: LinkState): LinkMark | null {
  return state === 'broken' || state === 'moved' ? state : null
}

/** A moved link has its mark as long as the bookmark has the address it moved from. */
const OF_THIS_ADDRESS = "(l.state <> 'moved' OR l.mark = 'moved')"

type DueRow = Pick<DueLink, 'id' | 'url' | 'domain'> & (LinkVerdict | { [Name in keyof LinkVerdict]: null })

/**
 * Returns a link whose check is due.
 *
 * @param except domains whose links are not returned
 * @param isRequested true for a link of the running check that the owner requested, false for an automatic check
 */
export function dueLink(db: ReadConnection, now: number, except: string[], isRequested: boolean): DueLink | undefined {
  const row = readRow<DueRow>(
    db,
    `SELECT b.public_id AS id, b.url, b.domain, l.state, l.fault, l.moved_to AS movedTo, l.failing_since AS failingSince
     FROM (SELECT bookmark_id FROM links_due WHERE requested = @requested AND due_at <= @now
       AND (@requested = 0 OR EXISTS (SELECT 1 FROM requested_link_check WHERE ended_at IS NULL))
       ORDER BY due_at LIMIT ${WINDOW}) due
     CROSS JOIN bookmarks b ON b.id = due.bookmark_id
       LEFT JOIN link_checks l ON l.bookmark_id = b.id AND ${OF_THIS_ADDRESS}
     WHERE b.url IS NOT NULL AND b.domain NOT IN (SELECT value FROM json_each(@except)) LIMIT 1`,
    { now, except: JSON.stringify(except), requested: isRequested ? 1 : 0 }
  )
  if (!row) return undefined
  const { id, url, domain, ...before } = row
  return { id, url, domain, before: before.state === null ? null : before }
}

/** Returns the result of a link's last check; `undefined` before the first. */
export function findLink(db: ReadConnection, id: string): StoredLink | undefined {
  return readRow(
    db,
    `SELECT l.state, l.fault, l.moved_to AS movedTo, l.failing_since AS failingSince, l.checked_at AS checkedAt
     FROM link_checks l JOIN bookmarks b ON b.id = l.bookmark_id
     WHERE b.public_id = ? AND ${OF_THIS_ADDRESS}`,
    id
  )
}

/** Counts the links outside the trash that were never checked. Reads only indexes. */
export function countUnchecked(db: ReadConnection): number {
  return (
    readValue<number>(db)`
    SELECT count(*) FROM bookmarks b INDEXED BY bookmarks_by_date WHERE b.deleted_at IS NULL AND b.type = 'link'
      AND NOT EXISTS (SELECT 1 FROM link_checks l WHERE l.bookmark_id = b.id)` ?? 0
  )
}

/** Returns the address of a link of another domain that was fine at its last check. */
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

/** Returns links that were broken or moved when they were checked after a time, newest bookmark first. */
export function markedLinks(db: ReadConnection, since: number, limit: number): MarkedLink[] {
  return readRows<MarkedLink>(db)`
    SELECT b.public_id AS id, b.url, b.title, l.mark AS link, l.fault, l.moved_to AS movedTo
    FROM link_checks l INDEXED BY link_checks_by_mark JOIN bookmarks b ON b.id = l.bookmark_id
    WHERE l.mark IS NOT NULL AND l.checked_at >= ${since} AND b.deleted_at IS NULL
      ORDER BY l.bookmark_id DESC LIMIT ${limit}`
}

/**
 * Begins a check that the owner requests, of the links among these bookmarks.
 *
 * @throws Problem `taken` if another requested check is running
 */
export function beginLinkCheck(db: WriteConnection, ids: string[], time: number): Written<void> {
  if (linkCheck(db)?.endedAt === null) {
    throw new Problem('taken', 'A check of links is already running. Wait until it is finished, or stop it first.')
  }
  const { changes } = run(db)`
    INSERT INTO links_due (bookmark_id, due_at, requested)
      SELECT b.id, ${time} - abs(random() % ${SPREAD_MS}), 1
      FROM json_each(${JSON.stringify(ids)}) chosen CROSS JOIN bookmarks b ON b.public_id = chosen.value
      WHERE b.url IS NOT NULL AND b.page_key IS NOT NULL AND b.deleted_at IS NULL
    ON CONFLICT (bookmark_id) DO UPDATE SET due_at = excluded.due_at, requested = 1 WHERE requested = 0`
  run(db)`DELETE FROM requested_link_check`
  run(db)`INSERT INTO requested_link_check (began_at, total) VALUES (${time}, ${changes})`
  return { answer: undefined, events: [{ kind: 'links' }] }
}

/** Ends the check that is running, if none of its links is due any more. */
export function endLinkCheck(db: WriteConnection, time: number): Written<void> {
  const { changes } = run(db)`
    UPDATE requested_link_check SET ended_at = ${time}
    WHERE ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM links_due WHERE requested = 1)`
  return { answer: undefined, events: changes > 0 ? [{ kind: 'links' }] : [] }
}

/** Stops the running check, if any, and schedules the next automatic checks of its remaining links. */
export function cancelLinkCheck(db: WriteConnection, time: number): Written<void> {
  const { changes } = run(db)`UPDATE requested_link_check SET ended_at = ${time}, cancelled = 1 WHERE ended_at IS NULL`
  run(db)`
    UPDATE links_due SET requested = 0, due_at = (
      SELECT max(b.updated_at, ifnull(l.checked_at, 0), ifnull(d.read_at, 0))
        + iif(l.state = 'failing', ${RETRY_MS}, ${CHECK_INTERVAL_MS})
      FROM bookmarks b LEFT JOIN link_checks l ON l.bookmark_id = b.id LEFT JOIN page_details d ON d.bookmark_id = b.id
      WHERE b.id = links_due.bookmark_id)
    WHERE requested = 1`
  return { answer: undefined, events: changes > 0 ? [{ kind: 'links' }] : [] }
}

/** Returns the check that the owner requested last, ended or not. */
export function linkCheck(db: ReadConnection): LinkCheck | undefined {
  const row = readRow<Omit<LinkCheck, 'cancelled'> & { cancelled: number }>(db)`
    SELECT began_at AS beganAt, ended_at AS endedAt, cancelled, total, checked, broken, moved, failing, unclear
    FROM requested_link_check`
  return row && { ...row, cancelled: row.cancelled === 1 }
}
