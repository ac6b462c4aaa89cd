import { decodeHTML } from 'entities'
import type { Token, Tokens } from 'marked'
import { MAX_PAGE_TEXT, type PageText } from '../contract/page-details.ts'
import { cut } from '../core/clean-text.ts'
import { textOf, tokensOf, webAddress } from './tokens.ts'

/**
 * A block of a text as a person sees it: without pictures, comments, HTML, titles of links and definitions.
 */
export interface Block {
  text: string
  /** Its level from 1 to 6, and its text without marks. */
  heading?: { level: number; text: string }
}

/** Returns Markdown together with its plain text. Empty lines separate the blocks of the text. */
export function pageTextOf(markdown: string): PageText {
  const blocks = blocksOfMarkdown(markdown, { marks: false })
  return { text: cut(blocks.map(({ text }) => text).join('\n\n'), MAX_PAGE_TEXT), markdown }
}

interface Style {
  /** Whether headings, items, code and quotes keep their marks, and links their addresses. */
  marks: boolean
}

/** Returns the blocks of Markdown (CommonMark with tables), without blocks that have no text. */
export function blocksOfMarkdown(markdown: string, style: Style): Block[] {
  return blocksIn(tokensOf(markdown), style)
}

function blocksIn(tokens: Token[], style: Style): Block[] {
  return tokens.flatMap((token) => {
    const text = blockText(token, style)
    if (text.trim() === '') return []
    if (token.type !== 'heading') return [{ text }]
    const { depth, tokens: inner = [] } = token as Tokens.Heading
    return [{ text, heading: { level: depth, text: inlineText(inner, { marks: false }) } }]
  })
}

function blockText(token: Token, style: Style): string {
  switch (token.type) {
    case 'heading':
      return (style.marks ? `${'#'.repeat(token.depth)} ` : '') + inlineText(token.tokens ?? [], style)
    case 'paragraph':
    case 'text':
      return inlineText(token.tokens ?? [token], style)
    case 'code':
      return style.marks ? fenced(token as Tokens.Code) : token.text
    case 'blockquote':
      return inside(token.tokens ?? [], style, style.marks ? '> ' : '', '\n\n')
    case 'list':
      return (token as Tokens.List).items
        .map((item, index) => itemText(token as Tokens.List, item, index, style))
        .join('\n')
    case 'table':
      return tableText(token as Tokens.Table, style)
    default:
      return ''
  }
}

function itemText({ ordered, start }: Tokens.List, item: Tokens.ListItem, index: number, style: Style): string {
  const mark = ordered ? `${Number(start) + index}. ` : '- '
  const text = inside(item.tokens, style, style.marks ? ' '.repeat(mark.length) : '', '\n')
  return style.marks ? mark + text.trimStart() : text
}

/** Returns the text of a quote or a list item, with `before` at the start of each line. */
function inside(tokens: Token[], style: Style, before: string, between: string): string {
  const text = blocksIn(tokens, style)
    .map((block) => block.text)
    .join(between)
  return text.replace(/^/gm, before)
}

/** Returns a table as one line for each row, without empty rows. */
function tableText({ header, rows }: Tokens.Table, style: Style): string {
  return [header, ...rows]
    .map((row) => row.map(({ tokens }) => inlineText(tokens, style).replace(/\s+/g, ' ')))
    .filter((cells) => cells.some((cell) => cell !== ''))
    .map((cells) => cells.join(style.marks ? ' | ' : '\t'))
    .join('\n')
}

function fenced({ text, lang = '' }: Tokens.Code): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${/^[\w+#-]{0,20}$/.test(lang) ? lang : ''}\n${text}\n${fence}`
}

function inlineText(tokens: Token[], style: Style): string {
  return tokens
    .map((token) => {
      if (token.type === 'image' || token.type === 'html') return ''
      if (token.type === 'br') return '\n'
      if (token.type === 'codespan' || token.type === 'escape') return token.text
      if (!('tokens' in token) || !token.tokens) return textOf(token)
      const text = inlineText(token.tokens, style)
      const url = style.marks && token.type === 'link' ? webAddress(decodeHTML(token.href)) : undefined
      return url === undefined || text === '' ? text : text === url ? url : `[${text}](${url})`
    })
    .join('')
}
