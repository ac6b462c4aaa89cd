import type { Ports } from '../ports.ts'

const DAY_MS = 86_400_000

/** A clock this far past the newest time that is known may be wrong, as after a flat battery. */
const LEAP_MS = 2 * DAY_MS

/** A clock that has run this long since it leapt is right: Earmark was just not used for a while. */
const SETTLED_MS = 3 * DAY_MS

/** The newest time is written down again once the clock is this far past it. */
const NOTED_MS = DAY_MS / 4

/**
 * The time by which what is old is deleted for good, in milliseconds since 1970: the clock's, unless that has leapt
 * ahead. Then it is the newest time the library knows, until the clock has gone on from its leap for three days.
 */
export async function trustedTime({ library, now: clock }: Pick<Ports, 'library' | 'now'>): Promise<number> {
  const now = clock()
  const note = await library.readClock()
  const known = note?.known ?? (await library.newestTime()) ?? now
  if (now <= known + LEAP_MS) {
    if (!note || note.leapt !== null || Math.abs(now - known) > NOTED_MS)
      await library.noteClock({ known: now, leapt: null })
    return now
  }
  const leapt = note?.leapt
  // Before its leap the clock would have been set back since.
  if (leapt === undefined || leapt === null || leapt > now) {
    await library.noteClock({ known, leapt: now })
    return known
  }
  if (now - leapt < SETTLED_MS) return known
  await library.noteClock({ known: now, leapt: null })
  return now
}
