import { type BookmarkType, LIMITS, type Placement } from '../../contract/bookmark.ts'
import type { Owner } from '../../contract/caller.ts'
import type { ImportedRecord } from '../../contract/import-format.ts'
import type { ImportDraft } from '../../contract/library-export.ts'
import { MAX_PAGE_TEXT } from '../../contract/page-details.ts'
import { parseAddress, quotedAddress, withoutLogins } from '../../core/address.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import { hexOf } from '../../core/color.ts'
import type { AddressFields } from '../bookmarks/bookmark-fields.ts'
import { cleanTags, titleFor } from '../bookmarks/bookmark-fields.ts'
import { pictureFields } from '../pictures.ts'

/**
 * A record as it would be saved, its texts made safe and short enough, or why it cannot be.
 *
 * @param ownPlace the owner of what Earmark itself exported; absent where it goes to the placement all the same
 */
export function draftOf(
  given: ImportedRecord,
  { owner, visibility, savedAt }: Placement,
  ownPlace?: Owner
): ImportDraft | { fault: string } {
  if (given.fault !== undefined) return { fault: given.fault }
  const record = withoutAddress(given)
  const { type = 'link', own } = record
  const address = addressOf(record, type)
  if ('fault' in address) return address
  const content = cleanLines(record.content ?? '', LIMITS.content)
  if (type === 'text' && content === '') return { fault: 'an empty text' }
  if (type === 'color' && hexOf(content) === undefined) return { fault: 'not a valid CSS color' }
  const isPlaced = own !== undefined && ownPlace !== undefined
  return {
    type,
    ...address,
    title: cleanText(withoutLogins(record.title), LIMITS.title) || (own ? '' : titleFor(type, content)),
    description: cleanLines(record.description, LIMITS.description),
    content,
    tags: cleanTags(record.tags),
    createdAt: record.createdAt ?? savedAt,
    // A later time would be that of a change since the import, which undoing leaves alone.
    updatedAt: Math.min(own?.updatedAt ?? savedAt, savedAt),
    deletedAt: own?.deletedAt ?? null,
    id: own?.id,
    pageText: record.pageText && address.pageKey !== null ? cleanLines(record.pageText, MAX_PAGE_TEXT) : undefined,
    owner: isPlaced ? ownPlace : owner,
    visibility: isPlaced ? own.visibility : record.isPrivate && owner === null ? 'private' : visibility
  }
}

/**
 * A note is no page: other services export it as a link without an address, Shaarli with one that leads into itself
 * (`?id`, a path). It is a text where it has any.
 */
function withoutAddress(record: ImportedRecord): ImportedRecord {
  const { type, own, url, title, description } = record
  if (type !== undefined || own !== undefined) return record
  const text = url.trim() === '' ? description : NOTE.test(url.trim()) ? description || title : ''
  return text.trim() === '' ? record : { ...record, type: 'text', url: '', content: text, description: '' }
}

const NOTE = /^(?:\?|\/(?!\/))/

function addressOf({ url, own }: ImportedRecord, type: BookmarkType) {
  if (type === 'image' && own?.picture) return pictureFields(own.picture)
  return type === 'link' || type === 'image' ? parseAddress(quotedAddress(url)) : sourceOf(url)
}

/** Where a text or a color is from, which it may do without. */
function sourceOf(url: string): AddressFields {
  const address = parseAddress(quotedAddress(url))
  return 'fault' in address ? { url: null, domain: null, pageKey: null } : { ...address, pageKey: null }
}
