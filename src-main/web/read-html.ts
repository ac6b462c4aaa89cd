import { Readability } from '@mozilla/readability'
import sniffEncoding from 'html-encoding-sniffer'
import { LIMITS } from '../contract/bookmark.ts'
import type { PageDetails, PageFault, PageText } from '../contract/page-details.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'
import { pageTextOf } from '../markdown/blocks.ts'
import { markdownOf } from '../markdown/from-dom.ts'
import { documentOf, markdownOfHtml, visibleText } from '../markdown/from-html.ts'
import { type PageFacts, pageFacts } from './page-facts.ts'
import { detectWall, isPlaceholder } from './walls.ts'

/** A page as its server sent it. */
export interface RawPage {
  bytes: Uint8Array<ArrayBuffer>
  charset: string | undefined
  contentType: string
  /** The requested address, and the last one after redirects. */
  requested: string
  url: string
  /** The header Refresh. */
  refresh?: string
}

/** A page’s details and the addresses of its pictures, the best first; or the address that it redirects to. */
export type ReadPage =
  | { details: Omit<PageDetails, 'icon' | 'preview'>; icons: string[]; preview: string | null }
  | { fault: PageFault }
  | { refresh: string }

/** Minimum visible text of a real page, in UTF-16 code units. Its title may nevertheless be `Loading`. */
const MIN_READ_TEXT = 500

/** Maximum time of a redirect that is followed, in seconds. A page that redirects later is meant to be read first. */
const MAX_REFRESH_S = 10

/** Maximum time of a redirect that is followed even if the page has much text, in seconds. Nobody can read it. */
const MAX_UNSEEN_S = 1

