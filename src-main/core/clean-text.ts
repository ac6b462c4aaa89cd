/**
 * Text from a stranger's page, safe to show and to hand to a model: no control or bidirectional-override characters,
 * runs of white space as one space, at most `limit` UTF-16 code units and never half a character.
 */
export function cleanText(text: string, limit: number): string {
  const clean = text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
  return cut(clean, limit).trimEnd()
}

/** Cleans a text of several lines: line breaks and tabs stay. */
export function cleanLines(text: string, limit: number): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(UNSEEN, '').trim()
  return cut(clean, limit).trimEnd()
}

/** Takes out what nobody sees. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '')
}

/** A tag as it is stored: one line, without the `#` a person may type in front. */
export function cleanTag(text: string, limit: number): string {
  return cleanText(text, limit).replace(/^[#\s]+/, '')
}

/** Cuts at `limit` UTF-16 code units, one less where that would split a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const code = text.charCodeAt(limit - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit)
}

// C0 but tab, line feed, carriage return; DEL and C1; marks that reorder text or hide in it; lone
// surrogates; tag characters, which a model reads and a person does not see.
const UNSEEN =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g
