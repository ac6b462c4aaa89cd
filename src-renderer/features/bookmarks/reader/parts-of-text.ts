import type { TextBlock, TextLayout, TextLink } from '../../../../src-main/contract/page-details.ts'
import { openable } from '../../../lib/labels.ts'

/** A piece of a line; with an address a link. */
export interface Run {
  text: string
  url?: string | undefined
}

/** A part of an article. */
export type Part =
  | { kind: 'paragraph' | 'code'; runs: Run[] }
  | { kind: 'heading'; level: number; runs: Run[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Part[][] }
  | { kind: 'table'; rows: { isHead: boolean; cells: Run[][] }[] }
  | { kind: 'quote'; parts: Part[] }
  | { kind: 'picture'; place: number; alt: string }
  | { kind: 'page'; number: number }

/** A block with what it says. */
type Block = Omit<TextBlock, 'from' | 'to' | 'kind'> & {
  kind: TextBlock['kind'] | 'picture' | 'page'
  runs: Run[]
} & Placed

/** A picture's place among the text's, and what it shows in words. */
interface Placed {
  place?: number
  alt?: string
}

/** Without a first heading that only says the title again. */
export function withoutTitle(parts: Part[], title: string): Part[] {
  const [first, ...rest] = parts
  const says = first?.kind === 'heading' ? first.runs.map(({ text }) => text).join('') : ''
  return says !== '' && says.trim().toLowerCase() === title.trim().toLowerCase() ? rest : parts
}

/** The parts of a stored text. Without a layout its blocks are paragraphs, and those that begin with `## ` headings. */
export function partsOfText(text: string, layout: TextLayout | null): Part[] {
  return parts(blocksOf(text, layout ?? { blocks: [], links: [] }), 0)
}

function blocksOf(text: string, layout: TextLayout): Block[] {
  const found: Block[] = []
  let at = 0
  for (const { from, to, ...block } of inOrder(layout)) {
    found.push(...paragraphs(text, at, from, layout.links))
    const start = block.kind === 'heading' && text.startsWith('## ', from) ? from + 3 : from
    found.push({ ...block, runs: runsIn(text, start, to, layout.links) })
    at = to
  }
  return [...found, ...paragraphs(text, at, text.length, layout.links)]
}

/** The blocks, and between them pictures and the beginnings of pages, which take up none of the text. */
function inOrder({ blocks, pictures = [], pages = [] }: TextLayout) {
  const placed = pictures.map(({ at, ...picture }, place) => ({
    ...picture,
    from: at,
    to: at,
    kind: 'picture' as const,
    place
  }))
  const begun = pages.map((at, index) => ({ from: at, to: at, kind: 'page' as const, number: index + 2 }))
  return [...blocks, ...placed, ...begun].sort((one, other) => one.from - other.from || one.to - other.to)
}

function paragraphs(text: string, from: number, to: number, links: TextLink[]): Block[] {
  const found: Block[] = []
  let start = from
  for (const piece of text.slice(from, to).split('\n\n')) {
    const end = start + piece.length
    const isHeading = piece.startsWith('## ')
    if (piece.trim() !== '') {
      const runs = runsIn(text, isHeading ? start + 3 : start, end, links)
      found.push(isHeading ? { kind: 'heading', level: 2, runs } : { kind: 'paragraph', runs })
    }
    start = end + 2
  }
  return found
}

function runsIn(text: string, from: number, to: number, links: TextLink[]): Run[] {
  const runs: Run[] = []
  let at = from
  for (const link of links) {
    const url = openable(link.url)
    if (link.from < at || link.to > to || url === undefined) continue
    if (link.from > at) runs.push({ text: text.slice(at, link.from) })
    runs.push({ text: text.slice(link.from, link.to), url })
    at = link.to
  }
  if (at < to) runs.push({ text: text.slice(at, to) })
  return runs
}

/** @param depth how many lists they are in already */
function parts(blocks: Block[], depth: number): Part[] {
  const found: Part[] = []
  let rest = blocks
  while (rest[0]) {
    const count = runLength(rest, depth)
    found.push(partOf(rest.slice(0, count), depth))
    rest = rest.slice(count)
  }
  return found
}

/** How many blocks at the beginning belong together. */
function runLength([first, ...rest]: Block[], depth: number): number {
  if (!first) return 0
  const belongs = (block: Block) => {
    if (first.quoted) return block.quoted === true
    if (block.quoted) return false
    if (inList(first, depth)) return inList(block, depth) && !begins(block, first, depth)
    return isRow(first) && isRow(block)
  }
  const end = rest.findIndex((block) => !belongs(block))
  return 1 + (end < 0 ? rest.length : end)
}

/** Whether a list of the other kind begins where one goes on. */
function begins(block: Block, first: Block, depth: number): boolean {
  return isItem(block, depth) && (block.number === undefined) !== (first.number === undefined)
}

function partOf(blocks: Block[], depth: number): Part {
  const [first] = blocks
  if (!first) throw new Error('a part of nothing')
  if (first.quoted)
    return {
      kind: 'quote',
      parts: parts(
        blocks.map((one) => ({ ...one, quoted: undefined })),
        depth
      )
    }
  if (inList(first, depth)) return listOf(blocks, first, depth)
  if (isRow(first)) return { kind: 'table', rows: blocks.map(rowOf) }
  if (first.kind === 'picture') return { kind: 'picture', place: first.place ?? 0, alt: first.alt ?? '' }
  if (first.kind === 'page') return { kind: 'page', number: first.number ?? 0 }
  if (first.kind === 'heading') return { kind: 'heading', level: first.level ?? 2, runs: first.runs }
  return { kind: first.kind === 'code' ? 'code' : 'paragraph', runs: first.runs }
}

function listOf(blocks: Block[], first: Block, depth: number): Part {
  const items: Block[][] = []
  for (const block of blocks) {
    if (isItem(block, depth) || items.length === 0) items.push([])
    items
      .at(-1)
      ?.push(isItem(block, depth) ? { ...block, kind: block.kind === 'item' ? 'paragraph' : block.kind } : block)
  }
  const ordered = first.number !== undefined
  return { kind: 'list', ordered, start: first.number ?? 1, items: items.map((one) => parts(one, depth + 1)) }
}

function rowOf({ kind, runs }: Block) {
  const cells: Run[][] = [[]]
  for (const run of runs) {
    const [same = '', ...next] = run.text.split('\t')
    if (same !== '') cells.at(-1)?.push({ ...run, text: same })
    for (const text of next) cells.push(text === '' ? [] : [{ ...run, text }])
  }
  return { isHead: kind === 'head', cells }
}

const isRow = ({ kind }: Block) => kind === 'row' || kind === 'head'
const inList = ({ kind, level = 0 }: Block, depth: number) => kind !== 'heading' && level > depth
/** Code that begins an item has its number, or none. */
const isItem = ({ kind, level }: Block, depth: number) => kind === 'item' && level === depth + 1
