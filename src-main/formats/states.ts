import { STATES, type State } from '../contract/state-tags.ts'

/** The tags of the states that hold, to stand behind the owner's own. */
export function stateTags(states: Partial<Record<State, boolean>>): string[] {
  return STATES.filter((state) => states[state])
}

/** Whether an address is that of a bookmark that Vivaldi shows as a line between others. */
export function isSeparator(url: string): boolean {
  return /^https?:\/\/bookmark\.placeholder\.url\/?$/.test(url)
}

/** A flag as files write it: `1`, `"1"`, `true`. */
export function isSet(flag: unknown): boolean {
  return flag === true || flag === 1 || (typeof flag === 'string' && /^(1|true|yes)$/i.test(flag.trim()))
}
