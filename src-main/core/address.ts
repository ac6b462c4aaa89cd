import { LIMITS } from '../contract/bookmark.ts'
import { keyOf } from './page-key.ts'

/** A page's address taken apart, or why it cannot be saved, in words for whoever sent it. */
export type Address = { url: string; domain: string; pageKey: string } | { fault: string }

/** Reads an address as a person or an agent wrote it. Only http and https name a page. */
export function parseAddress(text: string): Address {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'empty' }
  if (trimmed.length > LIMITS.url) return { fault: `longer than ${LIMITS.url} characters` }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase()
  if (!scheme || scheme.length > 32 || HOST_AND_PORT.test(trimmed)) {
    return { fault: 'not a URL: it must start with http:// or https://' }
  }
  if (scheme !== 'http' && scheme !== 'https') return { fault: `${scheme}: cannot be saved, only http and https` }
  const url = URL.parse(trimmed)
  if (!url) return { fault: 'not a valid URL' }
  const { href } = url
  if (href.length > LIMITS.url) return { fault: `longer than ${LIMITS.url} characters` }
  return { url: href, domain: domainOf(url.hostname), pageKey: keyOf(url) }
}

// `localhost:3000/x` would otherwise read as the scheme `localhost:`.
const HOST_AND_PORT = /^[a-z0-9.-]+:\d+([/?#]|$)/i

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
