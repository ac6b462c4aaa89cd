import type { LinkRound, NewLinkRound } from '../../contract/link-check.ts'
import { Problem } from '../../contract/problem.ts'
import type { ReadConnection, WriteConnection } from '../connection.ts'
import { family, noEvents } from '../family.ts'

/** Rows a step of the background; between two of them other writes get their turn. */
const STEP = 1000

/** A round's links come in no order, so that those of one site, often saved together, do not wait for each other. */
const SPREAD_MS = 1_000_000

/** Rounds of link checks. */
export const linkRounds = family({
  here: linkRoundReads,
  writes: linkRoundWrites,
  emits: {
    beginLinkRound: ({ asked }) => (asked ? [{ kind: 'links' }] : []),
    takeInLinks: () => [{ kind: 'links' }],
    takeInOldLinks: noEvents,
    endLinkRound: (ended) => (ended && (ended.asked || ended.total > 0) ? [{ kind: 'links' }] : []),
    sweepLinks: noEvents
  }
})

/** What the writing thread can do with rounds of link checks. */
function linkRoundWrites(db: WriteConnection) {
  const sql = statements(db)
  const { linkRound } = linkRoundReads(db)

  return {
    /** @throws Problem `taken` while the owner's own is under way; one that began by itself makes room */
    beginLinkRound: db.transaction((wanted: NewLinkRound, at: number): LinkRound => {
      const current = linkRound()
      if (current?.endedAt === null) {
        if (current.asked) throw new Problem('taken', 'Links are being checked already. Wait, or stop that first.')
        sql.end.run(at, 1, current.id)
      }
      sql.forgetRounds.run(wanted.asked ? 1 : 0)
      const choice = 'ids' in wanted ? null : 'choice' in wanted ? wanted.choice : '{}'
      const round = Number(sql.begin.run({ asked: wanted.asked ? 1 : 0, at, choice }).lastInsertRowid)
      if ('ids' in wanted) {
        const more = wanted.ids.reduce((sum, id) => sum + sql.take.run({ id, at, round }).changes, 0)
        sql.took.run({ more, choice: null, after: 0, round })
      }
      return linkRound() as LinkRound
    }),

    /** Takes these into a round; `after` is how far its choice was gone through, `null` at the end. */
    takeInLinks: db.transaction((round: number, ids: string[], after: number | null, at: number): void => {
      const current = linkRound()
      if (current?.id !== round || current.left === null) return
      const more = ids.reduce((sum, id) => sum + sql.take.run({ id, at, round }).changes, 0)
      sql.took.run({ more, choice: after === null ? null : current.left.choice, after: after ?? 0, round })
    }),

    /** Takes some of the links into a round that nobody looked at since a time. */
    takeInOldLinks: db.transaction((round: number, before: number, at: number): void => {
      const current = linkRound()
      if (current?.id !== round || current.left === null) return
      const { choice, after } = current.left
      const upTo = after + STEP
      const more = sql.takeOld.run({ round, before, at, after, upTo }).changes
      sql.took.run({ more, choice: upTo >= (sql.newest.get() ?? 0) ? null : choice, after: upTo, round })
    }),

    /** Ends the round under way once nothing of it is left, or at once. */
    endLinkRound: db.transaction((at: number, cancel: boolean): LinkRound | undefined => {
      const current = linkRound()
      if (!current || current.endedAt !== null) return undefined
      if (!cancel && (current.left !== null || sql.waiting.get(current.id) === 1)) return undefined
      sql.end.run(at, cancel ? 1 : 0, current.id)
      return linkRound()
    }),

    /** Lets go of some links of a round that was stopped; false when none is left. */
    sweepLinks: db.transaction((): boolean => sql.sweep.run().changes > 0)
  }
}

function statements(db: WriteConnection) {
  return {
    begin: db.prepare('INSERT INTO link_rounds (asked, began_at, choice) VALUES (@asked, @at, @choice)'),
    // Of each kind the last is of interest.
    forgetRounds: db.prepare('DELETE FROM link_rounds WHERE asked = ?'),
    take: db.prepare(
      `INSERT INTO links_to_check (bookmark_id, due, round)
         SELECT id, @at - abs(random() % ${SPREAD_MS}), @round FROM bookmarks
         WHERE public_id = @id AND page_key IS NOT NULL AND deleted_at IS NULL
       ON CONFLICT (bookmark_id) DO UPDATE SET due = excluded.due, round = excluded.round`
    ),
    takeOld: db.prepare(
      `INSERT INTO links_to_check (bookmark_id, due, round)
         SELECT b.id, @at - abs(random() % ${SPREAD_MS}), @round FROM bookmarks b
           LEFT JOIN link_checks l ON l.bookmark_id = b.id LEFT JOIN page_details d ON d.bookmark_id = b.id
         WHERE b.id > @after AND b.id <= @upTo AND b.page_key IS NOT NULL AND b.deleted_at IS NULL
           AND b.details_due IS NULL AND b.unindexed IS NULL
           AND max(b.updated_at, ifnull(l.checked_at, 0), ifnull(d.read_at, 0)) < @before
       ON CONFLICT (bookmark_id) DO NOTHING`
    ),
    newest: db.prepare<[], number>('SELECT ifnull(max(id), 0) FROM bookmarks').pluck(),
    took: db.prepare(
      'UPDATE link_rounds SET total = total + @more, choice = @choice, after = @after WHERE id = @round'
    ),
    waiting: db.prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM links_to_check WHERE round = ?)').pluck(),
    end: db.prepare('UPDATE link_rounds SET ended_at = ?, cancelled = ?, choice = NULL WHERE id = ?'),
    sweep: db.prepare(
      `DELETE FROM links_to_check WHERE bookmark_id IN (SELECT bookmark_id FROM links_to_check
         INDEXED BY links_to_check_by_round WHERE round IS NOT NULL
         AND round IN (SELECT id FROM link_rounds WHERE ended_at IS NOT NULL) LIMIT ${STEP})`
    )
  }
}

type RoundRow = Omit<LinkRound, 'asked' | 'cancelled' | 'left'> & {
  asked: number
  cancelled: number
  choice: string | null
  after: number
}

/** What can be asked about rounds. */
export function linkRoundReads(db: ReadConnection) {
  const rounds = (where: string) =>
    db.prepare(
      `SELECT id, asked, began_at AS beganAt, ended_at AS endedAt, cancelled, choice, after, total, checked, broken,
         moved, failing, unclear FROM link_rounds WHERE ${where} ORDER BY id DESC LIMIT 1`
    )
  const last = rounds('true')
  const lastByItself = rounds('asked = 0')
  return {
    /** The last round, ended or not. */
    linkRound: () => roundOf(last.get() as RoundRow | undefined),
    lastRoundByItself: () => roundOf(lastByItself.get() as RoundRow | undefined)
  }
}

function roundOf(row: RoundRow | undefined): LinkRound | undefined {
  if (!row) return undefined
  const { asked, cancelled, choice, after, ...rest } = row
  return { ...rest, asked: asked === 1, cancelled: cancelled === 1, left: choice === null ? null : { choice, after } }
}
