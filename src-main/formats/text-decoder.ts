import { isAscii as isAsciiOnly } from 'node:buffer'
import { TextDecoder } from 'node:util'
import sniffEncoding from 'html-encoding-sniffer'
import { detectAll } from 'jschardet'
import type { FileDecoder } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'
import { cleanText } from '../core/clean-text.ts'

/** Bytes that decide, from the first one beyond ASCII on. */
const SAMPLE = 65_536

/** Bytes at the beginning in which a file may declare its encoding. */
const PRESCAN = 4096

/**
 * Decodes a file as its byte order mark says; as UTF-8 if it can be that; as it declares; or as its letters make most
 * likely. A file that begins with ASCII alone decides with its first other bytes.
 *
 * @param encoding its name, if the owner knows better
 * @throws Problem `invalid` if there is no such encoding
 */
export function createFileDecoder(encoding?: string): FileDecoder {
  const chosen = encoding === undefined ? undefined : supported(encoding)
  if (encoding !== undefined && chosen === undefined) {
    throw new Problem('invalid', `There is no encoding ${cleanText(encoding, 40)}. ${EXAMPLES}`)
  }
  let decoder = chosen === undefined ? undefined : new TextDecoder(chosen)
  let declared: string | undefined
  /** Bytes that were read and are not decoded yet. */
  let waiting: Uint8Array<ArrayBuffer> = new Uint8Array()
  let isFirst = true

  function decide(): string {
    decoder = new TextDecoder(encodingOf(waiting, declared, isFirst))
    const text = decoder.decode(waiting, { stream: true })
    waiting = new Uint8Array()
    return text
  }

  return {
    get encoding() {
      return decoder?.encoding ?? 'utf-8'
    },
    write(bytes) {
      if (decoder) return decoder.decode(bytes, { stream: true })
      waiting = concatenated(waiting, bytes)
      if (isFirst && waiting.length < PRESCAN) return ''
      if (isFirst) declared = declaredIn(waiting)
      if (isAscii(waiting)) {
        isFirst = false
        const text = latin1(waiting)
        waiting = new Uint8Array()
        return text
      }
      return waiting.length < SAMPLE ? '' : decide()
    },
    end() {
      if (isFirst) declared ??= declaredIn(waiting)
      const text = decoder ? '' : decide()
      return text + (decoder?.decode() ?? '')
    }
  }
}

const EXAMPLES =
  'Use a name of the WHATWG Encoding Standard, such as windows-1251, iso-8859-2, shift_jis, gbk or utf-16le.'

function encodingOf(bytes: Uint8Array<ArrayBuffer>, declared: string | undefined, isFirst: boolean): string {
  const marked = isFirst ? markedIn(bytes) : undefined
  if (marked !== undefined) return marked
  // It is ASCII throughout: Japanese stands between escapes.
  if (isAsciiOnly(bytes) && latin1(bytes).includes('\u001b$')) return 'iso-2022-jp'
  // Two characters of GB2312 can be UTF-8 by chance.
  if (isUtf8(bytes, declared === undefined || declared === 'UTF-8' ? 0 : FEW)) return 'utf-8'
  for (const name of [declared, likeliest(bytes)]) {
    const known = name === undefined || /^utf-?8$/i.test(name) ? undefined : supported(name)
    if (known !== undefined) return known
  }
  return 'windows-1252'
}

/** UTF-16 is known by its mark, or by a zero byte in nearly every second place, as letters of English and markup have. */
function markedIn(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  const zeros = [0, 0]
  const sample = bytes.subarray(0, PRESCAN)
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 5 && even === 0) return 'utf-16le'
  if (even > sample.length / 5 && odd === 0) return 'utf-16be'
  return undefined
}

/** So few characters prove nothing against what a file declares. */
const FEW = 3

/**
 * A few damaged characters among many whole ones make no other encoding of it; the last may be cut off.
 *
 * @param least characters beyond ASCII that it takes
 */
function isUtf8(bytes: Uint8Array, least: number): boolean {
  const text = new TextDecoder().decode(bytes, { stream: true })
  // A file may hold U+FFFD itself: what another program could not read.
  const damaged = text.split('\ufffd').length - latin1(bytes).split('\xef\xbf\xbd').length
  const whole = text.replace(/[\0-\x7f]/g, '').length - damaged
  return whole >= least && (damaged === 0 || whole > 10 * damaged)
}

/**
 * Returns the encoding that an HTML or XML file declares. Other files declare none: a page in a cell of a table, or in a
 * string of JSON, declares its own only.
 */
function declaredIn(bytes: Uint8Array): string | undefined {
  const begin = latin1(bytes.subarray(0, 256)).trimStart()
  if (!begin.startsWith('<')) return undefined
  const options = begin.startsWith('<?xml') ? { xml: true } : { maxPrescanBytes: PRESCAN }
  const found = sniffEncoding(bytes, { ...options, defaultEncoding: 'none' })
  return found === 'none' ? undefined : found
}

/** Bytes whose letters are counted, some before the first that is not ASCII. */
const DETECTED = 16_384

/** Encodings that bookmark files have been written in, for languages with the Latin alphabet and with others. */
const LATIN = /^(windows-125[02478]|iso-8859-(1|2|4|9|10|13|15|16))$/i
const OTHERS = /^(shift_jis|euc-jp|gb18030|gbk|big5|euc-kr|tis-620|windows-(874|125[1356])|koi8-[ru]|iso-8859-[5678])$/i

/** Names that the detector uses and the WHATWG's standard does not list. */
const LABELS: Record<string, string> = { CP874: 'windows-874' }

/** The likeliest encoding of a text that is not UTF-8, by the letters of its languages. */
function likeliest(bytes: Uint8Array): string {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 256)
  const sample = Buffer.from(bytes.subarray(from, from + DETECTED))
  const found = detectAll(sample, { minimumThreshold: 0 }).map(
    ({ encoding }) => LABELS[encoding ?? ''] ?? encoding ?? ''
  )
  const first = found.find((name) => LATIN.test(name) || OTHERS.test(name))
  if (first === undefined) return 'windows-1252'
  // A word of Cyrillic, Greek or Hebrew has no letters of ASCII in it.
  const words = latin1(bytes)
    .split(/[^A-Za-z\x80-\xff]+/)
    .filter((word) => /[\x80-\xff]/.test(word))
  const mixed = words.filter((word) => /[A-Za-z]/.test(word))
  const isLatin = /^(windows|koi8|iso)/i.test(first) && mixed.length * 2 > words.length
  const name = isLatin ? found.find((one) => LATIN.test(one)) : first
  return name === undefined || isSame(bytes, name) ? 'windows-1252' : name
}

/** Whether an encoding makes no other text of it than the usual one of Western Europe. */
function isSame(bytes: Uint8Array, name: string): boolean {
  return new TextDecoder(name).decode(bytes) === new TextDecoder('windows-1252').decode(bytes)
}

function supported(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

function isAscii(bytes: Uint8Array): boolean {
  // ISO-2022 changes between sets of characters with escapes; UTF-16 has zero bytes.
  return isAsciiOnly(bytes) && !bytes.includes(0) && !bytes.includes(0x1b)
}

/** Returns a character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
