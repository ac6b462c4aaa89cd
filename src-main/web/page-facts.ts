import { Parser } from 'htmlparser2'

/** The content of a page’s tags. */
export interface PageFacts {
  /** By `property`, `name` or `itemprop` in lower case; the first one that is not empty. */
  meta: Map<string, string>
  title: string
  heading: string
  /** Of `<html lang>`. */
  language: string
  /** Of `<base href>`. */
  base: string
  canonical: string
  icons: { href: string; sizes: string; type: string; touch: boolean }[]
  /** The text of each `<script type="application/ld+json">`. */
  data: string[]
  /** The `datetime` of the first `<time>` of the publication. */
  time: string
  asksPassword: boolean
  /** Of `<meta http-equiv="refresh">`, as in a browser that runs scripts. */
  refresh: string
  /** The beginning of the visible text. */
  text: string
  /** Tags and comments. */
  nodes: number
  /** Depth of the innermost element. */
  depth: number
}

const MAX_ICONS = 20
const MAX_META = 300
const MAX_DATA = 5
/** In UTF-16 code units. */
const MAX_DATA_TEXT = 100_000
/** Maximum length of the visible text, in UTF-16 code units. It is only used to recognize pages with little text. */
const MAX_TEXT = 4000

/** Reads a page’s tags in one pass, however malformed they are. */
export function pageFacts(html: string): PageFacts {
  const facts: PageFacts = {
    meta: new Map(),
    title: '',
    heading: '',
    language: '',
    base: '',
    canonical: '',
    icons: [],
    data: [],
    time: '',
    asksPassword: false,
    refresh: '',
    text: '',
    nodes: 0,
    depth: 0
  }
  let depth = 0
  let collect: ((text: string) => void) | undefined
  let collecting = ''
  let drawing = 0
  let unseen = 0

  function show(text: string): void {
    if (unseen > 0 || facts.text.length >= MAX_TEXT) return
    const words = text.slice(0, MAX_TEXT).replace(/\s+/g, ' ')
    facts.text += facts.text === '' || facts.text.endsWith(' ') ? words.trimStart() : words
  }

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        facts.nodes++
        facts.depth = Math.max(facts.depth, ++depth)
        if (tag === 'svg') drawing++
        show(' ')
        if (UNSEEN.has(tag)) unseen++
        else if (tag === 'meta' && unseen === 0) readRefresh(facts, attributes)
        const read = READERS[tag]
        if (read) read(facts, attributes)
        // The title of an SVG is not the page’s.
        const into = tag === 'title' && drawing > 0 ? undefined : collector(facts, tag, attributes)
        if (!into) return
        collecting = tag
        collect = into
      },
      oncomment() {
        facts.nodes++
      },
      ontext(text) {
        collect?.(text)
        show(text)
      },
      onclosetag(tag) {
        depth--
        if (tag === 'svg') drawing--
        if (UNSEEN.has(tag)) unseen--
        show(' ')
        if (tag === collecting) collect = undefined
      }
    },
    { decodeEntities: true }
  )
  parser.end(html)
  facts.text = facts.text.trimEnd()
  return facts
}

type Attributes = Record<string, string>

/** Elements whose content is not shown. */
const UNSEEN = new Set(['title', 'script', 'style', 'noscript', 'template', 'svg'])

function readRefresh(facts: PageFacts, attributes: Attributes): void {
  if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh') facts.refresh ||= attributes.content ?? ''
}

const READERS: Record<string, (facts: PageFacts, attributes: Attributes) => void> = {
  html(facts, { lang = '' }) {
    facts.language ||= lang
  },
  base(facts, { href = '' }) {
    facts.base ||= href
  },
  meta({ meta }, attributes) {
    const name = (attributes.property ?? attributes.name ?? attributes.itemprop ?? attributes['http-equiv'] ?? '')
      .trim()
      .toLowerCase()
    const content = attributes.content?.trim() ?? ''
    if (name !== '' && content !== '' && !meta.has(name) && meta.size < MAX_META) meta.set(name, content)
  },
  link(facts, { rel = '', href = '', sizes = '', type = '' }) {
    const kinds = rel.toLowerCase().split(/\s+/)
    if (kinds.includes('canonical')) facts.canonical ||= href.trim()
    const touch = kinds.some((kind) => kind.startsWith('apple-touch-icon'))
    if ((kinds.includes('icon') || touch) && href.trim() !== '' && facts.icons.length < MAX_ICONS) {
      facts.icons.push({ href: href.trim(), sizes, type, touch })
    }
  },
  input(facts, { type = '' }) {
    if (type.toLowerCase() === 'password') facts.asksPassword = true
  },
  time(facts, attributes) {
    const published = attributes.pubdate !== undefined || attributes.itemprop === 'datePublished'
    if (published) facts.time ||= attributes.datetime ?? ''
  }
}

/** Returns the function that collects the text of an element, if its text is used. */
function collector(facts: PageFacts, tag: string, attributes: Attributes): ((text: string) => void) | undefined {
  if (tag === 'title' && facts.title.trim() === '') {
    return (text) => {
      facts.title += text
    }
  }
  if (tag === 'h1' && facts.heading.trim() === '') {
    return (text) => {
      facts.heading += text
    }
  }
  if (!isData(tag, attributes) || facts.data.length >= MAX_DATA) return undefined
  const index = facts.data.push('') - 1
  return (text) => {
    facts.data[index] = `${facts.data[index]}${text}`.slice(0, MAX_DATA_TEXT)
  }
}

function isData(tag: string, { type = '' }: Attributes): boolean {
  return tag === 'script' && type.toLowerCase().startsWith('application/ld+json')
}
