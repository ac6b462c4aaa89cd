import { LIMITS } from '../contract/bookmark.ts'
import { siteAddress, withScheme } from '../contract/without-scheme.ts'
import { keyOf } from './page-key.ts'

/** A page's address taken apart, or why it cannot be saved, in words for whoever sent it. */
export type Address = { url: string; domain: string; pageKey: string } | { fault: string }

/**
 * Reads an address as a person, a file or an agent wrote it. Only http and https name a page. A site's name without
 * either is read as a browser reads it; `localhost` and file names are not, because they may be anything.
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'empty' }
  if (trimmed.length > LIMITS.url) return TOO_LONG
  const fault = writtenFault(trimmed)
  return fault === undefined ? addressOf(siteAddress(trimmed) ?? trimmed) : { fault }
}

/** Reads, as `parseAddress`, an address that was most likely taken from prose. A `#` at its end says where it ends. */
export function parseMentioned(text: string): Address {
  const address = parseAddress(text)
  const fault = 'url' in address ? trailingFault(text.trim()) : undefined
  if (fault !== undefined) return { fault }
  return 'url' in address ? { ...address, url: address.url.replace(/#$/, '') } : address
}

/** An address that a URL parser wrote: a page key, or where a site redirects to. */
export function addressOf(href: string): Address {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return { fault: `${scheme}: cannot be saved, only http and https` }
  }
  const url = URL.parse(href)
  if (!url) return { fault: 'not a valid URL' }
  // Agents and exports would tell them on: decision 027. What has none is not written anew.
  if (url.username !== '') url.username = ''
  if (url.password !== '') url.password = ''
  if (url.href.length > LIMITS.url) return TOO_LONG
  return { url: url.href, domain: domainOf(url.hostname), pageKey: keyOf(url) }
}

/** Returns a text without the user names and passwords of the addresses in it. */
export function withoutLogins(text: string): string {
  return text.replace(/(?<=\bhttps?:\/\/)[^\s/?#@]*@/gi, '')
}

/** Returns whether an address holds a user name or a password, which are not kept. */
export function holdsLogin(text: string): boolean {
  const url = text.includes('@') ? URL.parse(text.trim()) : null
  return url !== null && url.username + url.password !== ''
}

const TOO_LONG = { fault: `longer than ${LIMITS.url} characters` }

/** The host as people name a site: without `www.` and a trailing dot. */
export function domainOf(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '')
}

/** The site a person or a model means: `https://www.github.com/x`, `*.github.com` and `GitHub.com` are one. */
export function siteOf(text: string): string {
  const host = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/^\*?\./, '')
  return domainOf(URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host)
}

/** Undoes percent-encoding, so that `%E6%97%A5` reads 日. Returns the text as it is where it is encoded wrongly. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

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
 * Finds punctuation of a sentence or a list after an address: `https://a.example/x).`. An address may end so, but one taken from
 * prose rarely does.
 */
function trailingFault(text: string): string | undefined {
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
