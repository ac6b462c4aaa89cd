import { pageKey, withoutSlash } from './page-key.ts'

/**
 * What addresses share that most likely show the same page: their page key without scheme, `www.` and the name of an
 * index file. Most sites answer all of them alike, but not every site does, so a person decides.
 *
 * @param address an absolute http or https URL
 * @throws TypeError when the address is no URL
 */
export function nearPage(address: string): string {
  return nearKey(pageKey(address))
}

function nearKey(key: string): string {
  const { host, pathname, search, hash } = new URL(key)
  const path = withoutSlash(pathname.replace(INDEX_FILE, ''))
  return host.replace(/^www\./, '') + path + search + withoutSlash(hash)
}

/** What servers send for a folder (`DirectoryIndex`, default documents). */
const INDEX_FILE = /\/(index\.(html?|xhtml|php|aspx?|jsp|cgi)|default\.(html?|aspx?))$/i

/**
 * A near page as a number of 53 bits, because an index of texts would hold every address a second time.
 *
 * @param key of the page, as `pageKey` gives it
 */
export function nearPageHash(key: string | null): number | null {
  return key === null ? null : hashText(nearKey(key))
}

/** A text as a number of 53 bits, for where an index of texts would take too much room. */
export function hashText(text: string): number {
  // cyrb53 (github.com/bryc/code, public domain): two multiplicative hashes, mixed at the end.
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
