import { Tokenizer } from 'htmlparser2'

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
