import type { LibraryEvent } from '../contract/change.ts'
import type { ReadConnection, WriteConnection } from '../database/connection.ts'

/** The result of a write: its answer, and the events that are announced once the change is on disk. */
export interface Written<Answer> {
  answer: Answer
  events: LibraryEvent[]
}

/**
 * A read that is quick in a library of any size. It runs on the main thread.
 */
export interface MainCall<Args extends unknown[], Answer> {
  runsOn: 'main'
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>
  /** Where present, an answer is kept under this key until the library is next written to. `undefined` is not kept. */
  keptBy?: ((...args: Args) => string) | undefined
}

/** A read that may take long. It runs on the main thread while the library is small, otherwise on a reading thread. */
export interface PoolCall<Args extends unknown[], Answer> {
  runsOn: 'pool'
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>
  /** It runs on a reading thread even in a small library. */
  evenWhenSmall?: boolean | undefined
}

/** A change. It runs on the writing thread, in a transaction of its own. */
export interface WriterCall<Args extends unknown[], Answer> {
  runsOn: 'writer'
  run: (db: WriteConnection, ...args: Args) => Written<Answer>
  /** It is made in a damaged library too, where all other writes are refused. */
  whenDamaged?: boolean | undefined
  /** One of many batches, which checks itself what SQLite would. What is left to the background waits meanwhile. */
  isImport?: boolean | undefined
}

/** A call of the library: the function that leads to its SQL, and where it runs. */
export type Call<Args extends unknown[], Answer> =
  | MainCall<Args, Answer>
  | PoolCall<Args, Answer>
  | WriterCall<Args, Answer>

export function onMain<Args extends unknown[], Answer>(
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>,
  options?: Pick<MainCall<Args, Answer>, 'keptBy'>
): MainCall<Args, Answer> {
  return { runsOn: 'main', run, ...options }
}

export function onPool<Args extends unknown[], Answer>(
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>,
  options?: Pick<PoolCall<Args, Answer>, 'evenWhenSmall'>
): PoolCall<Args, Answer> {
  return { runsOn: 'pool', run, ...options }
}

export function onWriter<Args extends unknown[], Answer>(
  run: (db: WriteConnection, ...args: Args) => Written<Answer>,
  options?: Pick<WriterCall<Args, Answer>, 'whenDamaged' | 'isImport'>
): WriterCall<Args, Answer> {
  return { runsOn: 'writer', run, ...options }
}
