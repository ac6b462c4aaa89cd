import { LIMITS } from '../contract/bookmark.ts'
import type { PageDetails, PageFault } from '../contract/page-details.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'
import { decodePage } from './decode-page.ts'
import { type PageFacts, pageFacts } from './page-facts.ts'
import { readableText } from './readable-text.ts'
import { cleanSiteTexts } from './sites.ts'
import { wallOf } from './walls.ts'

/** A page as it came. */
export interface RawPage {
  bytes: Uint8Array<ArrayBuffer>
  charset: string | undefined
  contentType: string
  /** Where it was asked for and where it came from. */
  asked: string
  url: string
}

/** The details of a page, and the addresses of its pictures: the best first. */
export type ReadPage =
  | { details: Omit<PageDetails, 'icon' | 'preview'>; icons: string[]; preview: string | null }
  | { fault: PageFault }

/** Reads a page's details and its text. Never throws for what a page holds. */
export function readHtml({ bytes, charset, contentType, asked, url }: RawPage): ReadPage {
  const html = decodePage(bytes, charset, /xml/.test(contentType))
  const facts = pageFacts(html)
  const data = publication(facts.data)
  const title = cleanText(
    first(facts, 'og:title', 'twitter:title') || facts.title || data.headline || facts.heading,
    LIMITS.title
  )
  const wall = wallOf({ title: cleanText(facts.title, LIMITS.title), asksPassword: facts.asksPassword, asked, url })
  if (wall) return { fault: wall }
  const base = resolved(facts.base, url) ?? url
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
    details: { ...details, ...cleanSiteTexts(url, details) },
    icons: [...iconsOf(facts, base), new URL('/favicon.ico', url).href],
    preview: resolved(
      first(facts, 'og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      base
    )
  }
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

/** Only http and https lead anywhere. */
function resolved(href: string, base: string): string | null {
  if (href.trim() === '' || !URL.canParse(href.trim(), base)) return null
  const url = new URL(href.trim(), base)
  return /^https?:$/.test(url.protocol) && url.href.length <= LIMITS.url ? url.href : null
}

/** Best size first: large enough, and not much larger. Icons that are SVGs are left out, because they are not drawn. */
function iconsOf({ icons }: PageFacts, base: string): string[] {
  const wanted = 64
  const pictures = icons.filter(({ href, type }) => !/\bsvg\b/i.test(type) && !/\.svgz?([?#]|$)/i.test(href))
  const sized = pictures.map(({ href, sizes, touch }) => {
    const size = Number(/\d+/.exec(sizes)?.[0] ?? 0) || (touch ? 180 : 16)
    return { href, distance: size >= wanted ? size - wanted : (wanted - size) * 10 }
  })
  const addresses = sized.sort((a, b) => a.distance - b.distance).map(({ href }) => resolved(href, base))
  return addresses.filter((address) => address !== null).slice(0, 2)
}

function languageIn(text: string): string | null {
  const tag = text.trim().replaceAll('_', '-')
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : null
}

/** Nothing was published on the web before there was one, or is yet to be. */
function timeIn(text: string): number | null {
  const time = Date.parse(text.trim())
  return time > Date.UTC(1990, 0) && time < Date.now() + 86_400_000 ? time : null
}

/** Reads the first JSON-LD of an article, a video and the like. */
function publication(data: string[]): { headline: string; published: string } {
  const found = { headline: '', published: '' }
  for (const text of data) {
    for (const node of nodesIn(text)) {
      if (typeof node.headline === 'string') found.headline ||= node.headline
      if (typeof node.datePublished === 'string') found.published ||= node.datePublished
    }
  }
  return found
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
