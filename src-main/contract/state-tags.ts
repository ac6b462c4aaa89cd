/** The states of a bookmark, as other services have them too. Each is a tag of this name. */
export const STATES = ['favorite', 'unread', 'archived'] as const
export type State = (typeof STATES)[number]

export function isState(tag: string): tag is State {
  return (STATES as readonly string[]).includes(tag.toLowerCase())
}
