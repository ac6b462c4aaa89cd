import { foldName } from '../../core/fold-name.ts'
import type { Ports } from '../ports.ts'

/** As many as can be looked through at a glance. */
const MAX_TAGS = 8

/** The tags that what was typed may become: those that begin with it, then those that hold it, each the most used first. */
export async function completeTag({ library }: Ports, typed: string): Promise<string[]> {
  const part = foldName(typed.trim().replace(/^#(?!\ufe0f)/, ''))
  const tags = (await library.listTags()).toSorted((a, b) => b.bookmarks - a.bookmarks)
  const names = tags.map(({ name }) => ({ name, at: foldName(name).indexOf(part) }))
  const [first, later] = [names.filter(({ at }) => at === 0), names.filter(({ at }) => at > 0)]
  return [...first, ...later].slice(0, MAX_TAGS).map(({ name }) => name)
}
