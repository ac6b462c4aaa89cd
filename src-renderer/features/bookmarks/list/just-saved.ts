import type { ShownBookmark } from '../../../api/client.ts'
import { agentName } from '../../../lib/agents.ts'

/** How long a bookmark that an agent saved is marked, in milliseconds; just-saved.module.css fades the mark by then. */
export const MARKED_MS = 8000

/** Returns the agent that saved this a moment ago, if one did. */
export function justSavedBy(
  { createdAt, savedBy }: Pick<ShownBookmark, 'createdAt' | 'savedBy'>,
  now = Date.now()
): string | undefined {
  if (!savedBy || now - Date.parse(createdAt) > MARKED_MS) return undefined
  return savedBy.client === null ? savedBy.key : agentName(savedBy.client)
}
