import { setImmediate } from 'node:timers/promises'
import type { WorkControl } from '../../contract/long-work.ts'
import { sameLibrary } from '../library/same-library.ts'
import { trustedTime } from '../library/trusted-time.ts'
import type { Ports } from '../ports.ts'

const DAY_MS = 86_400_000

/** How long the trash keeps a bookmark. */
const TRASH_MS = 30 * DAY_MS

/** How long a change can be undone. */
const UNDO_MS = DAY_MS

/**
 * Deletes for good everything that is in the trash, and says how many bookmarks that was. Stopped, it leaves the rest
 * there.
 *
 * @throws Problem `taken` when a backup is restored meanwhile
 */
export async function emptyTrash(ports: Ports, control?: WorkControl): Promise<number> {
  const total = (await ports.library.countByKind()).trash
  const signal = control?.signal
  return purgeBefore(ports, Number.MAX_SAFE_INTEGER, {
    signal,
    onPurged: (done) => control?.onProgress({ done, total })
  })
}

/**
 * Deletes for good what has been in the trash for 30 days, and forgets changes of a day ago, imports of 30, and pictures
 * that an import kept for bookmarks which never came; nothing by a clock that leapt ahead.
 */
export async function forgetOld(ports: Ports): Promise<void> {
  const now = await trustedTime(ports)
  await purgeBefore(ports, now - TRASH_MS)
  await ports.library.forgetImports(now - TRASH_MS)
  await ports.library.forgetOriginals(now - DAY_MS)
  while (await ports.library.forgetSteps(now - UNDO_MS));
}

interface PurgeControl {
  signal?: AbortSignal | undefined
  onPurged?(purged: number): void
}

async function purgeBefore(ports: Ports, time: number, { signal, onPurged }: PurgeControl = {}): Promise<number> {
  const inSameLibrary = sameLibrary(ports.library)
  let purged = 0
  while (!signal?.aborted) {
    inSameLibrary()
    const some = await ports.library.purgeTrash(time)
    if (some === 0) break
    purged += some
    onPurged?.(purged)
    await setImmediate() // between two parts others get their turn
  }
  return purged
}
