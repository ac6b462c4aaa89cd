import { chosenByTracking } from './tracking.ts'

/** Moves on with every change of the rules, so that bookmarks saved under older ones are given their keys anew. */
export const PAGE_KEY_RULES = 2

/**
 * A page saved twice gets one key: without fragment, default port, trailing slash, needless
 * percent-encoding and what only says where a visitor came from; its parameters sorted. Only a fragment that chooses
 * the page (`#/inbox`, `#!forum/e`, `#inbox/A`) stays: it names what no other part of the address does. `www.` and the
 * scheme stay too: that both answer alike is the site's choice.
 *
 * @param address an absolute http or https URL
 * @throws TypeError when the address is no URL
 */
export function pageKey(address: string): string {
  return keyOf(new URL(address))
}

/**
 * The key of an address that was taken apart, which is changed on the way. Every change of a part costs as much as
 * taking it apart, so what is right already is left alone.
 */
export function keyOf(url: URL): string {
  const { hostname } = url
  if (hostname.endsWith('.')) url.hostname = hostname.slice(0, -1)
  if (url.hash !== '' ? !ROUTE.test(url.hash) : url.href.includes('#')) url.hash = ''
  const { inParameter, inPath } = chosenByTracking(url.hostname)
  if (url.href.includes('?')) {
    // Written once: each change of `url.searchParams` writes the whole address anew.
    const kept = new URLSearchParams([...url.searchParams].filter(([name]) => !inParameter(name)))
    kept.sort()
    url.search = kept.toString() // empty, it drops a lone `?`, too
  }
  const path = withoutSlash(plainly(inPath ? url.pathname.replace(inPath, '') : url.pathname))
  if (path !== url.pathname) url.pathname = path
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
