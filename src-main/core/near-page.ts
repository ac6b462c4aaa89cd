import { hashText } from './hash-text.ts'
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
