import type { LibraryEvent } from '../contract/change.ts'
import type { CommonWords } from '../search/sql/common-words.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'
import type { Memoize } from './read-memo.ts'

/**
 * Some of the library's calls, each in one place with all there is to say of it. Which thread answers a call follows
 * from where it stands; nothing else has to know of it.
 */
export interface Family<Here extends object, Slow extends object, Writes extends object> {
  /**
   * Reads that are quick in a library of any size, answered by the main thread.
   *
   * @param folder the data folder, for what lies beside the library
   * @param memoize for a read that nearly every request makes
   */
  here(db: ReadConnection, folder: string, memoize: Memoize): Here
  /**
   * Reads that may take long: answered by the main thread in a small library, else by the reading thread. One with a
   * property `quickly`, a function of the same arguments, is first tried on the main thread by that, which answers
   * `undefined` where it would not be sure to be quick.
   *
   * @param common what is known of the library's usual words by now
   */
  slow(db: ReadConnection, common: () => CommonWords | undefined): Slow
  /** Slow reads that are the reading thread's in a library of any size. */
  neverHere: (keyof Slow)[]
  /** Changes, each a transaction, made by the writing thread one after the other. */
  writes(db: WriteConnection): Writes
  /** The events of each write, emitted to those who watch the library once it is on disk. */
  emits: Emits<Writes>
  /** Writes that are made in a damaged library too, where all others are refused. */
  despiteDamage: (keyof Writes)[]
}

type Emits<Writes> = { [Name in keyof Writes]: (...args: AnswerAndArguments<Writes[Name]>) => LibraryEvent[] }

type AnswerAndArguments<Write> = Write extends (...args: infer Args) => infer Answer
  ? [answer: Awaited<Answer>, ...args: Args]
  : never

/** Of a write that changes nothing anybody looks at. */
export const noEvents = (): LibraryEvent[] => []

type Reads<Here extends object, Slow extends object> = Partial<
  Pick<Family<Here, Slow, object>, 'here' | 'slow' | 'neverHere'>
>

/** A family that reads and writes. */
export function family<Here extends object, Slow extends object, Writes extends object>(
  calls: Reads<Here, Slow> &
    Pick<Family<object, object, Writes>, 'writes' | 'emits'> &
    Partial<Pick<Family<object, object, Writes>, 'despiteDamage'>>
): Family<Here, Slow, Writes> {
  return { here: noCalls<Here>, slow: noCalls<Slow>, neverHere: [], despiteDamage: [], ...calls }
}

/** A family that only reads. */
export function readingFamily<Here extends object, Slow extends object>(
  calls: Reads<Here, Slow>
): Family<Here, Slow, object> {
  return family<Here, Slow, object>({ ...calls, writes: () => ({}), emits: {} })
}

function noCalls<Calls>(): Calls {
  return {} as Calls
}
