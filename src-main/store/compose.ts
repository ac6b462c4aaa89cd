import type { LibraryEvent } from '../contract/change.ts'
import type { ReadConnection } from './connection.ts'
import { DESPITE_DAMAGE, EMITS, type QuickReads, quickReads, type SlowReads, type Writes } from './families.ts'
import { createReadMemo } from './read-memo.ts'
import type { Reader } from './threads/reader.ts'
import type { Answered } from './threads/thread.ts'
import type { Writer } from './threads/writer.ts'

/** What happens around the calls of an open library. */
export interface Around {
  /** @throws Problem when nothing more is to be saved */
  assertWritable(): void | Promise<void>
  /** Before a write answers, however it ended. */
  written(): void
  /** Told of what a write changed, once it is on disk. */
  emit(event: LibraryEvent): void
}

/** The calls of all families, each on its thread. */
export type FamilyCalls = Answered<QuickReads> & Answered<SlowReads> & Answered<Writes>

type Call = (...args: unknown[]) => unknown

/**
 * Puts the families' calls on their threads: quick reads here, slow ones where the reader says, writes on the writing
 * thread.
 *
 * @param db the connection of this thread
 * @param folder the data folder
 */
export function composeFamilies(
  db: ReadConnection,
  folder: string,
  { reader, writer, around }: { reader: Reader; writer: Writer; around: Around }
): { calls: FamilyCalls; finished(): Promise<void> } {
  const underway = new Set<Promise<unknown>>()
  const memo = createReadMemo()

  /** What goes on in files is waited for before the library is closed. */
  async function here(read: Call, args: unknown[]): Promise<unknown> {
    const answer = read(...args)
    if (!(answer instanceof Promise)) return answer
    const ended = answer.catch(() => {})
    underway.add(ended)
    return answer.finally(() => underway.delete(ended))
  }

  function written(): void {
    memo.clear()
    around.written()
  }

  async function write(name: keyof Writes, args: unknown[]): Promise<unknown> {
    const unready = DESPITE_DAMAGE.has(name) ? undefined : around.assertWritable()
    if (unready) await unready
    const answer = await (writer[name] as (...all: unknown[]) => Promise<unknown>)(...args).finally(written)
    for (const event of (EMITS[name] as (...all: unknown[]) => LibraryEvent[])(answer, ...args)) around.emit(event)
    return answer
  }

  const quick = mapped(
    quickReads(db, folder, memo.memoize),
    (_, read) =>
      (...args) =>
        here(read, args)
  )
  const writes = mapped(
    EMITS,
    (name) =>
      (...args) =>
        write(name as keyof Writes, args)
  )
  const { checkLibraryFile: _, close: __, ...slow } = reader
  return {
    calls: { ...quick, ...slow, ...writes } as unknown as FamilyCalls,
    async finished() {
      await Promise.all(underway)
    }
  }
}

function mapped(calls: object, made: (name: string, call: Call) => Call): Record<string, Call> {
  const entries: [string, Call][] = Object.entries(calls)
  return Object.fromEntries(entries.map(([name, call]) => [name, made(name, call)]))
}
