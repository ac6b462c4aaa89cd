import { markdownOfText } from '../core/page-text.ts'

/** A text's blocks other than plain paragraphs, its links and pictures, with offsets, as they were stored before 340. */
interface Layout {
  blocks: Block[]
  links: Range<{ url: string }>[]
  pictures?: { at: number; url: string; alt: string; level?: number; quoted?: true }[]
  /** Offsets at which a document's pages begin, from the second on. */
  pages?: number[]
}

type Range<Of> = Of & { from: number; to: number }

type Block = Range<{
  kind: 'paragraph' | 'heading' | 'item' | 'code' | 'row' | 'head'
  level?: number
  number?: number
  quoted?: true
}>

/** Returns a text with a form feed before each further page of a document. */
export function textWithPages(text: string, layout: string): string {
  const { pages = [] } = JSON.parse(layout) as Layout
  return [0, ...pages].map((from, index) => text.slice(from, pages[index] ?? text.length).trim()).join('\f')
}

/** Returns a text as Markdown; `null` for a document, whose text is plain. */
export function markdownOfLayout(text: string, json: string): string | null {
  const layout = JSON.parse(json) as Layout
  if (layout.pages) return null
  const parts: string[] = []
  let at = 0
  let before: Block | undefined
  for (const block of inOrder(layout)) {
    if (block.from > at) {
      parts.push(...paragraphs(text, at, block.from, layout))
      before = undefined
    }
    const words = block.picture ?? blockText(text, block, layout)
    const continues = before !== undefined && isRow(before) && isRow(block)
    if (isRow(block) && !continues) {
      const columns = text.slice(block.from, block.to).split('\t').length
      parts.push('', block.kind === 'head' ? words : `|${' |'.repeat(columns)}`, `|${' - |'.repeat(columns)}`)
      if (block.kind !== 'head') parts.push(words)
    } else if (isRow(block)) parts.push(words)
    else parts.push('', indented(words, block))
    at = block.to
    before = block
  }
  parts.push(...paragraphs(text, at, text.length, layout))
  return parts.join('\n').trim()
}

const isRow = ({ kind }: Pick<Block, 'kind'>) => kind === 'row' || kind === 'head'

function inOrder({ blocks, pictures = [] }: Layout): (Block & { picture?: string })[] {
  const placed = pictures.map(({ at, url, alt, level, quoted }) => ({
    ...{ from: at, to: at, kind: 'paragraph' as const, level, quoted },
    picture: `![${markdownOfText(alt)}](${url.replace(/[()\\]/g, '\\$&')})`
  }))
  return [...blocks, ...placed].sort((one, other) => one.from - other.from || one.to - other.to) as Block[]
}

function paragraphs(text: string, from: number, to: number, layout: Layout): string[] {
  let start = from
  return text
    .slice(from, to)
    .split('\n\n')
    .flatMap((piece) => {
      const at = start
      start += piece.length + 2
      return piece.trim() === '' ? [] : ['', inline(text, at, at + piece.length, layout)]
    })
}

function blockText(text: string, block: Block, layout: Layout): string {
  const words = text.slice(block.from, block.to)
  if (block.kind === 'code') return `\`\`\`\`\n${words}\n\`\`\`\``
  if (block.kind === 'heading') {
    const from = words.startsWith('## ') ? block.from + 3 : block.from
    return `${'#'.repeat(block.level ?? 2)} ${inline(text, from, block.to, layout).replace(/\s+/g, ' ')}`
  }
  const written = inline(text, block.from, block.to, layout)
  return isRow(block) ? `| ${written.replaceAll('\t', ' | ').replace(/\n/g, ' ')} |` : written
}

/** Puts a block into its quote and lists. An item has a mark; later blocks of an item are indented like its text. */
function indented(words: string, { kind, level = 0, number, quoted }: Block): string {
  const isInList = kind !== 'heading' && level > 0
  const mark = number === undefined ? '-  ' : `${number}. `
  const isItem = kind === 'item' || number !== undefined
  const margin = '   '.repeat(isInList ? (isItem ? level - 1 : level) : 0)
  const placed = isInList && isItem ? mark + words.replace(/\n/g, `\n${' '.repeat(mark.length)}`) : words
  return placed.replace(/^/gm, (quoted ? '> ' : '') + margin)
}

/** Returns a part of a text with its links. */
function inline(text: string, from: number, to: number, { links }: Layout): string {
  let written = ''
  let at = from
  for (const link of links) {
    if (link.from < at || link.to > to) continue
    const words = markdownOfText(text.slice(link.from, link.to))
    written += `${markdownOfText(text.slice(at, link.from))}[${words}](${link.url.replace(/[()\\]/g, '\\$&')})`
    at = link.to
  }
  return written + markdownOfText(text.slice(at, to))
}
