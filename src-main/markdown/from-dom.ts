import type { Element, ElementContent, Nodes, Properties } from 'hast'
import { fromDom } from 'hast-util-from-dom'
import { type Handle, toMdast } from 'hast-util-to-mdast'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { toMarkdown } from 'mdast-util-to-markdown'
import { LIMITS } from '../contract/bookmark.ts'
import { MAX_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanText, cut, removeInvisible } from '../core/clean-text.ts'

const MAX_PICTURES = 20

/** Minimum width and height of a picture, in pixels. A smaller picture is an icon or counts visitors. */
const MIN_PICTURE_SIZE = 64

/** Maximum depth of nested elements. Of a deeper element only the content is kept, not the element itself. */
const MAX_DEPTH = 200

/** Maximum length of a text node before its white space is reduced, in UTF-16 code units. */
const MAX_RAW_TEXT = 4 * MAX_PAGE_TEXT

/** Maximum number of elements of a text. Converting this many takes a third of a second. */
const MAX_ELEMENTS = 6000

/** The state of a conversion: how much more the text may contain, and what is around the current element. */
interface Conversion {
  /** For relative addresses. */
  base: string | undefined
  /** In UTF-16 code units, like `addresses`. */
  text: number
  addresses: number
  elements: number
  pictures: number
  depth: number
  isCode: boolean
}

export interface MarkdownOptions {
  /** For relative addresses. */
  base?: string | undefined
  /** Maximum length of the text without its marks and addresses, in UTF-16 code units. */
  limit?: number
}

/**
 * Returns the readable text of a part of a page as CommonMark with tables (GitHub Flavored Markdown 4.10). Hidden
 * elements and pictures without a web address are left out, and links without a web address keep only their content. A
 * table that only lays out the page becomes paragraphs.
 *
 * @param root of a browser's document, or of linkedom's
 * @throws RangeError if elements are nested too deeply
 */
export function markdownOf(root: unknown, { base, limit = MAX_PAGE_TEXT }: MarkdownOptions = {}): string {
  const page = fromDom(root as Parameters<typeof fromDom>[0])
  const conversion: Conversion = {
    base,
    text: limit,
    addresses: MAX_PAGE_TEXT,
    elements: MAX_ELEMENTS,
    pictures: MAX_PICTURES,
    depth: 0,
    isCode: false
  }
  if ('children' in page) page.children = (page.children as ElementContent[]).flatMap((node) => kept(node, conversion))
  const tree = toMdast(page, { handlers: HANDLERS, document: true })
  const extensions = [gfmTableToMarkdown({ tablePipeAlign: false })]
  return toMarkdown(tree, { bullet: '-', rule: '-', resourceLink: true, extensions }).trim()
}

/** Returns the visible nodes of an element or a text: none, the node itself, or only the content of the element. */
function kept(node: ElementContent, conversion: Conversion): ElementContent[] {
  if (conversion.text <= 0 || conversion.elements <= 0) return []
  if (node.type === 'text') {
    const words = removeInvisible(cut(node.value, MAX_RAW_TEXT))
    const value = cut(conversion.isCode ? words : words.replace(/\s+/g, ' '), conversion.text)
    conversion.text -= value.length
    return value === '' ? [] : [{ type: 'text', value }]
  }
  if (node.type !== 'element' || HIDDEN.has(node.tagName) || isHidden(node.properties)) return []
  if (node.tagName === 'img') return pictureOf(node.properties, conversion)
  if (node.tagName === 'table') return tableOf(node, conversion)
  const { isCode } = conversion
  const hasStructure = node.tagName === 'pre' && node.children.some((child) => contains(child, NOT_CODE))
  const isPre = node.tagName === 'pre' && !hasStructure
  conversion.depth++
  conversion.isCode ||= isPre
  const children = (isPre ? withoutFirstBreak(node) : node.children).flatMap((child) => kept(child, conversion))
  conversion.depth--
  conversion.isCode = isCode
  if (conversion.depth > MAX_DEPTH) return children
  conversion.elements--
  if (MARKS.has(node.tagName) && children.some((child) => contains(child, BLOCKS))) return children
  const tagName = hasStructure ? 'div' : (SAME_AS[node.tagName] ?? node.tagName)
  if (node.tagName !== 'a') return [{ ...node, tagName, children }]
  const href = addressOf(node.properties.href, conversion)
  return href === undefined ? children : [{ ...node, properties: { href }, children }]
}

/** Returns the content of `<pre>` without a line break at its start, which is not shown (HTML 13.2.6.4.7). */
function withoutFirstBreak({ children: [first, ...others] }: Element): ElementContent[] {
  if (first?.type !== 'text') return first ? [first, ...others] : []
  return [{ ...first, value: first.value.replace(/^\r?\n/, '') }, ...others]
}

function isHidden({ hidden, style }: Properties): boolean {
  return hidden === true || /display:\s*none|visibility:\s*hidden/i.test(String(style ?? ''))
}

function pictureOf({ src, alt, width, height }: Properties, conversion: Conversion): Element[] {
  const isSmall = [width, height].some(
    (size) => /^\d+(px)?$/.test(String(size)) && Number.parseInt(String(size), 10) < MIN_PICTURE_SIZE
  )
  const address = isSmall || conversion.pictures === 0 ? undefined : addressOf(src, conversion)
  if (address === undefined) return []
  conversion.pictures--
  const properties = { src: address, alt: cleanText(String(alt ?? ''), LIMITS.title) }
  return [{ type: 'element', tagName: 'img', properties, children: [] }]
}

