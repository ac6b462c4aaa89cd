import type { BookmarkType, Visibility } from '../contract/bookmark.ts'
import type { Owner } from '../contract/caller.ts'
import type { LinkMark } from '../contract/link-check.ts'
import { parentTags } from '../contract/tag-names.ts'
import { foldName } from '../core/clean-text.ts'

/** Begins every filter's token in the index; texts are indexed without private-use characters, so none collides. */
const MARK = '\ue000'

/** The tokens a bookmark is filtered by. */
export const filterToken = {
  type: (type: BookmarkType) => `${MARK}k${type}`,
  visibility: (visibility: Visibility) => `${MARK}v${visibility}`,
  organization: (rowId: number) => `${MARK}o${rowId}`,
  link: (mark: LinkMark) => `${MARK}l${mark}`,
  highlighted: `${MARK}h`,
  tag: (rowId: number) => `${MARK}t${rowId}`,
  /** The beginning of every tag's token; its row id follows. */
  anyTag: `${MARK}t`,
  /** Of every tag that belongs to this one. */
  tagsBelow: (folded: string) => `${MARK}p${toHex(folded)}`,
  /** Of the year and the month in which it was created, in universal time. */
  year: (year: number) => `${MARK}y${year}`,
  month: (year: number, month: number) => `${MARK}m${year * 12 + month}`,
  /** Only letters and digits make one token, so a host is written in hexadecimal. */
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

/** Returns the site that a token of `filterToken.site` stands for. */
export function siteOfToken(token: string): string {
  const bytes = token.slice(SITE.length).match(/../g) ?? []
  return decoder.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)).buffer)
}

/** Returns the tokens of all sites whose name begins so, as a range. */
export function anySite(beginning: string): { from: string; to: string } {
  const from = filterToken.site(beginning)
  return { from, to: `${from}\uffff` }
}

/**
 * Maximum number of labels of a host that get tokens. DNS allows 127 (RFC 1035), and the tokens grow with the
 * square.
 */
const MAX_LABELS = 8

/**
 * Returns the tokens of a site: its own, and one for each site of up to eight labels that it belongs to
 * (`docs.github.com`: `github.com`, `com`).
 */
export function siteTokens(domain: string): string[] {
  const labels = domain.split('.')
  const short = labels.slice(-MAX_LABELS)
  const sites = short.map((_, index) => short.slice(index).join('.'))
  return (labels.length > MAX_LABELS ? [domain, ...sites] : sites).map(filterToken.site)
}

/** Returns the tokens of the tags that this one belongs to. */
export function parentTokens(tag: string): string[] {
  return parentTags(foldName(tag)).map(filterToken.tagsBelow)
}

/** Dates outside of these years have the tokens of the first or the last. */
const FIRST_YEAR = 1970
const LAST_YEAR = 2100

/** Returns the tokens of a time of creation, in ms since 1970. */
export function dateTokens(createdAt: number): string[] {
  const { year, month } = monthOf(createdAt)
  return [filterToken.year(year), filterToken.month(year, month)]
}

/** Returns when the month of a time begins; two times of a month have the same tokens. */
export function startOfMonth(time: number): number {
  const { year, month } = monthOf(time)
  return Date.UTC(year, month)
}

function monthOf(time: number): { year: number; month: number } {
  const date = new Date(Math.min(Math.max(time, Date.UTC(FIRST_YEAR, 0)), Date.UTC(LAST_YEAR, 11)))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() }
}

/**
 * Returns tokens of which every bookmark has one that was created in a time, and some others too: its years, and the months
 * of a year that is only partly in it.
 */
export function tokensOfTime(after = 0, before = Number.MAX_SAFE_INTEGER): string[] {
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

/** Returns the tokens that every bookmark has. */
export function placeTokens(type: BookmarkType, visibility: Visibility, owner: Owner): string[] {
  const organization = owner === null ? [] : [filterToken.organization(owner)]
  return [filterToken.type(type), filterToken.visibility(visibility), ...organization]
}
