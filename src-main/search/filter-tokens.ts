import type { BookmarkType, Visibility } from '../contract/bookmark.ts'
import type { Owner } from '../contract/caller.ts'
import type { LinkMark } from '../contract/link-check.ts'

/** Begins every filter's token in the index; texts are indexed without private-use characters, so none collides. */
const MARK = '\ue000'

/** The tokens a bookmark is filtered by. */
export const filterToken = {
  type: (type: BookmarkType) => `${MARK}k${type}`,
  visibility: (visibility: Visibility) => `${MARK}v${visibility}`,
  organization: (rowId: number) => `${MARK}o${rowId}`,
  link: (mark: LinkMark) => `${MARK}l${mark}`,
  tag: (rowId: number) => `${MARK}t${rowId}`,
  /** What every tag's token begins with; its row id follows. */
  anyTag: `${MARK}t`,
  /** Only letters and digits make one token, so a host is written in hexadecimal. */
  site: (domain: string) => `${MARK}d${hexOf(domain)}`
}

const ENCODER = new TextEncoder()
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(text: string): string {
  let hex = ''
  for (const byte of ENCODER.encode(text)) hex += HEX[byte]
  return hex
}

/** The tokens of all sites whose name begins so, as a range. */
export function anySite(beginning: string): { from: string; to: string } {
  const from = filterToken.site(beginning)
  return { from, to: `${from}\uffff` }
}

/** No host that people name has more labels; DNS allows 127, and what they cost grows by their square. */
const MOST_LABELS = 8

/** `docs.github.com` is found by itself and by every site of up to eight labels it belongs to: `github.com`, `com`. */
export function siteTokens(domain: string): string[] {
  const labels = domain.split('.')
  const short = labels.slice(-MOST_LABELS)
  const sites = short.map((_, index) => short.slice(index).join('.'))
  return (labels.length > MOST_LABELS ? [domain, ...sites] : sites).map(filterToken.site)
}

/** What every row's tokens begin with. */
export function placeTokens(type: BookmarkType, visibility: Visibility, owner: Owner): string[] {
  const organization = owner === null ? [] : [filterToken.organization(owner)]
  return [filterToken.type(type), filterToken.visibility(visibility), ...organization]
}
