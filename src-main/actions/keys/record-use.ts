import PQueue from 'p-queue'
import type { CallRecord } from '../../contract/call.ts'
import type { UseRecord } from '../../store/access/sessions.ts'
import { trustedTime } from '../housekeeping.ts'
import type { Ports } from '../ports.ts'
import { sessionsExpiredBefore } from './session.ts'

const FLUSH_MS = 1000

/** A key that is no more is noted so often at most: who sends it must not fill the disk. */
const REFUSAL_EVERY_MS = 60_000

/** The ledger keeps a key's calls for 90 days. */
const LEDGER_MS = 90 * 86_400_000

/** Calls that wait to be written at most, where the disk takes none. */
const MOST_WAITING = 10_000

/** Notes what is used when, without making any call wait for the disk. */
export interface UseRecorder {
  key(rowId: number, client: string | null): void
  session(hash: Uint8Array): void
  /**
   * A tool call that saved nothing; one that saves is written down with what it saves. Of very many in a day, most share
   * a row.
   */
  call(call: CallRecord): void
  /** A call with a key that is no more, by what its client calls itself: one a minute of each key. */
  refusal(refusal: { keyId: number; client: string | null; why: string }): void
  /** The size of the answer to a call that was written down when it saved. */
  answer(callId: number, bytes: number): void
  /** Writes down what is not yet written, also of calls that share a row. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * Written once a second, of each key and session the latest use; a killed process loses at most that second. What was
 * noted before a backup was restored is not: keys and calls have other numbers there.
 *
 * @param every how often it is written, in milliseconds
 */
export function createUseRecorder(ports: Ports, onError: (error: unknown) => void, every = FLUSH_MS): UseRecorder {
  const keys = new Map<number, UseRecord>()
  const sessions = new Map<string, UseRecord>()
  const refusedAt = new Map<number, number>()
  const folder = createCallFolder()
  let calls: UseRecord[] = []
  let library = ports.library.generation()

  function forgetOtherLibrary(): void {
    if (library === ports.library.generation()) return
    library = ports.library.generation()
    folder.clear()
    keys.clear()
    sessions.clear()
    calls = []
  }

  function noteCall(record: UseRecord): void {
    forgetOtherLibrary()
    calls.push(record)
  }

  const queue = new PQueue({ concurrency: 1 })
  const flush = (lastTime = false) => queue.add(() => write(lastTime))

  async function write(lastTime = false): Promise<void> {
    forgetOtherLibrary()
    const begun = library
    for (const call of folder.notes(ports.now(), lastTime)) calls.push({ kind: 'call', call })
    const use = [...keys.values(), ...sessions.values(), ...calls]
    const written = calls
    keys.clear()
    sessions.clear()
    calls = []
    if (use.length === 0) return
    try {
      const calledAt = (await trustedTime(ports)) - LEDGER_MS
      if (begun !== ports.library.generation()) return
      await ports.library.recordUse(use, { ...sessionsExpiredBefore(ports.now()), calledAt })
    } catch (error) {
      calls = [...written, ...calls].slice(-MOST_WAITING)
      throw error
    }
  }

  const timer = setInterval(() => void flush().catch(onError), every)
  timer.unref()
  return {
    key(rowId, client) {
      forgetOtherLibrary()
      keys.set(rowId, { kind: 'key', rowId, at: ports.now(), client })
    },
    session: (hash) => sessions.set(Buffer.from(hash).toString('base64'), { kind: 'session', hash, at: ports.now() }),
    call(call) {
      forgetOtherLibrary()
      if (folder.isListed(call)) noteCall({ kind: 'call', call })
    },
    refusal({ keyId, client, why }) {
      const at = ports.now()
      if (at - (refusedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < REFUSAL_EVERY_MS) return
      refusedAt.set(keyId, at)
      noteCall({ kind: 'call', call: { keyId, client, at, tool: '', results: 0, bytes: 0, refused: why } })
    },
    answer: (callId, bytes) => noteCall({ kind: 'answer', callId, bytes }),
    flush: () => flush(true),
    async close() {
      clearInterval(timer)
      await flush(true).catch(onError)
    }
  }
}

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
function createCallFolder() {
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
