import { Parser } from 'htmlparser2'
import { LIMITS } from '../contract/bookmark.ts'
import {
  MAX_PAGE_TEXT,
  type TextBlock,
  type TextLayout,
  type TextLink,
  type TextPicture
} from '../contract/page-details.ts'
import { cleanText, cut, removeInvisible } from '../core/clean-text.ts'

/** Maximum number of links, and of pictures, of a text. Further ones are left out. */
const MAX_LINKS = 1000

const MAX_PICTURES = 20

/** Minimum width and height of a picture, in pixels. A smaller picture is an icon or counts visitors. */
const MIN_PICTURE_SIZE = 64

export interface LaidText {
  text: string
  layout: TextLayout
}

/**
 * Returns the readable text of HTML, without markup: blocks separated by an empty line, headings after `## `, cells of a
 * row separated by tabs. The layout has the blocks other than paragraphs, the links, and the pictures between blocks.
 *
 * @param base for relative addresses
 */
export function textBlocks(html: string, base: string): LaidText {
  const page = new Page()
  const context = new Context()
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (HIDDEN.has(tag)) context.hidden++
        if (tag === 'a') page.openLink(addressIn(attributes.href, base))
        if (tag === 'img' && context.hidden === 0) page.addPicture(pictureIn(attributes, base), context.place)
        if (tag === 'td') context.isHead = false
        if (!BLOCKS.has(tag)) return
        page.end(() => context.kind())
        context.open(tag, attributes)
      },
      ontext(piece) {
        if (context.hidden === 0) page.add(piece, context.inCode)
      },
      onclosetag(tag) {
        if (HIDDEN.has(tag)) context.hidden--
        if (tag === 'a') page.closeLink()
        if (tag === 'td' || tag === 'th') page.endCell()
        if (tag === 'br') page.add(context.inCode ? '\n' : ' ', context.inCode)
        if (!BLOCKS.has(tag)) return
        page.end(() => (tag === 'tr' ? context.rowKind() : context.kind()))
        context.close(tag)
      }
    },
    { decodeEntities: true }
  )
  parser.end(html)
  page.end(() => context.kind())
  return page.read()
}

/** A block before its position in the text is known. */
type Kind = Omit<TextBlock, 'from' | 'to'>

/** The elements around the parser’s position. */
class Context {
  hidden = 0
  /** Whether all cells of the row so far are headings. */
  isHead = true
  private code = 0
  private quotes = 0
  private heading = 0
  private readonly lists: { number: number | undefined }[] = []
  private item: 'begun' | 'continues' | undefined

  get inCode(): boolean {
    return this.code > 0
  }

  get place(): Pick<TextBlock, 'level' | 'quoted'> {
    return { level: this.lists.length || undefined, quoted: this.quotes > 0 ? true : undefined }
  }

  open(tag: string, attributes: Record<string, string>): void {
    if (tag === 'pre') this.code++
    else if (tag === 'blockquote') this.quotes++
    else if (tag === 'tr') this.isHead = true
    else if (tag === 'ul') this.lists.push({ number: undefined })
    else if (tag === 'ol') this.lists.push({ number: startOf(attributes.start) })
    else if (tag === 'li') this.item = 'begun'
    else if (HEADING.test(tag)) this.heading = Number(tag[1])
  }

  close(tag: string): void {
    if (tag === 'pre') this.code--
    else if (tag === 'blockquote') this.quotes--
    else if (tag === 'ul' || tag === 'ol') {
      this.lists.pop()
      this.item = this.lists.length > 0 ? 'continues' : undefined
    } else if (tag === 'li') {
      this.item = undefined
    } else if (HEADING.test(tag)) this.heading = 0
  }

  rowKind(): Kind {
    return { ...this.kind(), kind: this.isHead ? 'head' : 'row' }
  }

  /** Returns the kind of the block that ends. Only the first block of an item has the kind `item`. */
  kind(): Kind {
    const quoted = this.quotes > 0 ? true : undefined
    if (this.heading > 0) return { kind: 'heading', level: this.heading, quoted }
    const level = this.lists.length
    if (level === 0 || this.item === undefined) return { kind: this.inCode ? 'code' : 'paragraph', quoted }
    const list = this.lists.at(-1)
    const isFirst = this.item === 'begun'
    this.item = 'continues'
    if (!isFirst) return { kind: this.inCode ? 'code' : 'paragraph', level, quoted }
    const number = list?.number
    if (list && number !== undefined) list.number = number + 1
    return { kind: this.inCode ? 'code' : 'item', level, number, quoted }
  }
}

/** The text so far, and the block that is being read. */
class Page {
  private text = ''
  private readonly layout: TextLayout = { blocks: [], links: [] }
  private block = ''
  /** White space to add before the next text; `undefined` at the beginning of a block or cell, which has none. */
  private space: '' | ' ' | undefined
  private cells = 0
  private links: TextLink[] = []
  /** Pictures in the block that is being read. */
  private pictures: Omit<TextPicture, 'at'>[] = []
  private readonly placed: TextPicture[] = []
  private link: { from: number; url: string } | undefined

