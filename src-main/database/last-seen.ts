import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The state of the library since Earmark last had it open: `never` opened here; `whole`, closed and not changed since;
 * `unclean`, still open when its process ended; `damaged`; or `changed` after it was closed.
 */
export type LastSeen = 'never' | 'whole' | 'unclean' | 'damaged' | 'changed'

/** `written`: there was a log that was not empty. `closing`: the log may be gone already. */
const STATES = ['open', 'written', 'closing', 'damaged'] as const

type Note = { state: (typeof STATES)[number] } | { state: 'closed'; size: number; changedAt: number }

/** Stores the state in a file next to the library, to detect a missing library and to check a changed one. */
export function lastSeen(folder: string) {
  const file = join(folder, 'library.sqlite')
  const note = join(folder, 'library.seen')

  function write(facts: Note): void {
    try {
      writeFileSync(note, JSON.stringify(facts), { mode: 0o600 })
    } catch {
      // The disk is full. The library stays in use, and is checked at the next start.
    }
  }

  return {
    read(): LastSeen {
      if (!statSync(note, { throwIfNoEntry: false })) return 'never'
      const facts = parsed(note)
      if (!facts) return 'changed'
      if (facts.state === 'damaged') return 'damaged'
      if (facts.state !== 'closed') return 'unclean'
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats?.size === facts.size && stats.mtimeMs === facts.changedAt ? 'whole' : 'changed'
    },
    /** Whether the last changes may be lost, because the log that contained them is missing or empty. */
    lostLog(): boolean {
      if (parsed(note)?.state !== 'written' || !existsSync(file)) return false
      return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
    },
    opened: () => write({ state: 'open' }),
    written: () => write({ state: 'written' }),
    closing: () => write({ state: 'closing' }),
    damaged: () => write({ state: 'damaged' }),
    closed(): void {
      const stats = statSync(file, { throwIfNoEntry: false })
      if (stats) write({ state: 'closed', size: stats.size, changedAt: stats.mtimeMs })
    }
  }
}

/** Without a schema: loading zod takes longer than opening the library. */
function parsed(note: string): Note | undefined {
  try {
    const { state, size, changedAt } = JSON.parse(readFileSync(note, 'utf8')) as Record<string, unknown>
    if (state === 'closed' && typeof size === 'number' && typeof changedAt === 'number')
      return { state, size, changedAt }
    const known = STATES.find((name) => name === state)
    return known && { state: known }
  } catch {
    return undefined
  }
}
