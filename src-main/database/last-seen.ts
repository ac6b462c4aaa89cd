import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How the library was left: `never` seen here, closed `whole` and not touched since, still open when its process ended
 * (`unclean`), known to be `damaged`, or in another way than it was closed (`changed`).
 */
export type LastSeen = 'never' | 'whole' | 'unclean' | 'damaged' | 'changed'

/** `written`: a log with something in it lay beside the library. `closing`: it may be gone already. */
const STATES = ['open', 'written', 'closing', 'damaged'] as const

type Note = { state: (typeof STATES)[number] } | { state: 'closed'; size: number; changedAt: number }

/** A note beside the library of how it was left, so that a missing library is noticed, and a changed one looked at. */
export function lastSeen(folder: string) {
  const file = join(folder, 'library.sqlite')
  const note = join(folder, 'library.seen')

  function write(facts: Note): void {
    try {
      writeFileSync(note, JSON.stringify(facts), { mode: 0o600 })
    } catch {
      // The disk is full: the library goes on, and is looked through at the next start.
    }
  }

  return {
    read(): LastSeen {
      if (!statSync(note, { throwIfNoEntry: false })) return 'never'
      const facts = parsed(note)
      if (!facts) return 'changed'
      if (facts.state === 'damaged') return 'damaged'
      if (facts.state !== 'closed') return 'unclean'
      const found = statSync(file, { throwIfNoEntry: false })
      return found && found.size === facts.size && found.mtimeMs === facts.changedAt ? 'whole' : 'changed'
    },
    /** Whether what was saved last may be gone: the log that it was in is missing, or empty. */
    lostLog(): boolean {
      if (parsed(note)?.state !== 'written' || !existsSync(file)) return false
      return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
    },
    opened: () => write({ state: 'open' }),
    written: () => write({ state: 'written' }),
    closing: () => write({ state: 'closing' }),
    damaged: () => write({ state: 'damaged' }),
    closed(): void {
      const found = statSync(file, { throwIfNoEntry: false })
      if (found) write({ state: 'closed', size: found.size, changedAt: found.mtimeMs })
    }
  }
}

/** Read by hand: a schema takes longer to load than the library to open. */
function parsed(note: string): Note | undefined {
  try {
    const { state, size, changedAt } = JSON.parse(readFileSync(note, 'utf8')) as Record<string, unknown>
    if (state === 'closed' && typeof size === 'number' && typeof changedAt === 'number')
      return { state, size, changedAt }
    const known = STATES.find((one) => one === state)
    return known && { state: known }
  } catch {
    return undefined
  }
}
