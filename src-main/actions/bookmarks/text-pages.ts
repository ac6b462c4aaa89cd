import { PAGE_START, type PageText } from '../../contract/page-details.ts'
import { cut, ellipsize } from '../../core/clean-text.ts'
import type { Block } from '../../markdown/blocks.ts'

/** Maximum length of a page that is sent to a model, in UTF-16 code units. */
export const PAGE_LENGTH = 4000

/** A heading begins a new page if the page before it has at least this length. */
const MIN_PAGE_LENGTH = 1500

const MAX_HEADINGS = 50
const MAX_HEADING_LENGTH = 100

/** A text, split into the pages that are sent to a model. */
export interface TextPages {
  pages: string[]
  /** The headings with the numbers of their pages, such as `Usage (page 3)`; those of lower levels are indented. */
  contents: string[]
}

/** Splits a page's text at its headings and between its blocks. */
export async function pagesOfText(text: PageText): Promise<TextPages> {
  return paged(text.markdown === null ? blocksOfPlain(text.text) : await renderedBlocks(text.markdown))
}

async function renderedBlocks(markdown: string): Promise<Block[]> {
  // Loaded only here, because a parser of Markdown would delay each start.
  const { blocksOfMarkdown } = await import('../../markdown/blocks.ts')
  return blocksOfMarkdown(markdown, { marks: true })
}

/** Returns the paragraphs of a plain text. In a document, the first paragraph of each page begins with its number. */
function blocksOfPlain(text: string): Block[] {
  const pages = text.split(PAGE_START)
  return pages.flatMap((page, index) => {
    const paragraphs = page.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
    const numbered =
      pages.length > 1 ? paragraphs.map((one, at) => (at === 0 ? `Page ${index + 1}: ${one}` : one)) : paragraphs
    return numbered.map((paragraph) => ({ text: paragraph }))
  })
}

type Heading = NonNullable<Block['heading']> & { page: number }

function paged(blocks: Block[]): TextPages {
  const pages: string[] = []
  const headings: Heading[] = []
  let page = ''
  function endPage() {
    if (page !== '') pages.push(page)
    page = ''
  }
  for (const { text, heading } of blocks) {
    const isFull = page.length + 2 + text.length > PAGE_LENGTH
    if (isFull || (heading && page.length >= MIN_PAGE_LENGTH)) endPage()
    if (heading) headings.push({ ...heading, page: pages.length + 1 })
    let rest = text
    while (rest.length > PAGE_LENGTH) {
      const piece = pieceOf(rest)
      pages.push(piece)
      rest = rest.slice(piece.length).trimStart()
    }
    page += page === '' ? rest : `\n\n${rest}`
  }
  endPage()
  return { pages, contents: contentsOf(headings) }
}

/** Returns the beginning of a text that is too long for a page, up to the end of a line or a word. */
function pieceOf(text: string): string {
  const piece = cut(text, PAGE_LENGTH)
  const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' '))
  return end > PAGE_LENGTH / 2 ? piece.slice(0, end) : piece
}

/** Returns all headings, or only the headings of higher levels if there are many. */
function contentsOf(headings: Heading[]): string[] {
  let shown = headings
  for (let deepest = 5; deepest > 0 && shown.length > MAX_HEADINGS; deepest--) {
    const fewer = headings.filter(({ level }) => level <= deepest)
    if (fewer.length > 0) shown = fewer
  }
  const highest = Math.min(...shown.map(({ level }) => level))
  const lines = shown.slice(0, MAX_HEADINGS).map(({ text, level, page }) => {
    const name = ellipsize(text.replace(/\s+/g, ' '), MAX_HEADING_LENGTH)
    return `${'  '.repeat(level - highest)}${name} (page ${page})`
  })
  return shown.length > MAX_HEADINGS ? [...lines, `… and ${shown.length - MAX_HEADINGS} more`] : lines
}
