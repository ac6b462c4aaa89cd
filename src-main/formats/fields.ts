import { LIMITS } from '../contract/bookmark.ts'
import type { Dropped } from '../contract/import-report.ts'
import { STATES, type State } from '../contract/tag-names.ts'

/** Returns the kinds of data that a record holds and a bookmark has no room for. */
export function droppedIn(held: Partial<Record<Dropped, unknown>>): Dropped[] | undefined {
  const all = Object.entries(held).filter(([, value]) => isSaid(value))
  return all.length === 0 ? undefined : (all.map(([what]) => what) as Dropped[])
}

/** Files fill in what they don't know: with `null`, 0, an empty text or an empty list. */
function isSaid(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value.trim() !== '0'
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** Texts of one record as one description: those that say anything, with an empty line between. */
export function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

/** The author as a line of the description: a bookmark has no field for it. */
export function byAuthor(author: string): string {
  return author.trim() === '' ? '' : `By ${author.trim()}`
}

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

/** A path longer than this says nothing as a tag. Deeper folders keep their outer path. */
export const DEEPEST = 16

interface Path {
  text: string
  depth: number
}

/** Where in nested folders a reader is. Lists nest as deep as a file's writer likes; one that adds nothing is counted. */
export class FolderPath {
  /** Outermost first, each with how many lists in a row it is the path of. */
  readonly #paths: { path: Path; lists: number }[] = []

  /** The names of the folders around, with a slash between; empty outside of all. */
  get text(): string {
    return this.#paths.at(-1)?.path.text ?? ''
  }

  /** @param folder its name; empty for a list that belongs to no folder */
  enter(folder: string): void {
    const around = this.#paths.at(-1)
    const path = within(around?.path ?? OUTSIDE, folder)
    if (around?.path === path) around.lists += 1
    else this.#paths.push({ path, lists: 1 })
  }

  leave(): void {
    const last = this.#paths.at(-1)
    if (!last) return
    last.lists -= 1
    if (last.lists === 0) this.#paths.pop()
  }
}

const OUTSIDE: Path = { text: '', depth: 0 }

function within(around: Path, folder: string): Path {
  if (folder === '' || around.depth === DEEPEST) return around
  return { text: around.text === '' ? folder : `${around.text}/${folder}`, depth: around.depth + 1 }
}

/** A folder's name as part of a path: a slash in it would read as two folders. */
export function folderName(text: string): string {
  return text.slice(0, LIMITS.title).replaceAll('/', '-')
}

/** A list or collection that may lie in another. */
export interface NamedList {
  name: string
  /** The id of the one around it; empty for none. */
  parent: string
}

/** The path of a list by its id, such as `Work/Client`. A list that lies within itself ends there. */
export function pathOf(lists: Map<string, NamedList>, id: string): string {
  const names: string[] = []
  const seen = new Set<string>()
  for (let at = id; names.length < DEEPEST && !seen.has(at); ) {
    const list = lists.get(at)
    if (!list) break
    seen.add(at)
    const name = folderName(list.name.trim())
    if (name !== '') names.unshift(name)
    at = list.parent
  }
  return names.join('/')
}
