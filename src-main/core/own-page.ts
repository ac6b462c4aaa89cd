import { nearPage, nearPageHash } from './near-page.ts'
import { pageKey } from './page-key.ts'

/**
 * The near page that a page gives as its own, where that is another than its address; `null` where it is not. Many
 * sites give their front page as every page's own: that says nothing.
 *
 * @param url the address it was saved under
 * @param canonicalUrl the address it gives as its own
 */
export function ownPageHash(url: string, canonicalUrl: string | null): number | null {
  if (canonicalUrl === null || !URL.canParse(canonicalUrl)) return null
  if (nearPage(url) === nearPage(canonicalUrl) || isFrontPageInstead(url, canonicalUrl)) return null
  return nearPageHash(pageKey(canonicalUrl))
}

/** Whether a page gives this address as its own. */
export function isItsOwn(canonicalUrl: string, key: string): boolean {
  return URL.canParse(canonicalUrl) && pageKey(canonicalUrl) === key
}

/** Many sites lead what they no longer have, or do not know to name, to their front page. */
export function isFrontPageInstead(url: string, other: string): boolean {
  return isFrontPage(other) && !isFrontPage(url)
}

/** Without a path, but for a language. */
function isFrontPage(address: string): boolean {
  const { pathname, search } = new URL(address)
  return search === '' && /^\/([a-z]{2}(-[a-z]{2})?\/?)?$/i.test(pathname)
}
