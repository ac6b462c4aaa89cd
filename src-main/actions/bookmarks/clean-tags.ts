import { LIMITS } from '../../contract/bookmark.ts'
import { cleanTag } from '../../core/clean-text.ts'
import { foldName } from '../../core/fold-name.ts'

/** Tags as they are stored: safe, none empty, none twice, and no more than a bookmark can have. */
export function cleanTags(tags: string[]): string[] {
  const clean = new Map<string, string>()
  for (const tag of tags) {
    const name = cleanTag(tag, LIMITS.tag)
    if (name !== '' && !clean.has(foldName(name))) clean.set(foldName(name), name)
    if (clean.size === LIMITS.tags) break
  }
  return [...clean.values()]
}
