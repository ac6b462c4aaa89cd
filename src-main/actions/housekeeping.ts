import { setImmediate } from 'node:timers/promises'
import { TRASH_DAYS } from '../contract/bookmark.ts'
import type { WorkControl } from '../contract/change.ts'
import { createQueue } from '../core/queue.ts'
import type { Background } from './background/background-worker.ts'
import { keepBackups } from './backups.ts'
import { MAX_PICTURES_BYTES } from './pictures.ts'
import type { Ports } from './ports.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long a bookmark stays in the trash. */
const TRASH_MS = TRASH_DAYS * DAY_MS

/**
 * Removes old data at its start and every hour, and then makes the backups that are due. The first backup is made a
 * minute later, so that no short command waits for it. Work that fails, for example on a full disk, is tried again an
 * hour later.
 */
export function createHousekeeping(ports: Ports, onError: (error: unknown) => void): Background {
  const queue = createQueue()
  let first: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined

  async function clean(): Promise<void> {
    await forgetOld(ports)
      .then(() => ports.library.prunePictures(MAX_PICTURES_BYTES))
      .then(() => ports.library.pruneCopies())
      .catch(onError)
  }

  async function backUp(): Promise<void> {
    await keepBackups(ports).catch(onError)
  }

  return {
    start() {
      void queue.add(clean)
      first = setTimeout(() => void queue.add(backUp), MINUTE_MS).unref()
      timer = setInterval(() => void queue.add(clean).then(() => queue.add(backUp)), HOUR_MS).unref()
    },
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await queue.onIdle()
    }
  }
}

/** Purges all bookmarks in the trash and returns their number. If it is stopped, the other bookmarks stay there. */
export async function emptyTrash(ports: Ports, control?: WorkControl): Promise<number> {
  const total = (await ports.library.countByKind()).trash
  return purgeBefore(ports, Number.MAX_SAFE_INTEGER, control, total)
}

/**
 * Removes bookmarks that have been in the trash for 30 days, undo steps that may no longer be undone, and originals that an
 * import stored for bookmarks that were never saved. A clock that leapt ahead is not trusted.
 */
export async function forgetOld(ports: Ports): Promise<void> {
  const now = await trustedTime(ports)
  await purgeBefore(ports, now - TRASH_MS)
  await ports.library.forgetOriginals(now - DAY_MS)
  await ports.library.forgetSteps(now)
}

async function purgeBefore({ library }: Ports, time: number, control?: WorkControl, total = 0): Promise<number> {
  let purged = 0
  while (!control?.signal.aborted) {
    const count = await library.purgeTrash(time)
    if (count === 0) break
    purged += count
    control?.onProgress({ done: purged, total })
    await setImmediate() // other work, such as stopping this, continues in between
  }
  return purged
}

/** A clock that is this far ahead of the newest known time, in ms, may be wrong, for example after a flat battery. */
const LEAP_MS = 2 * DAY_MS

/** A clock that has run for this time since it leapt, in ms, is right: Earmark was not used for a while. */
const SETTLED_MS = 3 * DAY_MS

/** The newest time is stored again when the clock is this far ahead of it, in ms. */
const NOTE_MS = DAY_MS / 4

/**
 * Returns the time from which the age of old data is computed, in milliseconds since 1970: the clock’s time, or, for three
 * days after the clock leapt ahead, the newest time in the library.
 */
export async function trustedTime({ library, now: clock }: Pick<Ports, 'library' | 'now'>): Promise<number> {
  const now = clock()
  const note = await library.readClock()
  const known = note?.known ?? (await library.newestTime()) ?? now
  if (now <= known + LEAP_MS) {
    if (!note || note.leapt !== null || Math.abs(now - known) > NOTE_MS)
      await library.noteClock({ known: now, leapt: null })
    return now
  }
  const leapt = note?.leapt
  // If the leap is in the future, the clock was set back since then.
  if (leapt === undefined || leapt === null || leapt > now) {
    await library.noteClock({ known, leapt: now })
    return known
  }
  if (now - leapt < SETTLED_MS) return known
  await library.noteClock({ known: now, leapt: null })
  return now
}
