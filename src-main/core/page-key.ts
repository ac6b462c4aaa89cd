import { chosenByTracking } from './tracking.ts'

/** Moves on with every change of the rules, so that bookmarks saved under older ones are given their keys anew. */
export const PAGE_KEY_RULES = 2

/**
 * The same page saved twice gets the same key: without fragment, default port, trailing slash, needless
 * percent-encoding and what only says where a visitor came from; its parameters sorted. Only a fragment that chooses the
 * page (`#/inbox`, `#!forum/e`, `#inbox/A`) stays: it names what no other part of the address does. `www.` and the scheme stay too: that both answer alike is the site's choice.
 *
 * @param address an absolute http or https URL
 * @throws TypeError when the address is no URL
 */
export function pageKey(address: string): string {
  const url = new URL(address)
  if (!ROUTE.test(url.hash)) url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  const { inParameter, inPath } = chosenByTracking(url.hostname)
  for (const name of [...url.searchParams.keys()]) {
    if (inParameter(name)) url.searchParams.delete(name)
  }
  url.searchParams.sort()
  if (url.search === '') url.search = '' // drops a lone `?`
  url.pathname = withoutSlash(plainly(inPath ? url.pathname.replace(inPath, '') : url.pathname))
  return url.href
}

/** Single-page applications keep their route here; plain anchors hold no slash, and `:~:` points at words of a page. */
const ROUTE = /^#(?:!|(?!:~:).*\/)/

/** Without slashes at the end. A pattern would try every slash of a path full of them. */
export function withoutSlash(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** As RFC 3986, section 6.2.2, has it: what needs no percent-encoding without, the rest in capitals. */
function plainly(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code.toUpperCase()
  })
}

// A dot is left alone: the URL parser reads `%2e` as one where it matters.
const UNRESERVED = /^[A-Za-z0-9_~-]$/
