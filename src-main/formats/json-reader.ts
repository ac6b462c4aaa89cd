/** The parts of a JSON text, in order (RFC 8259). `key` is the member's name; absent in an array and at the top. */
export interface JsonEvents {
  open(kind: 'object' | 'array', key: string | undefined): void
  value(value: JsonValue, key: string | undefined): void
  close(): void
}

export type JsonValue = string | number | boolean | null

/** Longest string that is kept, in UTF-16 code units as written: more than any text that is stored, escapes and all. */
const LONGEST_STRING = 1_048_576

/** A number or a literal longer than this is none. */
const LONGEST_WORD = 1024

/** Nesting that nobody wrote as bookmarks. Each level is held as one bit: all of them are 8 MB. */
const DEEPEST = 67_108_864

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

/**
 * Reads JSON piece by piece, however deep it nests, and holds one string at most, of a bounded length.
 *
 * Its own because no package holds all three: stream-json drops the records before an error in the same piece and takes
 * 11 bytes a level; the tokenizer of @streamparser/json holds a string whole and does not check nesting.
 *
 * Its methods throw SyntaxError where the text is no JSON; nothing can be read behind that.
 */
export class JsonReader {
  readonly #events: JsonEvents
  /** `true` for an array, the outermost first. */
  readonly #open = new BitStack()
  #expected: Expected = 'value'
  #key: string | undefined
  /** The string or word under way, as written. */
  #begun = ''
  #within: 'string' | 'word' | undefined
  #escaped = false
  #cut = false

  constructor(events: JsonEvents) {
    this.#events = events
  }

  write(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.#within === 'string') at = this.#readString(text, at)
      else if (this.#within === 'word') at = this.#readWord(text, at)
      else at = this.#readSign(text, at)
    }
  }

  end(): void {
    if (this.#within === 'word') this.#endWord()
    if (this.#within || this.#expected !== 'nothing') throw new SyntaxError('The text ends too early.')
  }

  #readSign(text: string, at: number): number {
    const sign = text[at] as string
    switch (sign) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        break
      case '{':
      case '[':
        this.#begin(sign === '[')
        break
      case '}':
      case ']':
        this.#end(sign === ']')
        break
      case ':':
        if (this.#expected !== ':') throw unexpected(sign)
        this.#expected = 'value'
        break
      case ',':
        if (this.#expected !== ', or end') throw unexpected(sign)
        this.#expected = this.#open.last ? 'value' : 'key'
        break
      case '"':
        this.#within = 'string'
        this.#begun = ''
        this.#cut = false
        break
      default:
        this.#within = 'word'
        this.#begun = ''
        return at
    }
    return at + 1
  }

  #readString(text: string, from: number): number {
    let at = from
    for (; at < text.length; at += 1) {
      if (this.#escaped) {
        this.#escaped = false
        continue
      }
      const sign = text.charCodeAt(at)
      if (sign === QUOTE) break
      if (sign === BACKSLASH) this.#escaped = true
    }
    if (this.#begun.length < LONGEST_STRING) this.#begun += text.slice(from, at)
    else this.#cut ||= at > from
    if (at === text.length) return at
    this.#within = undefined
    const string = decoded(this.#begun, this.#cut)
    if (this.#expected === 'key' || this.#expected === 'key or }') {
      this.#key = string
      this.#expected = ':'
    } else this.#value(string)
    return at + 1
  }

  #readWord(text: string, from: number): number {
    let at = from
    while (at < text.length && !ENDS_WORD.includes(text[at] as string)) at += 1
    this.#begun += text.slice(from, at)
    if (this.#begun.length > LONGEST_WORD) throw new SyntaxError('A word without end.')
    if (at < text.length) this.#endWord()
    return at
  }

  #endWord(): void {
    this.#within = undefined
    this.#value(JSON.parse(this.#begun) as JsonValue)
  }

  #value(value: JsonValue): void {
    this.#expectValue()
    this.#events.value(value, this.#takeKey())
    this.#valueEnded()
  }

  #begin(array: boolean): void {
    this.#expectValue()
    if (this.#open.length === DEEPEST) throw new SyntaxError('It nests without end.')
    this.#events.open(array ? 'array' : 'object', this.#takeKey())
    this.#open.push(array)
    this.#expected = array ? 'value or ]' : 'key or }'
  }

  #end(array: boolean): void {
    const empty = this.#expected === (array ? 'value or ]' : 'key or }')
    if (this.#open.last !== array || (!empty && this.#expected !== ', or end')) throw unexpected(array ? ']' : '}')
    this.#open.pop()
    this.#events.close()
    this.#valueEnded()
  }

  #expectValue(): void {
    if (this.#expected !== 'value' && this.#expected !== 'value or ]') throw unexpected('a value')
  }

  #valueEnded(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : ', or end'
  }

  #takeKey(): string | undefined {
    const key = this.#key
    this.#key = undefined
    return key
  }
}

/** Yes or no, one above the other, a bit each. */
class BitStack {
  length = 0
  #bits = new Uint8Array(128)

  get last(): boolean | undefined {
    if (this.length === 0) return undefined
    const at = this.length - 1
    return (((this.#bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1
  }

  push(bit: boolean): void {
    const at = this.length >> 3
    if (at === this.#bits.length) {
      const more = new Uint8Array(at * 2)
      more.set(this.#bits)
      this.#bits = more
    }
    const mask = 1 << (this.length & 7)
    const byte = this.#bits[at] ?? 0
    this.#bits[at] = bit ? byte | mask : byte & ~mask
    this.length += 1
  }

  pop(): void {
    this.length -= 1
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ENDS_WORD = ' \n\r\t,:{}[]"'

/** A string that was cut may end within an escape, of six characters at most. */
function decoded(written: string, cut: boolean): string {
  if (!written.includes('\\')) return written
  for (let less = 0; cut && less < 6; less += 1) {
    try {
      return JSON.parse(`"${written.slice(0, written.length - less)}"`) as string
    } catch {
      // One character less.
    }
  }
  return JSON.parse(`"${written}"`) as string
}

function unexpected(sign: string): SyntaxError {
  return new SyntaxError(`Unexpected ${sign}.`)
}
