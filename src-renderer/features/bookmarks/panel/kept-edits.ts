import type { Edits } from './edits.ts'
import { entriesOf } from './edits.ts'

/**
 * Edits that are not saved yet lie in the browser's storage, so that they outlive the page. Other tabs leave them alone
 * as long as the tab they were typed in may still be there.
 */
const PREFIX = 'earmark-unsaved-'
const ABANDONED_MS = 60_000

interface Kept {
  tab: string
  at: number
  edits: Edits
}

export function keepEdits(id: string, edits: Edits): void {
  const open = Object.fromEntries(entriesOf(edits).filter(([, { saved }]) => !saved))
  if (Object.keys(open).length === 0) localStorage.removeItem(PREFIX + id)
  else localStorage.setItem(PREFIX + id, JSON.stringify({ tab: thisTab(), at: Date.now(), edits: open } satisfies Kept))
}

/** Returns a bookmark's edits that a page before this one left. */
export function keptEdits(id: string): Edits {
  const kept = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') as Kept | null
  return kept && (kept.tab === thisTab() || Date.now() - kept.at > ABANDONED_MS) ? kept.edits : {}
}

/** Bookmarks with edits that were left and may be saved yet: what was refused is told once, and shown in its panel. */
export function leftUnsaved(): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length))
    .filter((id) => entriesOf(keptEdits(id)).some(([, { refused }]) => refused === undefined))
}

/** A name for this tab which a reload keeps. */
function thisTab(): string {
  const name = sessionStorage.getItem('earmark-tab-name') ?? crypto.randomUUID()
  sessionStorage.setItem('earmark-tab-name', name)
  return name
}
