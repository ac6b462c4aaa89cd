import { decodeHTML } from 'entities'
import { Lexer, type Token } from 'marked'

/** Reads Markdown (CommonMark with tables). */
export function tokensOf(markdown: string): Token[] {
  return new Lexer().lex(markdown)
}

/** Returns the text of a token with its HTML entities decoded, because marked does not decode them. */
export function textOf(token: Token): string {
  const text = 'text' in token ? String(token.text) : token.raw
  return token.type === 'escape' ? text : decodeHTML(text)
}

/** Returns a web address as RFC 3986 allows it, because browsers allow more characters; `undefined` for another address. */
export function webAddress(href: string): string | undefined {
  const url = URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const { origin, pathname, search, hash } = url
  return origin + encoded(pathname + search) + (hash && `#${encoded(hash.slice(1))}`)
}

function encoded(part: string): string {
  return part.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/[^\w\-.~:/?@!$&'()*+,;=%]/g, encodeURIComponent)
}
