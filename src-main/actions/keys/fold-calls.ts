import type { CallRecord } from '../../contract/call.ts'

const DAY_MS = 86_400_000

/** Rows that calls of a key may fill a day: those that were refused, and those that were answered and saved nothing. */
const MOST_A_DAY = { refused: 1000, answered: 20_000 }

/** Calls beyond that share one row with their number, which is updated at most this often, in milliseconds. */
const NOTE_EVERY_MS = 3_600_000

type Kind = keyof typeof MOST_A_DAY

/** How many of a key's calls of one kind were listed today, and how many only counted. */
interface Tally {
  day: number
  /** Rows of that day. */
  rows: number
  /** Calls that no row tells of yet, and the last of them. */
  folded: number
  last: CallRecord
  results: number
  bytes: number
  notedAt: number
}

/**
 * Keeps the ledger from filling the disk: what a key asks in a day has a row of its own up to a limit, and beyond it
 * many calls share one. Calls that save something never come here.
 */
export function createCallFolder() {
  const tallies: Record<Kind, Map<number, Tally>> = { refused: new Map(), answered: new Map() }

  return {
    /** Returns whether the call has a row of its own; otherwise it is counted for the next note. */
    isListed(call: CallRecord): boolean {
      const kind = call.refused === undefined ? 'answered' : 'refused'
      const day = Math.floor(call.at / DAY_MS)
      const tally = tallies[kind].get(call.keyId) ?? emptyTally(day, call)
      tallies[kind].set(call.keyId, tally)
      if (tally.day !== day) Object.assign(tally, { day, rows: 0 })
      if (tally.rows < MOST_A_DAY[kind]) {
        tally.rows += 1
        return true
      }
      tally.folded += 1
      tally.last = call
      tally.results += call.results
      tally.bytes += call.bytes
      return false
    },

    /**
     * Gives the notes that are due, as rows of the ledger.
     *
     * @param all those too that would have to wait
     */
    notes(now: number, all = false): CallRecord[] {
      const due = [...tallies.refused.values(), ...tallies.answered.values()].filter(
        ({ folded, notedAt }) => folded > 0 && (all || Math.abs(now - notedAt) >= NOTE_EVERY_MS)
      )
      return due.map((tally) => {
        const { last, folded, results, bytes } = tally
        Object.assign(tally, { folded: 0, results: 0, bytes: 0, notedAt: now })
        return { ...last, tool: `${folded.toLocaleString('en')} more calls`, results, bytes }
      })
    },

    /** Forgets everything: the keys are another library's. */
    clear(): void {
      tallies.refused.clear()
      tallies.answered.clear()
    }
  }
}

function emptyTally(day: number, last: CallRecord): Tally {
  return { day, rows: 0, folded: 0, last, results: 0, bytes: 0, notedAt: Number.NEGATIVE_INFINITY }
}
