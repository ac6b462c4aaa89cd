import { Tokenizer } from 'htmlparser2'
import { MAX_PAGE_TEXT } from '../contract/page-details.ts'

/** The parts of an HTML text, in order, without any idea of how its tags nest. Names are in lower case. */
export interface HtmlTags {
  open(name: string, attributes: Record<string, string>): void
  close(name: string): void
  /** A piece of text, entities decoded; one text may come in several. */
  text(text: string): void
}

/** Longest attribute that is kept whole, in UTF-16 code units; of a longer one, this much and one piece more. */
const LONGEST_ATTRIBUTE = 16_384

/** Longest name or comment that is waited for; of a longer one nothing is kept. */
const LONGEST_TOKEN = 65_536

/**
 * Reads HTML piece by piece. A parser that keeps the stack of open elements takes time by the square of the depth, and
 * bookmark files nest as deep as their writer likes; this one holds a single tag, and no more of it than is asked for.
 *
 * @param wanted attributes by name, in lower case; others are passed over
 */
export function createHtmlReader(tags: HtmlTags, wanted: string[]): { write(text: string): void; end(): void } {
  const source = new KeptSource()
  let name = ''
  let attributes: Record<string, string> = {}
  let attribute = ''
  let value = ''

  function addToValue(text: string): void {
    if (value.length < LONGEST_ATTRIBUTE) value += text
  }

  const opened = (end: number) => {
    source.skip(end)
    tags.open(name, attributes)
    attributes = {}
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = source.slice(start, end).toLowerCase()
      },
      onattribname(start, end) {
        attribute = source.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => addToValue(source.slice(start, end)),
      onattribentity: (codepoint) => addToValue(String.fromCodePoint(codepoint)),
      onattribend() {
        if (!wanted.includes(attribute) || Object.hasOwn(attributes, attribute)) return // HTML: the first one counts
        attributes[attribute] = value
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => tags.close(source.slice(start, end).trim().toLowerCase()),
      ontext: (start, end) => tags.text(source.slice(start, end)),
      ontextentity(codepoint, end) {
        source.skip(end)
        tags.text(String.fromCodePoint(codepoint))
      },
      oncdata: (_, end) => source.skip(end),
      oncomment: (_, end) => source.skip(end),
      ondeclaration: (_, end) => source.skip(end),
      onprocessinginstruction: (_, end) => source.skip(end),
      onend() {}
    }
  )

  return {
    write(text) {
      source.add(text)
      tokenizer.write(text)
      source.letGo()
    },
    end: () => tokenizer.end()
  }
}

/** Elements that stand apart from the text around them. */
export const BLOCKS = new Set(
  (
    'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header ' +
    'hr li main nav ol p pre section summary table td th tr ul'
  ).split(' ')
)

/** Elements whose text nobody reads. */
const UNREAD = new Set(['noscript', 'script', 'style', 'template', 'title'])

/** Longest text of an article that is read, in UTF-16 code units: more than is stored. */
const MAX_ARTICLE_LENGTH = 2 * MAX_PAGE_TEXT

/** Markup that is read of an article, in UTF-16 code units: a tenth of a second's work. */
const MAX_MARKUP_LENGTH = 2_000_000

/** Returns the text of an article: blocks with an empty line between, headings after `## `. */
export function textOfHtml(html: string): string {
  const blocks: string[] = []
  let block = ''
  let length = 0
  let unread: string | undefined
  let heading = false

  function endBlock(): void {
    const text = block
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim()
    if (text !== '') blocks.push(heading ? `## ${text}` : text)
    length += text.length
    block = ''
  }

  const reader = createHtmlReader(
    {
      open(name) {
        if (UNREAD.has(name)) unread ??= name
        else if (name === 'br') block += '\n'
        else if (name === 'td' || name === 'th') block += ' '
        else if (BLOCKS.has(name)) {
          endBlock()
          heading = /^h\d$/.test(name)
        }
      },
      close(name) {
        if (name === unread) unread = undefined
        else if (BLOCKS.has(name) && name !== 'br') {
          if (name !== 'td' && name !== 'th') endBlock()
          heading = false
        }
      },
      text(text) {
        if (unread === undefined && length + block.length < MAX_ARTICLE_LENGTH) block += text.replace(/\s+/g, ' ')
      }
    },
    []
  )
  reader.write(html.slice(0, MAX_MARKUP_LENGTH))
  reader.end()
  endBlock()
  return blocks.join('\n\n')
}

/** The text that a token under way may still begin in. Places count from the beginning of all that was added. */
class KeptSource {
  #kept = ''
  #keptAt = 0
  #used = 0

  add(text: string): void {
    this.#kept += text
  }

  /** Returns a token's text and moves past it; empty if its beginning was dropped. */
  slice(start: number, end: number): string {
    this.#used = end
    return start < this.#keptAt ? '' : this.#kept.slice(start - this.#keptAt, end - this.#keptAt)
  }

  skip(end: number): void {
    this.#used = end
  }

  letGo(): void {
    if (this.#used > this.#keptAt) {
      this.#kept = this.#kept.slice(this.#used - this.#keptAt)
      this.#keptAt = this.#used
    }
    if (this.#kept.length > LONGEST_TOKEN) {
      this.#keptAt += this.#kept.length
      this.#kept = ''
    }
  }
}
