import type { LibraryEvent } from '../contract/change.ts'
import type { ReadConnection, WriteConnection } from '../database/connection.ts'

/** The result of a write: its answer, and the events to emit after the change is on disk. */
export interface Written<Answer> {
  answer: Answer
  events: LibraryEvent[]
}

/** A quick read, which runs on the main thread. */
interface MainCall<Args extends unknown[], Answer> {
  runsOn: 'main'
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>
  /** Returns the key under which an answer is cached until the next write. `undefined` is not cached. */
  cacheKey?: ((...args: Args) => string) | undefined
}

/** Any other read, which runs on the reading thread. */
interface ReaderCall<Args extends unknown[], Answer> {
  runsOn: 'reader'
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>
}

/** A change, which runs on the writing thread in its own transaction. */
export interface WriterCall<Args extends unknown[], Answer> {
  runsOn: 'writer'
  run: (db: WriteConnection, ...args: Args) => Written<Answer>
  /** Allowed in a damaged library, in which other writes are refused. */
  whenDamaged?: boolean | undefined
  /** A batch that checks its rows instead of SQLite. Indexing waits during an import. */
  isImport?: boolean | undefined
}

/** A call of the library: the function with its SQL, and the thread that runs it. */
export type Call<Args extends unknown[], Answer> =
  | MainCall<Args, Answer>
  | ReaderCall<Args, Answer>
  | WriterCall<Args, Answer>

export function onMain<Args extends unknown[], Answer>(
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>,
  options?: Pick<MainCall<Args, Answer>, 'cacheKey'>
): MainCall<Args, Answer> {
  return { runsOn: 'main', run, ...options }
}

export function onReader<Args extends unknown[], Answer>(
  run: (db: ReadConnection, ...args: Args) => Answer | Promise<Answer>
): ReaderCall<Args, Answer> {
  return { runsOn: 'reader', run }
}

export function onWriter<Args extends unknown[], Answer>(
  run: (db: WriteConnection, ...args: Args) => Written<Answer>,
  options?: Pick<WriterCall<Args, Answer>, 'whenDamaged' | 'isImport'>
): WriterCall<Args, Answer> {
  return { runsOn: 'writer', run, ...options }
}
