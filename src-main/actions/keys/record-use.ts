import type { CallRecord } from '../../contract/call.ts'
import { createQueue } from '../../core/queue.ts'
import type { UseRecord } from '../../store/access/keys.ts'
import { trustedTime } from '../housekeeping.ts'
import type { Ports } from '../ports.ts'
import { sessionsExpiredBefore } from './credentials.ts'

const FLUSH_MS = 1000

/** Minimum time between two records of a refused key, in ms, so that its client cannot fill the disk. */
const REFUSAL_EVERY_MS = 60_000

/** Time for which calls stay in the ledger, in ms. */
const LEDGER_MS = 90 * 86_400_000

/** Maximum number of calls that wait to be written while the disk is full. */
const MAX_WAITING = 10_000

export type UseRecorder = ReturnType<typeof createUseRecorder>

/**
 * Records the latest use of each key and session, and all calls, and writes them once a second. No call waits for the
 * disk. A killed process loses at most the last second.
 *
 * @param every the interval of writes, in ms
 */
export function createUseRecorder(ports: Ports, onError: (error: unknown) => void, every = FLUSH_MS) {
  const keys = new Map<number, UseRecord>()
  const sessions = new Map<string, UseRecord>()
  const refusedAt = new Map<number, number>()
  let calls: UseRecord[] = []
  const queue = createQueue()

  const flush = () => queue.add(write)

  async function write(): Promise<void> {
    const use = [...keys.values(), ...sessions.values(), ...calls]
    const written = calls
    keys.clear()
    sessions.clear()
    calls = []
    if (use.length === 0) return
    try {
      const calledAt = (await trustedTime(ports)) - LEDGER_MS
      await ports.library.recordUse(use, { ...sessionsExpiredBefore(ports.now()), calledAt })
    } catch (error) {
      calls = [...written, ...calls].slice(-MAX_WAITING)
      throw error
    }
  }

  const timer = setInterval(() => void flush().catch(onError), every)
  timer.unref()
  return {
    key(rowId: number, client: string | null): void {
      keys.set(rowId, { kind: 'key', rowId, at: ports.now(), client })
    },
    session(hash: Uint8Array): void {
      sessions.set(Buffer.from(hash).toString('base64'), { kind: 'session', hash, at: ports.now() })
    },
    /** Records a tool call that saved no bookmarks. A call that saves bookmarks is written together with them. */
    call: (call: CallRecord) => void calls.push({ kind: 'call', call }),
    /** Records a call with a revoked or expired key, at most once a minute for each key. */
    refusal({ keyId, client, why }: { keyId: number; client: string | null; why: string }): void {
      const at = ports.now()
      if (at - (refusedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < REFUSAL_EVERY_MS) return
      refusedAt.set(keyId, at)
      calls.push({ kind: 'call', call: { keyId, client, at, tool: '', results: 0, bytes: 0, refused: why } })
    },
    /** Records the size of the answer to a call that saved. */
    answer: (callId: number, bytes: number) => void calls.push({ kind: 'answer', callId, bytes }),
    /** Writes the records that are not written yet. */
    flush,
    async close(): Promise<void> {
      clearInterval(timer)
      await flush().catch(onError)
    }
  }
}
