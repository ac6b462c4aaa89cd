import { LIMITS } from '../contract/bookmark.ts'
import { siteAddress } from '../contract/without-scheme.ts'
import { keyOf } from './page-key.ts'
import { trailingFault, writtenFault } from './written-address.ts'

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
