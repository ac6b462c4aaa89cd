/** The parts of the text typed into the one field. */
interface Entry {
  text: string
  tags: string[]
}

/**
 * Takes the `#tags` at the end of what was typed off its text. A tag holds a letter, so that `#12` stays what it is;
 * a color that stands alone, such as `#bada55`, is no tag; and one with spaces stands in quotes: `#"read later"`.
 * A comma outside of quotes separates tags.
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

/** Returns the names of tags in a list with commas or line breaks between them. */
export function namesIn(list: string): string[] {
  return list
    .split(/[,\n]/)
    .map((name) => name.replace(/^[#\s]+/, '').trim())
    .filter(Boolean)
}

/** A tag as it is typed. */
export function writeTag(tag: string): string {
  const bare = `#${tag}`
  return BARE_TAG.test(bare) && !HEX.test(tag) ? bare : `#"${tag}"`
}

/** Returns the typed text with a tag behind it. */
export function addTag(typed: string, tag: string): string {
  return `${typed.trimEnd()} ${writeTag(tag)} `
}

const LAST_TAG = /(^|\s)#(?:"([^"\n]*)"|([^\s#"]*\p{L}[^\s#"]*))$/u
const BARE_TAG = /^#[^\s#",]*\p{L}[^\s#",]*$/u
const HEX = /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