/** Resolves an http or https address; `undefined` for an invalid or too long one, and for a fragment of the page itself. */
function addressOf(href: Properties[string], conversion: Conversion): string | undefined {
  const address = String(href ?? '').trim()
  if (address === '' || address.startsWith('#') || !URL.canParse(address, conversion.base)) return undefined
  const url = new URL(address, conversion.base)
  if (!/^https?:$/.test(url.protocol) || url.href.length > Math.min(LIMITS.url, conversion.addresses)) return undefined
  conversion.addresses -= url.href.length
  return url.href
}

/** Returns a table below its caption. A table that only lays out the page becomes blocks. */
function tableOf(table: Element, conversion: Conversion): ElementContent[] {
  const isLayout = !isData(table)
  const captions: ElementContent[] = []
  function within(node: ElementContent): ElementContent[] {
    if (node.type !== 'element' || !PARTS_OF_TABLES.has(node.tagName)) return kept(node, conversion)
    if (isHidden(node.properties)) return []
    const content = conversion.elements > 0 ? node.children.flatMap(within) : []
    const children = SECTIONS.has(node.tagName) ? inRows(content) : content
    conversion.elements--
    const part = { ...node, children: !isLayout && isCell(node) ? inOneLine(children) : children }
    if (node.tagName === 'caption') captions.push({ ...part, tagName: 'p' })
    return node.tagName === 'caption' ? [] : [isLayout ? { ...part, tagName: 'div' } : part]
  }
  const children = inRows(table.children.flatMap(within))
  return [...captions, { ...table, tagName: isLayout ? 'div' : 'table', children }]
}

/** Puts cells that have no row into a row, as browsers do (HTML 13.2.6.4.13). */
function inRows(nodes: ElementContent[]): ElementContent[] {
  const cells = nodes.filter(isCell)
  const row: Element = { type: 'element', tagName: 'tr', properties: {}, children: cells }
  return nodes.flatMap((node) => (!isCell(node) ? [node] : node === cells[0] ? [row] : []))
}

/** Returns the content of a cell, which is one line in Markdown: items are separated by semicolons. */
function inOneLine(nodes: ElementContent[]): ElementContent[] {
  const space: ElementContent = { type: 'text', value: ' ' }
  return nodes.flatMap((node, index): ElementContent[] => {
    if (node.type !== 'element') return [node]
    if (node.tagName === 'br') return [space]
    const isList = node.tagName === 'ul' || node.tagName === 'ol'
    const children = inOneLine(isList ? node.children.filter(({ type }) => type === 'element') : node.children)
    if (node.tagName === 'li') return index === 0 ? children : [{ type: 'text', value: '; ' }, ...children]
    return BLOCKS.has(node.tagName) ? [space, ...children, space] : [{ ...node, children }]
  })
}

/** Whether a table has a row of several cells, and its cells contain no blocks that a Markdown table cannot contain. */
function isData(table: Element): boolean {
  let hasColumns = false
  function isPlain(node: Nodes): boolean {
    if (node.type !== 'element') return true
    if (node.tagName === 'tr') hasColumns ||= node.children.filter(isCell).length > 1
    return !BLOCKS_OF_LAYOUT.has(node.tagName) && node.children.every(isPlain)
  }
  return table.children.every(isPlain) && hasColumns
}

function contains(node: ElementContent, names: Set<string>): boolean {
  return node.type === 'element' && (names.has(node.tagName) || node.children.some((child) => contains(child, names)))
}

const isCell = (node: ElementContent) => node.type === 'element' && (node.tagName === 'td' || node.tagName === 'th')

const words = (text: string) => new Set(text.split(' '))

const PARTS_OF_TABLES = words('caption thead tbody tfoot tr td th')

const SECTIONS = words('thead tbody tfoot')

const BLOCKS_OF_LAYOUT = words('table h1 h2 h3 h4 h5 h6 pre blockquote')

/** A `<pre>` that contains one of these is not code: the HTML is invalid, or a table numbers its lines. */
const NOT_CODE = words('table h1 h2 h3 h4 h5 h6')

/** Elements without readable text. */
const HIDDEN = words(
  'annotation annotation-xml applet audio button canvas datalist dialog embed footer form head iframe input nav noscript object script select style svg template textarea title video wbr'
)

/** Elements that are marks within a paragraph in Markdown, so they cannot contain blocks. */
const MARKS = words('b code em i kbd q samp strong tt u var')

const BLOCKS = words('article blockquote div dl h1 h2 h3 h4 h5 h6 ol p pre section table ul')

/** Elements that are converted as another element. Parts of tables outside of a table become blocks. */
const SAME_AS: Record<string, string> = {
  menu: 'ul',
  math: 'span',
  ...Object.fromEntries([...PARTS_OF_TABLES].map((name) => [name, 'div']))
}

/** Deleted, underlined and highlighted texts have no marks in CommonMark. */
const children: Handle = (state, node) => state.all(node)
const HANDLERS = { del: children, s: children, strike: children, u: children, mark: children }
