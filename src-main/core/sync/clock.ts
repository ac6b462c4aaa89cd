/**
 * Times at which fields were changed on several machines: hybrid logical clocks (Kulkarni et al., 2014). A text of
 * milliseconds, a counter and the device, which sorts as the times do; no two changes have the same.
 */

const TIME = 9
const COUNTER = 4
const MOST_COUNTED = 36 ** COUNTER

/**
 * Returns the clock of the next change on a device: later than every clock it made or saw, and not before `now`.
 *
 * @param last the latest clock so far; empty at first
 * @param now milliseconds since 1970
 */
export function nextClock(last: string, now: number, device: string): string {
  const seen = last === '' ? 0 : clockTime(last)
  if (now > seen) return write(now, 0, device)
  const counter = Number.parseInt(last.slice(TIME, TIME + COUNTER), 36) + 1
  return counter < MOST_COUNTED ? write(seen, counter, device) : write(seen + 1, 0, device)
}

/** Returns the milliseconds since 1970 that a clock was made at, as its machine had them. */
export function clockTime(clock: string): number {
  return Number.parseInt(clock.slice(0, TIME), 36)
}

/** Whether a text that another machine wrote is a clock. */
export function isClock(text: string): boolean {
  return /^[0-9a-z]{13}[0-9a-f]{32}$/.test(text)
}

function write(time: number, counter: number, device: string): string {
  return time.toString(36).padStart(TIME, '0') + counter.toString(36).padStart(COUNTER, '0') + device
}
