import type { ArchivedFile } from './mhtml.ts'
import { decodePage } from './read-html.ts'

/** The context in which a style sheet of a copy of a page is converted. */
export interface CssContext {
  /** The base of relative addresses; empty if it is not known. */
  base: string
  find(address: string): ArchivedFile | undefined
  /** Called with the number of bytes before they are embedded. @throws if the copy would be too large */
  spend(length: number): void
  /** Number of style sheets that import each other around this one. */
  depth: number
}

const MAX_IMPORTS_DEPTH = 5

/** The parts of CSS that may contain an address, and those that contain none. Also matches malformed parts. */
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

/** An `image-set`: alternatives of one picture. */
const SETS = /image-set\((?:"[^"]*"|'[^']*'|(?:url|type)\([^()]*\)|[^"'(){}])*/gi

/** Writes addresses of an `image-set` that are plain strings as `url()`, which means the same. */
function withUrls(set: string): string {
  return set.replace(/([(,]\s*)("[^"]*"|'[^']*')/g, '$1url($2)')
}

/** Returns CSS that requests nothing: its pictures and fonts are embedded. */
export function cleanCss(css: string, context: CssContext): string {
  const clean = plainLetters(css)
    .replace(SETS, withUrls)
    .replace(PARTS, (part: string, ...groups: (string | undefined)[]) => {
      const [import1, import2, import3, condition = '', url1, url2, url3] = groups
      if (/^@import/i.test(part)) return imported(import1 ?? import2 ?? import3 ?? '', condition.trim(), context)
      if (/^url\(/i.test(part)) return `url("${cssUrl(unescapeCss(url1 ?? url2 ?? url3 ?? '').trim(), context)}")`
      return /^(?:\/\*|<!--|-->)/.test(part) ? ' ' : part
    })
  // So the text cannot end its style element. In an SVG, browsers parse that text, and it cannot contain a tag.
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

/** Returns the imported style sheet, which replaces the import rule. */
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

/** Media types of pictures and fonts. None is loaded as a page if a picture or font is expected. */
const LOADABLE = /^(?:image\/[\w.+-]+|font\/[\w.+-]+|application\/(?:x-)?font[\w.+-]*|application\/octet-stream)$/

/** Returns a picture or a font as a `data:` address; `undefined` if the archive does not contain it. */
export function dataUrl(address: string, context: CssContext): string | undefined {
  const [, type = ''] = /^\s*data:([^;,]*)/i.exec(address) ?? []
  if (type !== '') return LOADABLE.test(type.toLowerCase()) ? address.trim().replace(BREAKING, percent) : undefined
  const file = findFile(address, context)
  if (!file || !LOADABLE.test(file.type)) return undefined
  // Counted for each use, because an address may be used many times.
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
