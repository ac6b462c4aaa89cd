import { type BookmarkType, LIMITS, type Placement, type Visibility } from '../../contract/bookmark.ts'
import type { Place } from '../../contract/bookmark-change.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/problem.ts'
import { parseAddress } from '../../core/address.ts'
import { cleanLines, cleanTag, cleanText } from '../../core/clean-text.ts'
import { hexOf } from '../../core/color.ts'
import { foldName } from '../../core/fold-name.ts'
import { findOrganization } from '../organizations/organizations.ts'
import type { Ports } from '../ports.ts'

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

/**
 * The place a person chose: an organization by its id or name, or the profile with a visibility. `undefined` when
 * neither was given.
 *
 * @throws Problem `invalid` when the two do not go together, `not-found` when there is no such organization
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

/** Where what this caller saves belongs: in its organization, or with the profile under the default visibility. */
export async function placementFor(ports: Ports, caller: Caller): Promise<Placement> {
  const savedAt = ports.now()
  if (caller.owner !== null) return { owner: caller.owner, visibility: 'organization', savedAt }
  const { defaultVisibility } = await ports.library.readSettings()
  return { owner: null, visibility: defaultVisibility, savedAt }
}
