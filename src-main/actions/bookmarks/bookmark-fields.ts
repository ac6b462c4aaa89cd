import { type BookmarkType, LIMITS, type Place, type Placement, type Visibility } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { invalidFields, Problem } from '../../contract/problem.ts'
import { parseAddress } from '../../core/address.ts'
import { cleanLines, cleanTag, cleanText, foldName } from '../../core/clean-text.ts'
import { cssToHex } from '../../core/color.ts'
import { findOrganization } from '../organizations.ts'
import type { Ports } from '../ports.ts'

/** The fields of an address. Only links and images have a page key. The address of a color or a text is its source. */
export interface AddressFields {
  url: string | null
  domain: string | null
  pageKey: string | null
}

/** @throws Problem `invalid` if a type that needs an address has none, or the address cannot be saved */
export function addressFields(type: BookmarkType, url: string): AddressFields {
  const isPage = type === 'link' || type === 'image'
  if (!isPage && url.trim() === '') return { url: null, domain: null, pageKey: null }
  const address = parseAddress(url)
  if ('fault' in address) throw invalidFields([{ path: ['url'], message: address.fault, address: address.why }])
  return isPage ? address : { ...address, pageKey: null }
}

/** @throws Problem `invalid` if a text is empty, or a color is no CSS color */
export function contentField(type: BookmarkType, content: string): string {
  if (type === 'color') {
    const color = cleanText(content, LIMITS.content)
    if (cssToHex(color) === undefined) throw invalidFields([{ path: ['content'], message: 'not a valid CSS color' }])
    return color
  }
  const text = cleanLines(content, LIMITS.content)
  if (type === 'text' && text === '') throw invalidFields([{ path: ['content'], message: 'a text cannot be empty' }])
  return text
}

/** Maximum length of a title that is made from a text. */
const MAX_MADE_TITLE = 120

/** Returns a title for a bookmark without one: a color’s hexadecimal form, or the beginning of a text’s first line. */
export function titleFor(type: BookmarkType, content: string): string {
  if (type === 'color') return cssToHex(content) ?? ''
  if (type !== 'text') return ''
  const [line = ''] = content.split('\n', 1)
  const start = cleanText(line, MAX_MADE_TITLE)
  return start === cleanText(line, LIMITS.content) ? start : `${start.replace(/\s+\S*$/, '')} …`
}

/** Returns tags as they are stored: clean, not empty, not repeated, and at most `LIMITS.tags`. */
export function cleanTags(tags: string[]): string[] {
  const clean = new Map<string, string>()
  for (const tag of tags) {
    const name = cleanTag(tag, LIMITS.tag)
    if (name !== '' && !clean.has(foldName(name))) clean.set(foldName(name), name)
    if (clean.size === LIMITS.tags) break
  }
  return [...clean.values()]
}

/**
 * Returns the place that a person chose: an organization by its id or name, or the profile with a visibility; `undefined`
 * if neither is given.
 *
 * @throws Problem `invalid` if the two contradict each other, `not-found` if there is no such organization
 */
export async function choosePlace(
  ports: Ports,
  { visibility, organization }: { visibility?: Visibility | undefined; organization?: string | undefined }
): Promise<Place | undefined> {
  if (organization !== undefined) {
    if (visibility !== undefined && visibility !== 'organization') {
      throw new Problem('invalid', `A bookmark of an organization cannot be ${visibility}.`)
    }
    return { owner: (await findOrganization(ports, organization)).rowId, visibility: 'organization' }
  }
  if (visibility === 'organization') throw new Problem('invalid', 'Choose the organization it should belong to.')
  return visibility && { owner: null, visibility }
}

/** Returns the placement of a caller’s new bookmarks: its organization, or the profile with the default visibility. */
export async function placementFor(ports: Ports, { owner }: Caller): Promise<Placement> {
  const savedAt = ports.now()
  if (owner !== null) return { owner, visibility: 'organization', savedAt }
  const { defaultVisibility } = await ports.library.readSettings()
  return { owner, visibility: defaultVisibility, savedAt }
}
