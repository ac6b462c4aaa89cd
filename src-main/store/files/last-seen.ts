import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/**
 * How the library was left: `never` seen here, closed `whole` and not touched since, still open when its process ended
 * (`unclean`), known to be `damaged`, or in another way than it was closed (`changed`).
 */
export type LastSeen = 'never' | 'whole' | 'unclean' | 'damaged' | 'changed'

const Note = z.union([
  // `written`: a log with something in it lay beside the library. `closing`: it may be gone already.
  z.object({ state: z.enum(['open', 'written', 'closing', 'damaged']) }),
  z.object({ state: z.literal('closed'), size: z.number(), changedAt: z.number() })
])

/** What is remembered of the library beside it, so that one that is gone is missed, and one that was changed is looked at. */
export function lastSeen(folder: string) {
  const file = join(folder, 'library.sqlite')
  const note = join(folder, 'library.seen')

  function write(facts: z.infer<typeof Note>): void {
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

function parsed(note: string): z.infer<typeof Note> | undefined {
  try {
    return Note.parse(JSON.parse(readFileSync(note, 'utf8')))
  } catch {
    return undefined
  }
}
