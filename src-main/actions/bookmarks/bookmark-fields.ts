import { type BookmarkType, LIMITS } from '../../contract/bookmark.ts'
import { Problem } from '../../contract/problem.ts'
import { parseAddress } from '../../core/address.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import { hexOf } from '../../core/color.ts'

/** Where a bookmark points. Only links and images are pages; a color or a text merely says where it is from. */
export interface AddressFields {
  url: string | null
  domain: string | null
  pageKey: string | null
}

/** @throws Problem `invalid` when a type that needs an address has none, or the address cannot be saved */
export function addressFields(type: BookmarkType, url: string): AddressFields {
  const isPage = type === 'link' || type === 'image'
  if (!isPage && url.trim() === '') return { url: null, domain: null, pageKey: null }
  const address = parseAddress(url)
  if ('fault' in address) throw new Problem('invalid', `url: ${address.fault}`)
  return isPage ? address : { ...address, pageKey: null }
}

/** @throws Problem `invalid` when a text is empty or a color is none */
export function contentField(type: BookmarkType, content: string): string {
  if (type === 'color') {
    const color = cleanText(content, LIMITS.content)
    if (hexOf(color) === undefined) throw new Problem('invalid', 'content: not a valid CSS color')
    return color
  }
  const text = cleanLines(content, LIMITS.content)
  if (type === 'text' && text === '') throw new Problem('invalid', 'content: a text cannot be empty')
  return text
}

/** Returns the title of a bookmark that was given none: a color's hex, or the first line of a text. */
export function titleFor(type: BookmarkType, content: string): string {
  if (type === 'color') return hexOf(content) ?? ''
  return type === 'text' ? cleanText(content.split('\n', 1)[0] ?? '', LIMITS.title) : ''
}
