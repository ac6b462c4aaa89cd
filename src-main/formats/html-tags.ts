import { Tokenizer } from 'htmlparser2'

/** What an HTML text consists of, in order, without any idea of how its tags nest. Names are in lower case. */
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
  /** The text from `keptAt` on, which a token under way may still begin in. */
  let kept = ''
  let keptAt = 0
  let used = 0
  let name = ''
  let attributes: Record<string, string> = {}
  let attribute = ''
  let value = ''

  function slice(start: number, end: number): string {
    used = end
    return start < keptAt ? '' : kept.slice(start - keptAt, end - keptAt)
  }

  function addToValue(text: string): void {
    if (value.length < LONGEST_ATTRIBUTE) value += text
  }

  const opened = (end: number) => {
    used = end
    tags.open(name, attributes)
    attributes = {}
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = slice(start, end).toLowerCase()
      },
      onattribname(start, end) {
        attribute = slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata(start, end) {
        addToValue(slice(start, end))
      },
      onattribentity(codepoint) {
        addToValue(String.fromCodePoint(codepoint))
      },
      onattribend() {
        if (!wanted.includes(attribute) || Object.hasOwn(attributes, attribute)) return // HTML: the first one counts
        attributes[attribute] = value
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => tags.close(slice(start, end).trim().toLowerCase()),
      ontext: (start, end) => tags.text(slice(start, end)),
      ontextentity(codepoint, end) {
        used = end
        tags.text(String.fromCodePoint(codepoint))
      },
      oncdata: (_, end) => skip(end),
      oncomment: (_, end) => skip(end),
      ondeclaration: (_, end) => skip(end),
      onprocessinginstruction: (_, end) => skip(end),
      onend() {}
    }
  )

  function skip(end: number): void {
    used = end
  }

  return {
    write(text) {
      kept += text
      tokenizer.write(text)
      if (used > keptAt) {
        kept = kept.slice(used - keptAt)
        keptAt = used
      }
      if (kept.length > LONGEST_TOKEN) {
        keptAt += kept.length
        kept = ''
      }
    },
    end: () => tokenizer.end()
  }
}
