import {
  type BookmarkType,
  HIGHLIGHT_COLORS,
  HIGHLIGHT_LIMITS,
  type HighlightColor,
  LIMITS,
  type Placement
} from '../../contract/bookmark.ts'
import type { Owner } from '../../contract/caller.ts'
import type { GivenHighlight, ImportedRecord } from '../../contract/import-format.ts'
import type { Dropped } from '../../contract/import-report.ts'
import type { ImportDraft, ImportedHighlight } from '../../contract/library-export.ts'
import { MAX_PAGE_MARKDOWN, MAX_PAGE_TEXT, type PageText } from '../../contract/page-details.ts'
import { fitsTag } from '../../contract/tag-names.ts'
import { type Fault, holdsLogin, parseAddress, quotedAddress, withoutLogins } from '../../core/address.ts'
import { cleanLines, cleanText } from '../../core/clean-text.ts'
import { cssToHex } from '../../core/color.ts'
import type { AddressFields } from '../bookmarks/bookmark-fields.ts'
import { cleanTags, titleFor } from '../bookmarks/bookmark-fields.ts'
import { pictureFields } from '../pictures.ts'

/**
 * Returns a record as it would be saved, with its texts cleaned and cut, or why it cannot be saved.
 *
 * @param ownPlace the owner in the record, if Earmark exported it; absent if the record is saved in the placement anyway
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
  if ('fault' in address) return { fault: faultOf(record.url, address) }
  const content = cleanLines(record.content ?? '', LIMITS.content)
  if (type === 'text' && content === '') return { fault: 'an empty text' }
  if (type === 'color' && cssToHex(content) === undefined) return { fault: 'not a valid CSS color' }
  const isPlaced = own !== undefined && ownPlace !== undefined
  return {
    type,
    ...address,
    title: cleanText(withoutLogins(record.title), LIMITS.title) || (own ? '' : titleFor(type, content)),
    description: cleanLines(record.description, LIMITS.description),
    content,
    tags: cleanTags(record.tags),
    createdAt: record.createdAt ?? savedAt,
    // A time after the import would look like a change since the import, and undoing the import would keep the
    // bookmark.
    updatedAt: Math.min(own?.updatedAt ?? savedAt, savedAt),
    deletedAt: own?.deletedAt ?? null,
    id: own?.id,
    highlights: highlightsOf(record, savedAt),
    place: record.place,
    pageText: address.pageKey === null ? undefined : record.pageText && cleanPageText(record.pageText),
    owner: isPlaced ? ownPlace : owner,
    visibility: isPlaced ? own.visibility : record.isPrivate && owner === null ? 'private' : visibility
  }
}

/** Colors of other services, with the most similar color of Earmark. */
const OTHER_COLORS: Record<string, HighlightColor> = { red: 'pink', purple: 'pink', orange: 'yellow', cyan: 'blue' }

function highlightsOf({ highlights = [] }: ImportedRecord, savedAt: number): ImportedHighlight[] | undefined {
  const all = highlights.slice(0, HIGHLIGHT_LIMITS.highlights).flatMap((highlight): ImportedHighlight[] => {
    const { id, prefix = '', suffix = '', start = null, note = '', createdAt = savedAt } = highlight
    const quote = cleanLines(highlight.quote, HIGHLIGHT_LIMITS.quote)
    const name = highlight.color?.trim().toLowerCase() ?? ''
    const color = HIGHLIGHT_COLORS.find((one) => one === name) ?? OTHER_COLORS[name] ?? 'yellow'
    if (quote === '') return []
    return [{ id, quote, prefix, suffix, start, color, note: cleanLines(note, HIGHLIGHT_LIMITS.note), createdAt }]
  })
  return all.length === 0 ? undefined : all
}

/**
 * Turns a note into a text. Other services export a note as a link without an address, and Shaarli with an address
 * within itself (`?id`, a path).
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

/**
 * Returns why an address in a file cannot be imported. The messages of `parseAddress` are for the sender of a request.
 */
function faultOf(url: string, { fault, why }: Fault): string {
  if (url.trim() === '') return 'no address'
  switch (why?.kind) {
    case undefined:
      return fault
    case 'several':
      return 'several addresses in one field'
    case 'control':
      return 'an invisible character in the address'
    default:
      return 'not an address'
  }
}

/** Returns the source address of a text or a color, if it has a valid one. */
function sourceOf(url: string): AddressFields {
  const address = parseAddress(quotedAddress(url))
  return 'fault' in address ? { url: null, domain: null, pageKey: null } : { ...address, pageKey: null }
}

/** Lists the parts of a record that its draft does not keep: fields without a counterpart, and the ends of long texts. */
export function droppedOf(record: ImportedRecord, draft: ImportDraft) {
  const { url, title, description, content = '', pageText, highlights = [], tags, dropped = [] } = record
  const article = pageText?.markdown ?? pageText?.text ?? ''
  const maxArticle = pageText?.markdown === null ? MAX_PAGE_TEXT : MAX_PAGE_MARKDOWN
  const all: Dropped[] = [...dropped]
  if (isLonger(title, LIMITS.title, cleanText)) all.push('ends of long titles')
  if (draft.description !== '' && isLonger(description, LIMITS.description, cleanLines)) {
    all.push('ends of long descriptions')
  }
  const ownText = draft.type === 'text' && content === '' ? description : content
  const isCut = ({ quote, note = '' }: GivenHighlight) =>
    isLonger(quote, HIGHLIGHT_LIMITS.quote, cleanLines) || isLonger(note, HIGHLIGHT_LIMITS.note, cleanLines)
  if (highlights.length > HIGHLIGHT_LIMITS.highlights || highlights.some(isCut)) all.push('ends of long highlights')
  if (isLonger(ownText, LIMITS.content, cleanLines) || isLonger(article, maxArticle, cleanLines)) {
    all.push('ends of long texts')
  }
  if ([title, description, content, article, ...tags].some((text) => text.includes('\ufffd'))) {
    all.push('unreadable characters')
  }
  for (const tag of tags) {
    if (tag.length > LIMITS.tagName && !fitsTag(cleanText(tag, tag.length))) all.push('ends of long tags')
  }
  if (tags.length > LIMITS.tags && draft.tags.length === LIMITS.tags) all.push('tags beyond the 64th')
  if (holdsLogin(url)) all.push('user names and passwords in addresses')
  return all
}

function cleanPageText({ text, markdown }: PageText): PageText {
  return {
    text: cleanLines(text, MAX_PAGE_TEXT),
    markdown: markdown === null ? null : cleanLines(markdown, MAX_PAGE_MARKDOWN)
  }
}

/** Whether a part of a text is cut off. Only long texts are cleaned again, because nearly all texts are short. */
function isLonger(text: string, limit: number, clean: (text: string, limit: number) => string): boolean {
  return text.length > limit && clean(text, text.length).length > limit
}
