import { LIMITS } from '../contract/bookmark.ts'

/**
 * Makes a text of unknown origin safe to show and to send to a model: without control and bidirectional-override
 * characters, with one space for each run of white space, and with at most `limit` UTF-16 code units, of which none is
 * half of a surrogate pair.
 */
export function cleanText(text: string, limit: number): string {
  return shorten(text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim(), limit)
}

/** As `cleanText`, but line breaks and tabs stay. */
export function cleanLines(text: string, limit: number): string {
  return shorten(text.replace(/\r\n?/g, '\n').replace(UNSEEN, '').trim(), limit)
}

/** Cuts a clean text. A joiner whose second character was cut off is removed too. */
function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : removeInvisible(cut(text, limit)).trimEnd()
}

export function removeInvisible(text: string): string {
  return text.replace(UNSEEN, '')
}

/**
 * Returns a tag as it is stored: one line, without the `#` that people type before it; the emoji `#️⃣` stays. Each name of a
 * nested tag is cut separately, so that tags that differ in a later name stay different; names beyond the limit are left out.
 */
export function cleanTag(text: string, limit: number): string {
  const tag = cleanText(text, text.length)
  const names = tag.split('/').map((name) => shorten(name, Math.min(limit, LIMITS.tagName)))
  while (names.join('/').length > limit) names.pop()
  return names.join('/').replace(/^[#\s]+(?!\ufe0f)/, '')
}

/** Cuts a text to at most `limit` UTF-16 code units, including the ellipsis at the end. */
export function ellipsize(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`
}

/** Cuts at `limit` UTF-16 code units, or one less if that would split a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const code = text.charCodeAt(limit - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit)
}

/**
 * Folds the name of a tag or an organization. Names that differ only in case or Unicode composition are the same name.
 */
export function foldName(name: string): string {
  return name.toLowerCase().normalize('NFC')
}

/** Scripts in which a joiner or non-joiner changes the shape of letters. */
const JOINING = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Nkoo']
  .concat(['Orya', 'Sinh', 'Syrc', 'Taml', 'Telu', 'Tibt'])
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')

/**
 * Invisible characters that have a function: joiners in emoji and after letters of the scripts above, variation
 * selectors of symbols, keycaps and Mongolian letters, and a blank after a letter of Braille. Only a single such
 * character matches, never several in a row.
 */
const CARRIES = [
  String.raw`(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[[${JOINING}]&&[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]])[\u200c\u200d]`,
  String.raw`(?<=[\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=[\p{sc=Mong}&&\p{L}])[\u180b-\u180d\u180f]`,
  String.raw`(?<=[\u2801-\u28ff])\u2800`
].join('|')

// C0 except tab, line feed and carriage return; DEL and C1; marks that reorder text; lone surrogates; annotation marks;
// all that Unicode calls default-ignorable (UAX #44), which a model reads and a person does not see: zero-width and
// filler characters, invisible operators, tags, variation selectors; and the blank of Braille, which counts as a
// symbol. Also variation selectors of Han, because any of 240 can follow each character, which could encode a hidden
// text.
const UNSEEN = new RegExp(
  String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|\p{Cs}|(?!${CARRIES})[\p{Default_Ignorable_Code_Point}\u2800]`,
  'gv'
)
