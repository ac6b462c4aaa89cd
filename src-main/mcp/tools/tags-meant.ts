import { jsonIn } from './tool.ts'

/**
 * Reads tags that no bookmark has as they are written: several in one string, with commas or as JSON, or one with its
 * `#`, which is removed when a tag is saved.
 *
 * @returns `undefined` where they mean what they say
 */
export function tagsMeant(tags: string | string[]): string[] | undefined {
  const meant = [tags].flat().flatMap((tag) => severalIn(tag).map((one) => one.trim().replace(/^[#\s]+/, '')))
  const some = [...new Set(meant.filter((tag) => tag !== ''))]
  const isSame = some.length === [tags].flat().length && [tags].flat().every((tag, index) => tag === some[index])
  return isSame || some.length === 0 ? undefined : some
}

function severalIn(text: string): string[] {
  const list = jsonIn(text)
  return Array.isArray(list) && list.every((tag) => typeof tag === 'string') ? list : text.split(',')
}
