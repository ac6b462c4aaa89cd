import { agentName } from '../../../shared/agents.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'

/** What an agent saved is marked for so long, in milliseconds; just-saved.module.css lets the mark go by then. */
export const MARKED_MS = 8000

/** Who saved this a moment ago, where it was an agent. */
export function justSavedBy(
  { createdAt, savedBy }: Pick<ShownBookmark, 'createdAt' | 'savedBy'>,
  now = Date.now()
): string | undefined {
  if (!savedBy || now - Date.parse(createdAt) > MARKED_MS) return undefined
  return savedBy.client === null ? savedBy.key : agentName(savedBy.client)
}
