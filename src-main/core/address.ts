import { LIMITS } from '../contract/bookmark.ts'
import type { AddressFault } from '../contract/problem.ts'
import { siteAddress, withScheme } from '../contract/web-address.ts'
import { urlPageKey } from './page-key.ts'

/** A parsed address of a page, or why it cannot be saved, as a message to the sender. */
export type Address = { url: string; domain: string; pageKey: string } | Fault

export interface Fault {
  fault: string
  why?: AddressFault | undefined
}

/**
 * Parses an address as a person, a file or an agent wrote it. Only http and https are accepted. A site’s name without a
 * scheme is read as browsers read it. `localhost` and file names without a scheme are refused, because they are
 * ambiguous.
 */
export function parseAddress(text: string): Address {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'empty' }
  if (trimmed.length > LIMITS.url) return TOO_LONG
  const fault = writtenFault(trimmed)
  return fault ?? addressOf(siteAddress(trimmed) ?? trimmed)
}

/**
 * Parses an address that was probably taken from prose. With a `#` at the end, punctuation before it is part of the
 * address.
 */
export function parseMentioned(text: string): Address {
  const address = parseAddress(text)
  if ('fault' in address) return address
  const fault = trailingFault(text.trim())
  return fault === undefined ? { ...address, url: address.url.replace(/#$/, '') } : { fault }
}

/** Parses an address that a URL parser has written, such as a page key or the target of a redirect. */
export function addressOf(href: string): Address {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return { fault: `${scheme}: cannot be saved, only http and https` }
  }
  const url = URL.parse(href)
  if (!url) return { fault: 'not a valid URL', why: { kind: 'not-valid' } }
  // A user name and a password are removed, because agents and exports would pass them on (decision 027). Empty ones
  // are not set, because that would serialize the address again.
  if (url.username !== '') url.username = ''
  if (url.password !== '') url.password = ''
  if (url.href.length > LIMITS.url) return TOO_LONG
  return { url: url.href, domain: toDomain(url.hostname), pageKey: urlPageKey(url) }
}

const TOO_LONG = { fault: `longer than ${LIMITS.url} characters` }

/** Removes the user names and passwords from the addresses in a text. */
export function withoutLogins(text: string): string {
  return text.replace(/(?<=\bhttps?:\/\/)[^\s/?#@]*@/gi, '')
}

/** Whether an address contains a user name or a password, which are not stored. */
export function holdsLogin(text: string): boolean {
  const url = text.includes('@') ? URL.parse(text.trim()) : null
  return url !== null && url.username + url.password !== ''
}

/** Returns a host as people name a site: without `www.` and a trailing dot. */
export function toDomain(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '')
}

/** Returns the site that a text names: `github.com` for `https://www.github.com/x`, `*.github.com`, `GitHub.com`. */
export function readSite(text: string): string {
  const host = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/^\*?\./, '')
  return toDomain(URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host)
}

/** Undoes percent-encoding, so that `%E6%97%A5` reads 日. Returns a wrongly encoded text unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a title for a page without one: the last part of its path that has words, otherwise its host. */
export function addressWords(address: string): string {
  const url = new URL(address)
  const parts = url.pathname.split('/').map(wordsOf).filter(isSpoken)
  const words = parts.at(-1) ?? url.hostname.replace(/^www\./, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function wordsOf(part: string): string {
  return percentDecoded(part)
    .replace(/\.(html?|php|aspx?|jsp|pdf)$/i, '')
    .replace(/[-_+\s]+/g, ' ')
    .trim()
}

/** Whether a part of a path has words for people. Numbers, dates and keys are not words. */
function isSpoken(words: string): boolean {
  return /\p{L}{3}/u.test(words) && !/^(?=.*\d)[\da-z]{12,}$/i.test(words) && !/^(index|default|home)$/i.test(words)
}

/** Returns the name of the file at an address, or the host if the address names no file. */
export function fileName(address: string): string {
  const url = new URL(address)
  return percentDecoded(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)) || url.hostname
}

/**
 * Returns why a text is not exactly one address, and what to send instead. The URL parser would accept most of these
 * texts, because it encodes spaces and drops line feeds. Two addresses would then become one invalid address.
 *
 * @param text without white space around it
 */
export function writtenFault(text: string): Fault | undefined {
  const addresses = addressesIn(text)
  const [first] = addresses
  if (/^https?:/i.test(text)) {
    if (addresses.length > 1) return SEVERAL
    if (/\s/.test(text)) return SPACES
    return UNSEEN.test(text) ? CONTROL : undefined
  }
  if (OTHER_SCHEME.test(text)) return undefined
  if (areSites(text)) return SEVERAL
  if (siteAddress(text) !== undefined) return UNSEEN.test(text) ? CONTROL : undefined
  if (first === undefined) return withoutScheme(text)
  if (addresses.length > 1) return SEVERAL
  return { fault: `not a URL by itself: ${send(first)}`, why: { kind: 'not-alone', meant: quotable(first) } }
}

/**
 * Reads an address between quotes in a file as the browser that wrote it does (URL standard, 4.4): line breaks and tabs
 * do not count, and each space is `%20`. A text of several addresses is returned unchanged, and refused later.
 */
export function quotedAddress(text: string): string {
  const trimmed = text.trim()
  if (!/^https?:/i.test(trimmed) || /\s[a-z]+:\/\//i.test(trimmed)) return trimmed
  return trimmed.replace(/[\t\r\n]/g, '').replaceAll(' ', '%20')
}

const SPACES: Fault = {
  fault: 'white space inside the URL: send what stands before it, or write %20 for each space',
  why: { kind: 'spaces' }
}
const SEVERAL: Fault = { fault: 'several URLs in one string: send a list', why: { kind: 'several' } }
const CONTROL: Fault = { fault: 'a control character inside the URL: leave it out', why: { kind: 'control' } }

/**
 * Returns a fault if an address ends in punctuation, as in `https://a.example/x).`. In an address that was taken from
 * prose, such punctuation usually belongs to the sentence.
 */
function trailingFault(text: string): string | undefined {
  const bare = withoutTrail(text)
  if (bare === text) return undefined
  return `ends in ${text.slice(bare.length)}: ${send(bare)}, or add # at the end if that is part of the URL`
}

function send(address: string): string {
  return quotable(address) === undefined ? 'send the URL alone' : `send ${address}`
}

function quotable(address: string): string | undefined {
  return address.length > MAX_QUOTED ? undefined : address
}

/** Maximum length of an address that an error quotes, in UTF-16 code units. */
const MAX_QUOTED = 200

/** Finds the different addresses with a scheme in a text, without the punctuation around them. */
function addressesIn(text: string): string[] {
  return [...new Set(text.match(ADDRESS)?.map(withoutTrail))]
}

// In `https://archive.example/2020/https://a.example/`, the second address is part of the first.
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

/** Whether a text is a list of sites, some of them without a scheme: `a.example/x, b.example`. */
function areSites(text: string): boolean {
  const parts = text.split(/[\s,;|]+/).filter((part) => part !== '')
  return parts.length > 1 && parts.every((part) => /^https?:/i.test(part) || siteAddress(part) !== undefined)
}

function withoutScheme(text: string): Fault {
  const whole = withScheme(withoutTrail(text))
  if (whole === undefined) {
    return { fault: 'not a URL: it must start with http:// or https://', why: { kind: 'no-scheme' } }
  }
  return { fault: `not a URL: ${send(whole)}`, why: { kind: 'incomplete', meant: quotable(whole) } }
}

/** A scheme at the beginning of a text. The `URL` in `URL: https://a.example/` is not one. */
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]{0,31}:(?!\s+https?:|\d+([/?#]|$))/i

const UNSEEN = /\p{Cc}/u
