/** The years that ISO 8601 writes with four digits: with others, an export could not be read back. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** 1601 to 1970, in milliseconds: Windows and Chrome count from 1601. */
const SINCE_1601 = 11_644_473_600_000

/** A time from then on, in milliseconds, is not one that counts from 1601: it would be in the year 2108. */
const LATEST_SINCE_1601 = 16_000_000_000_000

/**
 * Milliseconds since 1970, of a number of seconds, milliseconds or microseconds since 1970 or 1601, told apart by their
 * size (formats say which they mean, and files hold them all), or of a date as ISO 8601 has it.
 */
export function dateOf(value: unknown): number | undefined {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  const number = Number(value)
  if (Number.isNaN(number)) return typeof value === 'string' ? isoDate(value) : undefined
  if (!Number.isFinite(number) || number <= 0) return undefined
  const time = number < 1e11 ? number * 1e3 : number < 1e14 ? number : number / 1e3
  return within(time >= SINCE_1601 && time < LATEST_SINCE_1601 ? time - SINCE_1601 : time)
}

/** Only what begins with a year: of other texts, every runtime makes something else. A time without a zone is UTC. */
function isoDate(text: string): number | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text.trim())
  if (!iso) return undefined
  const [, day, time = '00:00', zone = 'Z'] = iso
  const milliseconds = Date.parse(`${day}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`)
  return Number.isNaN(milliseconds) ? undefined : within(milliseconds)
}

function within(milliseconds: number): number | undefined {
  const rounded = Math.round(milliseconds)
  return rounded >= EARLIEST && rounded <= LATEST ? rounded : undefined
}