  add(piece: string, isCode: boolean): void {
    if (this.block.length > MAX_PAGE_TEXT) return
    const clean = removeInvisible(piece)
    if (isCode) {
      const lines = clean.replace(/\r\n?/g, '\n')
      this.block += this.block === '' ? lines.replace(/^\n+/, '') : lines
      this.space = ''
      return
    }
    const words = clean.replace(/\s+/g, ' ')
    const inner = words.trim()
    if (words.startsWith(' ') && this.space === '') this.space = ' '
    if (inner === '') return
    this.block += (this.space ?? '') + inner
    this.space = words.endsWith(' ') ? ' ' : ''
  }

  addPicture(picture: Omit<TextPicture, 'at'> | undefined, place: Pick<TextPicture, 'level' | 'quoted'>): void {
    if (picture && this.placed.length + this.pictures.length < MAX_PICTURES)
      this.pictures.push({ ...picture, ...place })
  }

  endCell(): void {
    if (this.block.length > MAX_PAGE_TEXT) return
    this.block += '\t'
    this.space = undefined
    this.cells++
  }

  openLink(url: string | undefined): void {
    this.closeLink()
    if (url !== undefined) this.link = { from: this.block.length, url }
  }

  closeLink(): void {
    if (!this.link) return
    this.links.push({ ...this.link, to: this.block.length })
    this.link = undefined
  }

  /** @param kindOf called only if the block is not empty, because it changes the context */
  end(kindOf: () => Kind): void {
    const block = this.block.trimEnd()
    // A link may hold several blocks.
    const url = this.link?.url
    this.closeLink()
    if (block.trim() !== '' && this.text.length < MAX_PAGE_TEXT) {
      this.put(block, this.cells > 1 ? kindOf() : asParagraph(kindOf()))
    }
    this.placed.push(...this.pictures.map((picture) => ({ at: this.text.length, ...picture })))
    this.pictures = []
    this.block = ''
    this.space = undefined
    this.cells = 0
    this.links = []
    this.openLink(url)
  }

  read(): LaidText {
    const text = cut(this.text, MAX_PAGE_TEXT).trimEnd()
    const within = <T extends { from: number; to: number }>(range: T) =>
      range.from < text.length ? [{ ...range, to: Math.min(range.to, text.length) }] : []
    const { blocks, links } = this.layout
    const pictures = this.placed.filter(({ at }) => at <= text.length)
    const layout = {
      blocks: blocks.flatMap(within),
      links: links.flatMap(within).slice(0, MAX_LINKS),
      pictures: pictures.length > 0 ? pictures : undefined
    }
    return { text, layout }
  }

  private put(block: string, kind: Kind): void {
    if (this.text !== '') this.text += '\n\n'
    const from = this.text.length
    this.text += kind.kind === 'heading' ? `## ${block}` : block
    if (kind.kind !== 'paragraph' || kind.quoted || kind.level !== undefined) {
      this.layout.blocks.push({ from, to: this.text.length, ...kind })
    }
    const start = this.text.length - block.length
    for (const link of this.links) {
      const words = block.slice(link.from, link.to)
      const from = start + link.from + words.length - words.trimStart().length
      if (words.trim() !== '') this.layout.links.push({ from, to: from + words.trim().length, url: link.url })
    }
  }
}

/** Turns a row of one cell into a paragraph, because such a table only lays out the page. */
function asParagraph(row: Kind): Kind {
  return row.kind === 'row' || row.kind === 'head' ? { ...row, kind: 'paragraph' } : row
}

function startOf(start: string | undefined): number {
  const number = Number(start ?? 1)
  return Number.isSafeInteger(number) ? number : 1
}

/** Resolves an http or https address; `undefined` if it is invalid, too long, or a fragment of the page itself. */
function addressIn(href: string | undefined, base: string): string | undefined {
  const address = href?.trim() ?? ''
  if (address === '' || address.startsWith('#') || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return /^https?:$/.test(url.protocol) && url.href.length <= LIMITS.url ? url.href : undefined
}

function pictureIn({ src, alt = '', width, height }: Record<string, string>, base: string) {
  const url = addressIn(src, base)
  const isSmall = [width, height].some(
    (size) => /^\d+(px)?$/.test(size ?? '') && Number.parseInt(size ?? '', 10) < MIN_PICTURE_SIZE
  )
  return url === undefined || isSmall ? undefined : { url, alt: cleanText(alt, LIMITS.title) }
}

const HEADING = /^h[1-6]$/

const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tr ul'.split(
    ' '
  )
)

/** Elements without readable text. */
const HIDDEN = new Set(
  'audio button canvas dialog footer form head iframe nav noscript object script select style svg template textarea title video'.split(
    ' '
  )
)
