/** A request's headers by lower-case name; every value that was sent, in order. */
export interface RequestHeaders {
  /** All values joined by a comma, as HTTP has it for repeated headers. */
  get(name: string): string | undefined
  /** How often it was sent. */
  count(name: string): number
}

/**
 * Reads the headers as they were sent, in one pass. Node's own `headers` drops the second Host and takes longer, and
 * every call of an agent pays for it.
 *
 * @param raw names and values in turn
 */
export function readHeaders(raw: string[]): RequestHeaders {
  const values: Record<string, string> = Object.create(null)
  let repeated: Record<string, number> | undefined
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] as string).toLowerCase()
    const value = raw[at + 1] as string
    const before = values[name]
    if (before === undefined) values[name] = value
    else {
      values[name] = `${before}${name === 'cookie' ? ';' : ','} ${value}`
      repeated ??= Object.create(null) as Record<string, number>
      repeated[name] = (repeated[name] ?? 1) + 1
    }
  }
  return {
    get: (name) => values[name],
    count: (name) => (values[name] === undefined ? 0 : (repeated?.[name] ?? 1))
  }
}
