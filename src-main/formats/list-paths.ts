import { DEEPEST, folderName } from './folder-path.ts'

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
