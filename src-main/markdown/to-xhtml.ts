import { decodeHTML } from 'entities'
import type { Token, Tokens } from 'marked'
import { textOf, webAddress } from './tokens.ts'

/** Returns the address of a picture inside the book; `undefined` if the book does not contain it. */
type Picture = (url: string) => string | undefined

/**
 * Returns Markdown as elements of XHTML, below a heading of the first level. HTML in the Markdown, and links to addresses
 * that are not web addresses, are left out.
 *
 * @throws RangeError if its blocks are nested too deeply
 */
export function xhtmlOf(tokens: Token[], picture: Picture): string {
  return tokens.map((token) => elementOf(token, picture, false)).join('')
}

/** Returns plain text as paragraphs. */
export function paragraphsOf(text: string): string {
  return text
    .split(/\n{2,}|\f/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => element('p', escapeXml(paragraph)))
    .join('')
}

/** @param inLink whether the token is inside a link, because links cannot be nested */
function elementOf(token: Token, picture: Picture, inLink: boolean): string {
  const inside = (tokens: Token[] = [], isLink = inLink) =>
    tokens.map((child) => elementOf(child, picture, isLink)).join('')
  switch (token.type) {
    case 'heading':
      return element(`h${Math.min(token.depth + 1, 6)}`, inside(token.tokens))
    case 'paragraph':
      return element('p', inside(token.tokens))
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
      return element(token.type, inside(token.tokens))
    case 'codespan':
      return element('code', escapeXml(token.text))
    case 'code':
      return `<pre dir="ltr">${element('code', escapeXml(token.text))}</pre>`
    case 'list': {
      const { ordered, start, items } = token as Tokens.List
      const all = items.map(({ tokens }) => element('li', inside(tokens))).join('')
      return ordered ? `<ol start="${Number(start)}">${all}</ol>` : element('ul', all)
    }
    case 'table':
      return tableOf(token as Tokens.Table, inside)
    case 'link': {
      const href = inLink ? undefined : webAddress(decodeHTML(token.href))
      const text = inside(token.tokens, true)
      return href === undefined ? text : `<a href="${escapeXml(href)}">${text}</a>`
    }
    case 'image': {
      const src = picture(decodeHTML(token.href))
      return src === undefined ? '' : `<img src="${src}" alt="${escapeXml(decodeHTML(token.text))}"/>`
    }
    case 'br':
    case 'hr':
      return `<${token.type}/>`
    case 'space':
    case 'html':
    case 'def':
      return ''
    default:
      return 'tokens' in token && token.tokens ? inside(token.tokens) : escapeXml(textOf(token))
  }
}

function tableOf({ header, rows }: Tokens.Table, inside: (tokens: Token[]) => string): string {
  const rowOf = (cells: Tokens.TableCell[], name: string) =>
    element('tr', cells.map(({ tokens }) => element(name, inside(tokens))).join(''))
  const head = header.some(({ text }) => text !== '') ? element('thead', rowOf(header, 'th')) : ''
  return element('table', head + element('tbody', rows.map((cells) => rowOf(cells, 'td')).join('')))
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}

/** Escapes a text. XML 1.0 allows no control characters and no lone surrogates. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
