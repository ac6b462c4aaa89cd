import type { State } from '../../../src-main/contract/tag-names.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'

/** The keys that turn them. */
export const STATE_KEYS: Record<State, string> = { favorite: 'F', unread: 'U', archived: 'A' }

/** Whether a bookmark has a state. */
export function hasState({ tags }: { tags: string[] }, state: State): boolean {
  return tags.some((tag) => tag.toLowerCase() === state)
}

/** What turning a state does to a bookmark. */
export function stateLabel(bookmark: { tags: string[] }, state: State): string {
  return (hasState(bookmark, state) ? strings.turnOff : strings.turnOn)[state]
}
