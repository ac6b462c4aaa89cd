import { msg } from '@lingui/core/macro'
import type { State } from '../../../src-main/contract/tag-names.ts'
import { i18n } from '../../lib/locale.ts'
/** The keys that turn them. */
export const STATE_KEYS: Record<State, string> = { favorite: 'F', unread: 'U', archived: 'A' }

/** Whether a bookmark has a state. */
export function hasState({ tags }: { tags: string[] }, state: State): boolean {
  return tags.some((tag) => tag.toLowerCase() === state)
}

/** What turning a state does to a bookmark. */
export function stateLabel(bookmark: { tags: string[] }, state: State): string {
  return i18n._((hasState(bookmark, state) ? TURN_OFF : TURN_ON)[state])
}

const TURN_ON = { favorite: msg`Add to favorites`, unread: msg`Mark as unread`, archived: msg`Archive` }
const TURN_OFF = { favorite: msg`Remove from favorites`, unread: msg`Mark as read`, archived: msg`Unarchive` }
