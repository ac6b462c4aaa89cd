import type { ArchivedFile } from './mhtml.ts'
import { decodePage } from './read-html.ts'

/** The place of a style sheet in a copy of a page. */
export interface CssContext {
  /** The address that others in it are relative to; empty if it is not known. */
  base: string
  find(address: string): ArchivedFile | undefined
  /** Called with the length of what is about to be embedded. @throws if that is too much */
  spend(length: number): void
  /** Of sheets that import others. */
  depth: number
}

const MAX_IMPORTS_DEPTH = 5

/** The parts of CSS in which an address may be, and those in which none is. Each of them ends, also if it is malformed. */
const PARTS = new RegExp(
  [
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`, // a comment
    String.raw`@import\s*(?:url\(\s*([^\s"')]+)\s*\)|(?:url\(\s*)?(?:"([^"\n]*)"|'([^'\n]*)')\s*\)?)([^;{}]*)(?:;|$|(?=[{}]))`,
    String.raw`url\(\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"\s*\)|'((?:[^'\\\n]|\\[\s\S])*)'\s*\)|((?:[^)\\]|\\[\s\S])*)(?:\)|$))`,
    String.raw`\\[\s\S]`,
    String.raw`"(?:[^"\\\n]|\\[\s\S])*"`,
    String.raw`'(?:[^'\\\n]|\\[\s\S])*'`,
    '<!--|-->'
  ].join('|'),
  'gi'
)

/** The choices of an `image-set`. */
const SETS = /image-set\((?:"[^"]*"|'[^']*'|(?:url|type)\([^()]*\)|[^"'(){}])*/gi

/** Writes addresses of an `image-set` that are plain strings as `url()`, which means the same. */
function withUrls(set: string): string {
  return set.replace(/([(,]\s*)("[^"]*"|'[^']*')/g, '$1url($2)')
}

/** Returns CSS whose pictures and fonts are in it, and that requests nothing. */
export function cleanCss(css: string, context: CssContext): string {
  const clean = plainLetters(css)
    .replace(SETS, withUrls)
    .replace(PARTS, (part: string, ...groups: (string | undefined)[]) => {
      const [import1, import2, import3, condition = '', url1, url2, url3] = groups
      if (/^@import/i.test(part)) return imported(import1 ?? import2 ?? import3 ?? '', condition.trim(), context)
      if (/^url\(/i.test(part)) return `url("${cssUrl(unescapeCss(url1 ?? url2 ?? url3 ?? '').trim(), context)}")`
      return /^(?:\/\*|<!--|-->)/.test(part) ? ' ' : part
    })
  // No text of a style element can end it, or be a tag in a drawing, where the text of one is parsed.
  return clean.replace(/@import/gi, '@-').replace(/<(?=[/!?a-z])/gi, '\\3c ')
}

/** Writes escaped letters as themselves, which means the same: `u\72l(` is `url(`. */
function plainLetters(css: string): string {
  if (!css.includes('\\')) return css
  return css.replace(/\\(?:([\da-f]{1,6})[ \t\r\n\f]?|[\s\S])/gi, (escaped: string, digits?: string) => {
    const letter = digits === undefined ? escaped.slice(1) : String.fromCharCode(Number.parseInt(digits, 16) % 0x10000)
    return /^[a-z]$/i.test(letter) ? letter : escaped
  })
}

function unescapeCss(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})[ \t\r\n\f]?|([\s\S]))/gi, (_, digits?: string, letter = '') => {
    if (digits === undefined) return letter === '\n' ? '' : letter
    const code = Number.parseInt(digits, 16)
    return code > 0x10ffff ? '' : String.fromCodePoint(code)
  })
}

/** Writes an imported style sheet in the place of its import. */
function imported(address: string, condition: string, context: CssContext): string {
  const sheet = context.depth < MAX_IMPORTS_DEPTH ? findFile(address, context) : undefined
  if (sheet?.type !== 'text/css') return ''
  context.spend(sheet.bytes.length)
  const base = sheet.location || context.base
  const css = cleanCss(decodePage(sheet.bytes, sheet.charset), { ...context, base, depth: context.depth + 1 })
  return condition === '' ? css : `@media ${condition} {${css}}`
}

function cssUrl(address: string, context: CssContext): string {
  // A part of the page itself, such as a gradient.
  if (address.startsWith('#')) return address.replace(/["\\\n<]/g, '')
  return dataUrl(address, context) ?? 'data:,'
}

/** Media types of pictures and fonts. None of them is a page or runs as one where pictures and fonts are expected. */
const LOADABLE = /^(?:image\/[\w.+-]+|font\/[\w.+-]+|application\/(?:x-)?font[\w.+-]*|application\/octet-stream)$/

/** Returns a picture or a font as a `data:` address; `undefined` if the page did not bring it along. */
export function dataUrl(address: string, context: CssContext): string | undefined {
  const [, type = ''] = /^\s*data:([^;,]*)/i.exec(address) ?? []
  if (type !== '') return LOADABLE.test(type.toLowerCase()) ? address.trim().replace(BREAKING, percent) : undefined
  const file = findFile(address, context)
  if (!file || !LOADABLE.test(file.type)) return undefined
  // An address may be in many places.
  context.spend(file.bytes.length)
  return `data:${file.type};base64,${file.bytes.toString('base64')}`
}

/** Characters that would end the string of an address in CSS. */
const BREAKING = /["\\<\n\r\f]/g

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

function findFile(address: string, { base, find }: CssContext): ArchivedFile | undefined {
  if (!URL.canParse(address, base || undefined)) return undefined
  return find(new URL(address, base || undefined).href.replace(/#.*$/s, ''))
}