/** Reads a page’s details and its text. Never throws for what a page contains. */
export function readHtml({ bytes, charset, contentType, requested, url, refresh = '' }: RawPage): ReadPage {
  const html = decodePage(bytes, charset, /xml/.test(contentType))
  const facts = pageFacts(html)
  const base = resolved(facts.base, url) ?? url
  const visible = facts.text.length
  const next = refreshTarget(refresh || facts.refresh, { url, base, visible })
  const data = publication(facts.data)
  const wall = detectWall({
    ...facts,
    title: cleanText(facts.title, LIMITS.title),
    heading: cleanText(facts.heading, LIMITS.title),
    html,
    isDescribed: facts.canonical + first(facts, 'og:title') + data.headline !== '',
    redirects: next !== null,
    requested,
    url
  })
  if (wall) return { fault: wall }
  if (next !== null) return { refresh: next }
  const titles = [first(facts, 'og:title', 'twitter:title'), facts.title, data.headline, facts.heading]
    .map((title) => cleanText(title, LIMITS.title))
    .filter((title) => title !== '')
  const title = titles.find((title) => !isPlaceholder(title)) ?? (visible > MIN_READ_TEXT ? titles[0] : undefined) ?? ''
  const details = {
    kind: 'page' as const,
    title,
    description: cleanLines(first(facts, 'og:description', 'description', 'twitter:description'), LIMITS.description),
    siteName: cleanText(first(facts, 'og:site_name', 'application-name'), 100),
    canonicalUrl: resolved(facts.canonical || first(facts, 'og:url'), base),
    language: languageIn(facts.language || first(facts, 'og:locale', 'content-language')),
    publishedAt: timeIn(first(facts, ...PUBLISHED) || data.published || facts.time),
    ...readableText(html, facts, base)
  }
  return {
    details: { ...details, ...withoutSiteTexts(url, details) },
    icons: [...iconsOf(facts, base), new URL('/favicon.ico', url).href],
    preview: resolved(
      first(facts, 'og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      base
    )
  }
}

/**
 * Returns the address that a page redirects to with `<meta http-equiv="refresh">` or the header Refresh: `0; url=/new`.
 * Returns `null` if the page only reloads, or is meant to be read first.
 *
 * @param content parsed as in browsers: html.spec.whatwg.org, "shared declarative refresh steps"
 * @param visible the length of the page’s visible text
 */
function refreshTarget(content: string, { url, base, visible }: { url: string; base: string; visible: number }) {
  const [, seconds, rest = ''] = /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?(?=[\s;,])\s*[;,]?\s*(.*)$/s.exec(content) ?? []
  if (seconds === undefined || Number(seconds) > (visible > MIN_READ_TEXT ? MAX_UNSEEN_S : MAX_REFRESH_S)) return null
  const [, quote = '', address = ''] = /^(?:url\s*=\s*)?(["']?)(.*)$/is.exec(rest) ?? []
  const target = resolved(quote === '' ? address : (address.split(quote)[0] ?? ''), base)
  return target === null || withoutHash(target) === withoutHash(url) ? null : target
}

/** Removes texts that a site adds to the title and the description of each of its pages. */
function withoutSiteTexts(url: string, { title, description }: Pick<PageDetails, 'title' | 'description'>) {
  if (!/(^|\.)github\.com$/.test(new URL(url).hostname)) return { title, description }
  const repository = /^GitHub - ([^:]+): (.*)$/s.exec(title)?.[1]
  return {
    title: (repository ?? title).replace(/ · GitHub$/, ''),
    description: description
      .replace(/\s*Contribute to \S+ development by creating an account on GitHub\.?$/, '')
      .replace(/ - \S+\/\S+$/, '')
  }
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '')
}

const PUBLISHED = [
  'article:published_time',
  'og:article:published_time',
  'datepublished',
  'date',
  'dc.date',
  'dcterms.created'
]

function first({ meta }: PageFacts, ...names: string[]): string {
  for (const name of names) {
    const content = meta.get(name)
    if (content) return content
  }
  return ''
}

/** Resolves an address; `null` if it is empty, invalid, too long, or neither http nor https. */
function resolved(href: string, base: string): string | null {
  if (href.trim() === '' || !URL.canParse(href.trim(), base)) return null
  const url = new URL(href.trim(), base)
  return /^https?:$/.test(url.protocol) && url.href.length <= LIMITS.url ? url.href : null
}

/** Returns the two icons of the best size: large enough, and not much larger. SVGs are not supported. */
function iconsOf({ icons }: PageFacts, base: string): string[] {
  const iconSize = 64
  const pictures = icons.filter(({ href, type }) => !/\bsvg\b/i.test(type) && !/\.svgz?([?#]|$)/i.test(href))
  const sized = pictures.map(({ href, sizes, touch }) => {
    const size = Number(/\d+/.exec(sizes)?.[0] ?? 0) || (touch ? 180 : 16)
    return { href, distance: size >= iconSize ? size - iconSize : (iconSize - size) * 10 }
  })
  const addresses = sized.sort((a, b) => a.distance - b.distance).map(({ href }) => resolved(href, base))
  return addresses.filter((address) => address !== null).slice(0, 2)
}

function languageIn(text: string): string | null {
  const tag = text.trim().replaceAll('_', '-')
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : null
}

/** Reads a date; `null` if it is before the web existed or in the future, which is wrong. */
function timeIn(text: string): number | null {
  const time = Date.parse(text.trim())
  return time > Date.UTC(1990, 0) && time < Date.now() + 86_400_000 ? time : null
}

/** Reads the headline and the date of the first article, video or similar object in JSON-LD. */
function publication(data: string[]): { headline: string; published: string } {
  const result = { headline: '', published: '' }
  for (const text of data) {
    for (const node of nodesIn(text)) {
      if (typeof node.headline === 'string') result.headline ||= node.headline
      if (typeof node.datePublished === 'string') result.published ||= node.datePublished
    }
  }
  return result
}

function nodesIn(text: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(text)
    const top = Array.isArray(value) ? value : [value]
    const all = top.flatMap((node) => (isObject(node) && Array.isArray(node['@graph']) ? node['@graph'] : [node]))
    return all.filter(isObject)
  } catch {
    return []
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Number of bytes at the beginning in which `<meta charset>` counts. */
const PRESCAN = 4096

/**
 * Decodes a page by its byte order mark, the header Content-Type or its `<meta charset>`, in this order, as browsers do.
 * Without these it is UTF-8 if it is valid UTF-8, otherwise windows-1252.
 */
export function decodePage(bytes: Uint8Array, charset: string | undefined, xml = false): string {
  const encoding = sniffEncoding(bytes, {
    transportLayerEncodingLabel: charset,
    ...(xml ? { xml } : { maxPrescanBytes: PRESCAN }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252'
  })
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    // The WHATWG’s standard has encodings that this runtime lacks.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Whether bytes are valid UTF-8. With `stream`, the last character may be incomplete. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Maximum number of tags and comments of a page whose tree is built, because that takes long for a larger one. */
const MAX_NODES = 30_000

/** Maximum depth of a page in which Readability searches the article. */
const MAX_DEPTH = 200

/** Minimum length of an article, in UTF-16 code units. A shorter one is more likely a minor part of the page. */
const MIN_ARTICLE_LENGTH = 140

/** Returns a page’s article, or all its readable text if there is none. The text of a large page is plain. */
function readableText(html: string, { nodes, depth }: PageFacts, base: string): PageText {
  if (nodes > MAX_NODES) return { text: visibleText(html), markdown: null }
  return pageTextOf((depth <= MAX_DEPTH && article(html, base)) || markdownOfHtml(html, { base }))
}

function article(html: string, base: string): string | undefined {
  try {
    // biome-ignore lint/suspicious/noExplicitAny: linkedom's document is the browser's as far as this goes
    const document = documentOf(html) as any
    const found = new Readability<unknown>(document, { charThreshold: MIN_ARTICLE_LENGTH, serializer: (node) => node })
    const text = markdownOf(found.parse()?.content, { base })
    return text.length >= MIN_ARTICLE_LENGTH ? text : undefined
  } catch {
    // The page is nested too deeply, or no document.
    return undefined
  }
}
