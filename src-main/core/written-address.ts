import { siteAddress, withScheme } from '../contract/without-scheme.ts'

/**
 * Why a text is not one address and nothing else, in words that say what to send. The URL parser would take most of
 * them: it encodes blanks and drops line feeds, so that two addresses become one that leads nowhere.
 *
 * @param text without white space around it
 */
export function writtenFault(text: string): string | undefined {
  const addresses = addressesIn(text)
  const [first] = addresses
  if (/^https?:/i.test(text)) {
    if (addresses.length > 1) return SEVERAL
    if (/\s/.test(text)) return 'white space inside the URL: send what stands before it, or write %20 for each space'
    return UNSEEN.test(text) ? CONTROL : undefined
  }
  if (OTHER_SCHEME.test(text)) return undefined
  if (areSites(text)) return SEVERAL
  if (siteAddress(text) !== undefined) return UNSEEN.test(text) ? CONTROL : undefined
  if (first === undefined) return withoutScheme(text)
  return addresses.length > 1 ? SEVERAL : `not a URL by itself: ${send(first)}`
}

/**
 * An address between quotes in a file, as the browser that wrote it reads it: line breaks and tabs do not count, and each
 * blank is `%20` (URL standard, 4.4). Several addresses in one text stay as they are, which is a fault.
 */
export function quotedAddress(text: string): string {
  const trimmed = text.trim()
  if (!/^https?:/i.test(trimmed) || /\s[a-z]+:\/\//i.test(trimmed)) return trimmed
  return trimmed.replace(/[\t\r\n]/g, '').replaceAll(' ', '%20')
}

const SEVERAL = 'several URLs in one string: send a list'
const CONTROL = 'a control character inside the URL: leave it out'

/**
 * What a sentence or a list left behind an address: `https://a.example/x).`. An address may end so, but one taken from
 * prose rarely does.
 */
export function trailingFault(text: string): string | undefined {
  const bare = withoutTrail(text)
  if (bare === text) return undefined
  return `ends in ${text.slice(bare.length)}: ${send(bare)}, or add # at the end if that is part of the URL`
}

function send(address: string): string {
  return address.length > MOST_SHOWN ? 'send the URL alone' : `send ${address}`
}

/** Enough of an address to copy it from an error, in UTF-16 code units; an error is no place for more. */
const MOST_SHOWN = 200

/** The different addresses with a scheme in a text, without what stands around them. */
function addressesIn(text: string): string[] {
  return [...new Set(text.match(ADDRESS)?.map(withoutTrail))]
}

// Another address inside one, as in `https://archive.example/2020/https://a.example/`, belongs to it.
const ADDRESS = /(?<![\w/=%.-])https?:\/\/.+?(?=[,;]https?:\/\/|\]\(|[\s<>"|]|$)/gi

function withoutTrail(address: string): string {
  let end = address.length
  const open = { ')': count(address, '(') - count(address, ')'), ']': count(address, '[') - count(address, ']') }
  for (; end > 0; end--) {
    const last = address[end - 1] ?? ''
    if (last === ')' || last === ']') {
      if (open[last] >= 0) break
      open[last]++
    } else if (!TRAIL.includes(last)) break
  }
  return address.slice(0, end)
}

const TRAIL = '.,;>"`'

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** Whether a text is a list of sites, some of them without their scheme: `a.example/x, b.example`. */
function areSites(text: string): boolean {
  const parts = text.split(/[\s,;|]+/).filter((part) => part !== '')
  return parts.length > 1 && parts.every((part) => /^https?:/i.test(part) || siteAddress(part) !== undefined)
}

function withoutScheme(text: string): string {
  const whole = withScheme(withoutTrail(text))
  return `not a URL: ${whole === undefined ? 'it must start with http:// or https://' : send(whole)}`
}

/** `URL: https://a.example/` names no scheme. */
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]{0,31}:(?!\s+https?:|\d+([/?#]|$))/i

const UNSEEN = /\p{Cc}/u
