import type { BookmarkType, Visibility } from '../contract/bookmark.ts'
import type { Owner } from '../contract/caller.ts'
import type { LinkMark } from '../contract/link-check.ts'
import { parentTags } from '../contract/tag-names.ts'
import { foldName } from '../core/clean-text.ts'

/** The first character of every filter token. It is a private-use character, which indexed texts do not have. */
const MARK = '\ue000'

/** Words in the full-text index that no text contains: a bookmark has one for each filter that it matches. */
export const filterToken = {
  type: (type: BookmarkType) => `${MARK}k${type}`,
  visibility: (visibility: Visibility) => `${MARK}v${visibility}`,
  organization: (rowId: number) => `${MARK}o${rowId}`,
  link: (mark: LinkMark) => `${MARK}l${mark}`,
  highlighted: `${MARK}h`,
  tag: (rowId: number) => `${MARK}t${rowId}`,
  /** The prefix of every tag's token; the tag's row id follows. */
  tagPrefix: `${MARK}t`,
  /** Of bookmarks with a tag nested in this one: `work` for `work/client`. */
  tagsBelow: (folded: string) => `${MARK}p${toHex(folded)}`,
  /** The year of creation (UTC). */
  year: (year: number) => `${MARK}y${year}`,
  /** The month of creation (UTC), from 0 to 11. */
  month: (year: number, month: number) => `${MARK}m${year * 12 + month}`,
  /** In hexadecimal, because the tokenizer would split a host at its dots. */
  site: (domain: string) => `${SITE}${toHex(domain)}`
}

const SITE = `${MARK}d`
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const encoder = new TextEncoder()
const decoder = new TextDecoder()

function toHex(text: string): string {
  let hex = ''
  for (const byte of encoder.encode(text)) hex += HEX[byte]
  return hex
}

/** Returns the site of a token that `filterToken.site` made. */
export function parseSiteToken(token: string): string {
  const bytes = token.slice(SITE.length).match(/../g) ?? []
  return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)).buffer)
}

/** Returns the range of tokens of all sites with this beginning. */
export function siteTokenRange(beginning: string): { from: string; to: string } {
  const from = filterToken.site(beginning)
  return { from, to: `${from}\uffff` }
}

/**
 * Maximum number of labels of a host that get tokens. DNS allows 127 (RFC 1035), and the length of all tokens grows
 * with the square of the number.
 */
const MAX_LABELS = 8

/** Returns the tokens of a site and of its parents: `docs.github.com`, `github.com`, `com`. */
export function siteTokens(domain: string): string[] {
  const labels = domain.split('.')
  const short = labels.slice(-MAX_LABELS)
  const sites = short.map((_, index) => short.slice(index).join('.'))
  return (labels.length > MAX_LABELS ? [domain, ...sites] : sites).map(filterToken.site)
}

/** Returns the tokens of the tags in which a tag is nested: `work` and `work/client` for `work/client/logo`. */
export function parentTagTokens(tag: string): string[] {
  return parentTags(foldName(tag)).map(filterToken.tagsBelow)
}

/** Earlier dates have the tokens of the first year, later dates those of the last. */
const FIRST_YEAR = 1970
const LAST_YEAR = 2100

/** @param createdAt in ms since 1970 */
export function dateTokens(createdAt: number): string[] {
  const { year, month } = monthOf(createdAt)
  return [filterToken.year(year), filterToken.month(year, month)]
}

/** Returns the start of a time's month. All times of a month have the same tokens. */
export function startOfMonth(time: number): number {
  const { year, month } = monthOf(time)
  return Date.UTC(year, month)
}

function monthOf(time: number): { year: number; month: number } {
  const date = new Date(Math.min(Math.max(time, Date.UTC(FIRST_YEAR, 0)), Date.UTC(LAST_YEAR, 11)))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() }
}

/**
 * Returns tokens for a period: the whole years in it, and the months of years that are only partly in it. Every bookmark
 * created in the period has one of them. So have others from the first and last month: check their dates too.
 */
export function periodTokens(after = 0, before = Number.MAX_SAFE_INTEGER): string[] {
  const first = monthOf(after)
  const last = monthOf(before - 1)
  const tokens: string[] = []
  for (let year = first.year; year <= last.year; year++) {
    const from = year === first.year ? first.month : 0
    const to = year === last.year ? last.month : 11
    if (from === 0 && to === 11) tokens.push(filterToken.year(year))
    else for (let month = from; month <= to; month++) tokens.push(filterToken.month(year, month))
  }
  return tokens
}

/** Returns the tokens of the fields that every bookmark has. */
export function baseTokens(type: BookmarkType, visibility: Visibility, owner: Owner): string[] {
  const organization = owner === null ? [] : [filterToken.organization(owner)]
  return [filterToken.type(type), filterToken.visibility(visibility), ...organization]
}
