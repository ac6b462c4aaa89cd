import type { LinkRound } from '../../contract/link-check.ts'
import { Problem } from '../../contract/problem.ts'
import type { ReadConnection, WriteConnection } from '../../database/connection.ts'
import { insert, readRow, readValue, run } from '../../database/sql.ts'
import type { Written } from '../calls.ts'

/** Rows a step of the background; between two of them other writes get their turn. */
const STEP = 1000

/** A round's links come in no order, so that those of one site, often saved together, do not wait for each other. */
const SPREAD_MS = 1_000_000

/** The links of a new round: those of these bookmarks, or all of a choice; see `LinkRound`. */
type NewLinkRound = { asked: true; ids: string[] } | { asked: true; choice: string } | { asked: false }

/** @throws Problem `taken` while the owner's own is under way; one that began by itself makes room */
export function beginLinkRound(db: WriteConnection, wanted: NewLinkRound, at: number): Written<LinkRound> {
  const current = linkRound(db)
  if (current?.endedAt === null) {
    if (current.asked)
      throw new Problem('taken', 'A check of links is already running. Wait until it is finished, or stop it first.')
    setEnded(db, current.id, at, true)
  }
  const asked = wanted.asked ? 1 : 0
  // Of each kind the last is of interest.
  run(db)`DELETE FROM link_rounds WHERE asked = ${asked}`
  const choice = 'ids' in wanted ? null : 'choice' in wanted ? wanted.choice : '{}'
  const id = insert(db)`INSERT INTO link_rounds (asked, began_at, choice) VALUES (${asked}, ${at}, ${choice})`
  if ('ids' in wanted) addToRound(db, id, { more: takeIn(db, id, wanted.ids, at), choice: null, after: 0 })
  const round = linkRound(db)
  if (!round) throw new Error('The round that began is not there.')
  return { answer: round, events: round.asked ? [{ kind: 'links' }] : [] }
}

/** Takes links into a round; `after` is how far its choice was gone through, `null` at the end. */
export function takeInLinks(
  db: WriteConnection,
  round: number,
  ids: string[],
  after: number | null,
  at: number
): Written<void> {
  const current = linkRound(db)
  if (current?.id === round && current.left !== null) {
    const choice = after === null ? null : current.left.choice
    addToRound(db, round, { more: takeIn(db, round, ids, at), choice, after: after ?? 0 })
  }
  return { answer: undefined, events: [{ kind: 'links' }] }
}

/** Takes some of the links into a round that nobody looked at since a time. */
export function takeInOldLinks(db: WriteConnection, round: number, before: number, at: number): Written<void> {
  const current = linkRound(db)
  if (current?.id !== round || current.left === null) return { answer: undefined, events: [] }
  const { choice, after } = current.left
  const upTo = after + STEP
  const { changes: more } = run(db)`
    INSERT INTO links_to_check (bookmark_id, due, round)
      SELECT b.id, ${at} - abs(random() % ${SPREAD_MS}), ${round} FROM bookmarks b
        LEFT JOIN link_checks l ON l.bookmark_id = b.id LEFT JOIN page_details d ON d.bookmark_id = b.id
      WHERE b.id > ${after} AND b.id <= ${upTo} AND b.page_key IS NOT NULL AND b.deleted_at IS NULL
        AND b.details_due IS NULL
        AND max(b.updated_at, ifnull(l.checked_at, 0), ifnull(d.read_at, 0)) < ${before}
    ON CONFLICT (bookmark_id) DO NOTHING`
  const newest = readValue<number>(db)`SELECT ifnull(max(id), 0) FROM bookmarks` ?? 0
  addToRound(db, round, { more, choice: upTo >= newest ? null : choice, after: upTo })
  return { answer: undefined, events: [] }
}

/** Ends the round under way once nothing of it is left, or at once; `undefined` where it goes on or there is none. */
export function endLinkRound(db: WriteConnection, at: number, cancel: boolean): Written<LinkRound | undefined> {
  const current = linkRound(db)
  const isOver = current?.endedAt !== null || (!cancel && (current.left !== null || isWaiting(db, current.id)))
  if (isOver) return { answer: undefined, events: [] }
  setEnded(db, current.id, at, cancel)
  const ended = linkRound(db)
  return { answer: ended, events: ended && (ended.asked || ended.total > 0) ? [{ kind: 'links' }] : [] }
}

function isWaiting(db: WriteConnection, round: number): boolean {
  return readValue(db)`SELECT EXISTS (SELECT 1 FROM links_to_check WHERE round = ${round})` === 1
}

/** Lets go of some links of a round that was stopped; false when none is left. */
export function sweepLinks(db: WriteConnection): Written<boolean> {
  const { changes } = run(db)`
    DELETE FROM links_to_check WHERE bookmark_id IN (SELECT bookmark_id FROM links_to_check
    INDEXED BY links_to_check_by_round WHERE round IS NOT NULL
    AND round IN (SELECT id FROM link_rounds WHERE ended_at IS NOT NULL) LIMIT ${STEP})`
  return { answer: changes > 0, events: [] }
}

function setEnded(db: WriteConnection, round: number, at: number, cancelled: boolean): void {
  run(db)`UPDATE link_rounds SET ended_at = ${at}, cancelled = ${cancelled ? 1 : 0}, choice = NULL WHERE id = ${round}`
}

/** Makes links due in a round and returns how many there are. */
function takeIn(db: WriteConnection, round: number, ids: string[], at: number): number {
  let taken = 0
  for (const id of ids) {
    const { changes } = run(db)`
      INSERT INTO links_to_check (bookmark_id, due, round)
        SELECT id, ${at} - abs(random() % ${SPREAD_MS}), ${round} FROM bookmarks
        WHERE public_id = ${id} AND page_key IS NOT NULL AND deleted_at IS NULL
      ON CONFLICT (bookmark_id) DO UPDATE SET due = excluded.due, round = excluded.round`
    taken += changes
  }
  return taken
}

/** Counts more links of a round, and notes how far its choice was gone through. */
function addToRound(
  db: WriteConnection,
  round: number,
  more: { more: number; choice: string | null; after: number }
): void {
  run(db, 'UPDATE link_rounds SET total = total + @more, choice = @choice, after = @after WHERE id = @round', {
    ...more,
    round
  })
}

type RoundRow = Omit<LinkRound, 'asked' | 'cancelled' | 'left'> & {
  asked: number
  cancelled: number
  choice: string | null
  after: number
}

/** Returns the last round, ended or not. */
export function linkRound(db: ReadConnection): LinkRound | undefined {
  return lastRound(db, 'true')
}

export function lastRoundByItself(db: ReadConnection): LinkRound | undefined {
  return lastRound(db, 'asked = 0')
}

function lastRound(db: ReadConnection, where: string): LinkRound | undefined {
  const row = readRow<RoundRow>(
    db,
    `SELECT id, asked, began_at AS beganAt, ended_at AS endedAt, cancelled, choice, after, total, checked, broken,
       moved, failing, unclear FROM link_rounds WHERE ${where} ORDER BY id DESC LIMIT 1`
  )
  if (!row) return undefined
  const { asked, cancelled, choice, after, ...rest } = row
  return { ...rest, asked: asked === 1, cancelled: cancelled === 1, left: choice === null ? null : { choice, after } }
}
