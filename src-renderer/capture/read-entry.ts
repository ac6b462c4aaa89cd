/** The parts of the text in the field. */
interface Entry {
  text: string
  tags: string[]
}

/**
 * Separates the `#tags` at the end of a typed text from the text. A tag must have a letter, so `#12` is text. A color
 * alone, such as `#bada55`, is not a tag. A tag with spaces is in quotes: `#"read later"`. Outside of quotes, a comma
 * separates tags.
 */
export function readEntry(typed: string): Entry {
  let text = typed.trim()
  const tags: string[] = []
  for (let match = LAST_TAG.exec(text); match; match = LAST_TAG.exec(text)) {
    const [whole, before = '', quoted, bare = ''] = match
    if (before === '' && quoted === undefined && HEX.test(bare)) break
    tags.unshift(...(quoted === undefined ? namesIn(bare) : [quoted.trim()].filter(Boolean)))
    text = text.slice(0, text.length - whole.length + before.length).trimEnd()
  }
  return { text, tags: [...new Set(tags)] }
}

/** Returns the names in a list of tags, separated by commas or line ends. */
export function namesIn(list: string): string[] {
  return list
    .split(/[,\n]/)
    .map((name) => name.replace(/^[#\s]+/, '').trim())
    .filter(Boolean)
}

/** Writes a tag as it is typed. */
export function writeTag(tag: string): string {
  const bare = `#${tag}`
  return BARE_TAG.test(bare) && !HEX.test(tag) ? bare : `#"${tag}"`
}

/** Adds a tag to a typed text. */
export function addTag(typed: string, tag: string): string {
  return `${typed.trimEnd()} ${writeTag(tag)} `
}

const LAST_TAG = /(^|\s)#(?:"([^"\n]*)"|([^\s#"]*\p{L}[^\s#"]*))$/u
const BARE_TAG = /^#[^\s#",]*\p{L}[^\s#",]*$/u
const HEX = /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
