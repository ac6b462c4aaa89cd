import { LIMITS } from '../contract/bookmark.ts'

/**
 * Text from a stranger's page, safe to show and to hand to a model: no control or bidirectional-override characters,
 * runs of white space as one space, at most `limit` UTF-16 code units and never half a character.
 */
export function cleanText(text: string, limit: number): string {
  return shorten(text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim(), limit)
}

/** Cleans a text of several lines: line breaks and tabs stay. */
export function cleanLines(text: string, limit: number): string {
  return shorten(text.replace(/\r\n?/g, '\n').replace(UNSEEN, '').trim(), limit)
}

/** Cuts a clean text. A joiner that has lost what it joined goes too. */
function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : withoutUnseen(cut(text, limit)).trimEnd()
}

/** Takes out what nobody sees. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '')
}

/**
 * A tag as it is stored: one line, without the `#` a person may type in front; the emoji `#️⃣` stays. Each name of a nested
 * tag is cut by itself, so that tags that differ in a later name stay apart; of too many names the last are left out.
 */
export function cleanTag(text: string, limit: number): string {
  const tag = cleanText(text, text.length)
  const names = tag.split('/').map((name) => shorten(name, Math.min(limit, LIMITS.tagName)))
  while (names.join('/').length > limit) names.pop()
  return names.join('/').replace(/^[#\s]+(?!\ufe0f)/, '')
}

/** Cuts at `limit` UTF-16 code units, one less where that would split a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const code = text.charCodeAt(limit - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit)
}

/** Scripts whose letters a joiner or non-joiner gives another shape. */
const JOINING = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Khmr', 'Knda', 'Mlym', 'Mong', 'Mymr', 'Nkoo']
  .concat(['Orya', 'Sinh', 'Syrc', 'Taml', 'Telu', 'Tibt'])
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')

/**
 * Where an invisible character carries something: joiners in emoji and behind letters of scripts that join, the choice
 * between a symbol's text and emoji forms, keycaps, forms of Mongolian letters, and a blank behind a letter of Braille.
 * One at a time, never a run of them.
 */
const CARRIES = [
  String.raw`(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[[${JOINING}]&&[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]])[\u200c\u200d]`,
  String.raw`(?<=[\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=[\p{sc=Mong}&&\p{L}])[\u180b-\u180d\u180f]`,
  String.raw`(?<=[\u2801-\u28ff])\u2800`
].join('|')

// C0 but tab, line feed, carriage return; DEL and C1; marks that reorder text; lone surrogates; annotation marks; and
// whatever Unicode calls default-ignorable, which a model reads and a person does not see (UAX #44,
// Default_Ignorable_Code_Point): zero-width and filler characters, invisible operators, tags, variation selectors; and the
// blank of Braille, which counts as a symbol and not as white space. Variation selectors for glyphs of Han go too: 240 of
// them fit behind each character, and could spell out a text of their own.
const UNSEEN = new RegExp(
  String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|\p{Cs}|(?!${CARRIES})[\p{Default_Ignorable_Code_Point}\u2800]`,
  'gv'
)
