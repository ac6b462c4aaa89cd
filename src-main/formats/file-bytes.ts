/** From the bytes of a file to its texts: archives, compression and character encodings. */
import { isAscii as isAsciiOnly } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { type UnzipFileInfo, unzipSync } from 'fflate/browser'
import sniffEncoding from 'html-encoding-sniffer'
import { detectAll } from 'jschardet'
import { Problem } from '../contract/problem.ts'
import { cleanText } from '../core/clean-text.ts'

/** Maximum size of a file's unpacked data, in bytes. A few megabytes can unpack to gigabytes. */
const MAX_UNPACKED = 200_000_000

export interface Archive {
  /** The names of all its files, in order. */
  names: string[]
  /** The bytes of the files that may contain bookmarks, or texts of bookmarks, by their names. */
  files: Map<string, Uint8Array>
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04
}

/**
 * Unpacks the archives that Safari, Pocket, Omnivore and Earmark export. Only files that may contain bookmarks are
 * unpacked, because Safari's archive also has passwords. The texts of Omnivore's pages are unpacked too, up to the
 * maximum size.
 *
 * @throws Problem `invalid` if it is damaged or unpacks to too much
 */
export function unzip(bytes: Uint8Array): Archive {
  try {
    const all: UnzipFileInfo[] = []
    unzipSync(bytes, {
      filter(file) {
        all.push(file)
        return false
      }
    })
    const isOmnivore = all.some(({ name }) => OMNIVORE_METADATA.test(name))
    let size = 0
    for (const { name, originalSize } of all) if (mayHoldBookmarks(name)) size += originalSize
    if (size > MAX_UNPACKED) throw tooLarge()
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (mayHoldBookmarks(name)) return true
        if (!isOmnivore || !OMNIVORE_TEXT.test(name) || size + originalSize > MAX_UNPACKED) return false
        size += originalSize
        return true
      }
    })
    return { names: all.map(({ name }) => name).filter(isFile), files: new Map(Object.entries(files)) }
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('invalid', 'The archive is damaged or cut off.')
  }
}

const OMNIVORE_METADATA = /^metadata_[^/]*\.json$/
const OMNIVORE_TEXT = /^(content\/[^/]+\.html|highlights\/[^/]+\.md)$/

export function mayHoldBookmarks(path: string): boolean {
  if (!isFile(path)) return false
  const parts = path.split('/')
  const name = parts.at(-1)?.toLowerCase() ?? ''
  if (parts.at(-2) === 'content') return false
  if (parts.at(-2) === 'annotations' && name.endsWith('.json')) return true // Pocket's highlights
  if (name.endsWith('.md')) return parts.at(-2) !== 'highlights' // Omnivore's
  return name.endsWith('.html') || name.endsWith('.csv') || /^metadata_.*\.json$/.test(name)
}

/** Whether a path names neither a folder nor a file that macOS adds to every archive. */
function isFile(path: string): boolean {
  const parts = path.split('/')
  return !path.endsWith('/') && !parts.includes('__MACOSX') && !parts.at(-1)?.startsWith('._')
}

/** The first bytes of Firefox's compressed backups: `mozLz40\0`. The size follows as four bytes, then one LZ4 block. */
const MOZ_LZ4 = [0x6d, 0x6f, 0x7a, 0x4c, 0x7a, 0x34, 0x30, 0x00]
const LZ4_HEADER_SIZE = MOZ_LZ4.length + 4

export function isMozLz4(bytes: Uint8Array): boolean {
  return MOZ_LZ4.every((byte, index) => bytes[index] === byte)
}

/**
 * Unpacks a compressed Firefox backup (`.jsonlz4`; LZ4 Block Format Description). A token has the number of literals and
 * the length of a repetition of earlier output. Each length continues in further bytes if it is 15 or more.
 *
 * @throws Problem `invalid` if it is damaged or too large
 */
export function unpackMozLz4(bytes: Uint8Array): Uint8Array {
  const damaged = new Problem('invalid', 'The compressed file is damaged or cut off.')
  if (bytes.length <= LZ4_HEADER_SIZE) throw damaged
  const size = declaredSize(bytes)
  if (size > MAX_UNPACKED) throw tooLarge()
  const output = new Uint8Array(size)
  let read = LZ4_HEADER_SIZE
  let written = 0

  function readLength(initial: number): number {
    let length = initial
    for (let byte = initial === 15 ? 255 : 0; byte === 255; read += 1) {
      byte = bytes[read] ?? 0
      length += byte
    }
    return length
  }

  while (read < bytes.length) {
    const token = bytes[read++] ?? 0
    const literals = readLength(token >> 4)
    if (read + literals > bytes.length || written + literals > size) throw damaged
    output.set(bytes.subarray(read, read + literals), written)
    read += literals
    written += literals
    if (read === bytes.length) break // a block ends with literals
    const offset = (bytes[read] ?? 0) | ((bytes[read + 1] ?? 0) << 8)
    read += 2
    const end = written + readLength(token & 15) + 4
    if (offset === 0 || offset > written || end > size) throw damaged
    // A repetition may overlap with its own output.
    for (; written < end; written += 1) output[written] = output[written - offset] ?? 0
  }
  if (written !== size) throw damaged
  return output
}

/** Returns the size of a small file's texts in bytes, which an archive and a compressed file declare. */
export function textSize(bytes: Uint8Array): number {
  if (isMozLz4(bytes)) return declaredSize(bytes)
  if (!isZip(bytes)) return bytes.length
  let size = 0
  const filter = ({ originalSize }: UnzipFileInfo) => {
    size += originalSize
    return false
  }
  try {
    unzipSync(bytes, { filter })
    return size
  } catch {
    return 0 // a damaged archive is refused at once
  }
}

function declaredSize(mozLz4: Uint8Array): number {
  if (mozLz4.length < LZ4_HEADER_SIZE) return 0
  return new DataView(mozLz4.buffer, mozLz4.byteOffset).getUint32(MOZ_LZ4.length, true)
}

function tooLarge(): Problem {
  return new Problem('invalid', 'This file unpacks to more than 200 MB.')
}

/** Number of bytes that decide the encoding, from the first byte beyond ASCII. */
const SAMPLE_SIZE = 65_536

/** Number of bytes at the beginning in which a file may declare its encoding. */
const PRESCAN_SIZE = 4096

/**
 * Decodes a text. The encoding is the first that applies: that of its byte order mark, UTF-8 if it is valid, the
 * declared encoding, or the likeliest by the letters.
 *
 * @param chosen the name of its encoding, if the owner chose one
 * @returns the encoding's name in the WHATWG's standard, such as `windows-1251`; `utf-8` if the text is ASCII
 * @throws Problem `invalid` if there is no such encoding
 */
export function decodeText(bytes: Uint8Array, chosen?: string): { text: string; encoding: string } {
  const name = chosen === undefined ? detectEncoding(bytes) : supported(chosen)
  if (name === undefined) {
    throw new Problem('invalid', `There is no encoding ${cleanText(chosen ?? '', 40)}. ${EXAMPLES}`)
  }
  const decoder = new TextDecoder(name)
  return { text: decoder.decode(bytes), encoding: decoder.encoding }
}

const EXAMPLES =
  'Use a name of the WHATWG Encoding Standard, such as windows-1251, iso-8859-2, shift_jis, gbk or utf-16le.'

function detectEncoding(file: Uint8Array): string {
  const first = firstBeyondAscii(file)
  if (first === undefined) return 'utf-8'
  const declared = declaredIn(file)
  const bytes = first < PRESCAN_SIZE ? file.subarray(0, SAMPLE_SIZE) : file.subarray(first - 256, first + SAMPLE_SIZE)
  const marked = first < PRESCAN_SIZE ? markedIn(bytes) : undefined
  if (marked !== undefined) return marked
  // ISO-2022-JP writes Japanese text as ASCII characters between escapes.
  if (isAsciiOnly(bytes) && latin1(bytes).includes('\u001b$')) return 'iso-2022-jp'
  // Two characters of GB2312 can be UTF-8 by chance.
  if (isUtf8(bytes, declared === undefined || declared === 'UTF-8' ? 0 : MIN_CHARACTERS)) return 'utf-8'
  for (const name of [declared, likeliest(bytes)]) {
    const encoding = name === undefined || /^utf-?8$/i.test(name) ? undefined : supported(name)
    if (encoding !== undefined) return encoding
  }
  return 'windows-1252'
}

/**
 * Returns the offset of the first byte beyond ASCII. Escapes and zero bytes count too, because ISO-2022 switches
 * between character sets with escapes, and UTF-16 has zero bytes.
 */
function firstBeyondAscii(file: Uint8Array): number | undefined {
  for (let start = 0; start < file.length; start += SAMPLE_SIZE) {
    const part = file.subarray(start, start + SAMPLE_SIZE)
    if (isAsciiOnly(part) && !part.includes(0) && !part.includes(0x1b)) continue
    return start + part.findIndex((byte) => byte > 0x7f || byte === 0 || byte === 0x1b)
  }
  return undefined
}

/** Detects an encoding by its byte order mark. UTF-16 without one has a zero byte for each letter of markup. */
function markedIn(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  const zeros = [0, 0]
  const sample = bytes.subarray(0, PRESCAN_SIZE)
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 5 && even === 0) return 'utf-16le'
  if (even > sample.length / 5 && odd === 0) return 'utf-16be'
  return undefined
}

/** Minimum number of characters beyond ASCII for which valid UTF-8 counts more than a declared encoding. */
const MIN_CHARACTERS = 3

/**
 * Whether bytes are UTF-8. A few damaged characters among many intact ones are allowed, and the last character may be
 * cut off.
 *
 * @param minCharacters required number of characters beyond ASCII
 */
function isUtf8(bytes: Uint8Array, minCharacters: number): boolean {
  const text = new TextDecoder().decode(bytes, { stream: true })
  // A file may contain U+FFFD itself, because another program could not read some characters.
  const damaged = text.split('\ufffd').length - latin1(bytes).split('\xef\xbf\xbd').length
  const intact = text.replace(/[\0-\x7f]/g, '').length - damaged
  return intact >= minCharacters && (damaged === 0 || intact > 10 * damaged)
}

/**
 * Returns the encoding that an HTML or XML file declares. Other files declare none: a page in a cell of a table, or in a
 * string of JSON, declares only its own.
 */
function declaredIn(bytes: Uint8Array): string | undefined {
  const begin = latin1(bytes.subarray(0, 256)).trimStart()
  if (!begin.startsWith('<')) return undefined
  const options = begin.startsWith('<?xml') ? { xml: true } : { maxPrescanBytes: PRESCAN_SIZE }
  const name = sniffEncoding(bytes.slice(0, PRESCAN_SIZE), { ...options, defaultEncoding: 'none' })
  return name === 'none' ? undefined : name
}

/** Number of bytes whose letters are counted, from shortly before the first byte beyond ASCII. */
const DETECTED_SIZE = 16_384

/** Encodings in which bookmark files were written, for languages with the Latin alphabet and with others. */
const LATIN = /^(windows-125[02478]|iso-8859-(1|2|4|9|10|13|15|16))$/i
const OTHERS = /^(shift_jis|euc-jp|gb18030|gbk|big5|euc-kr|tis-620|windows-(874|125[1356])|koi8-[ru]|iso-8859-[5678])$/i

/** Names that the detector uses and the WHATWG's standard does not list. */
const LABELS: Record<string, string> = { CP874: 'windows-874' }

/** Guesses the encoding of a text that is not UTF-8. In the right encoding, its bytes are letters of one language. */
function likeliest(bytes: Uint8Array): string {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 256)
  const sample = Buffer.from(bytes.subarray(from, from + DETECTED_SIZE))
  const names = detectAll(sample, { minimumThreshold: 0 }).map(
    ({ encoding }) => LABELS[encoding ?? ''] ?? encoding ?? ''
  )
  const first = names.find((name) => LATIN.test(name) || OTHERS.test(name))
  if (first === undefined) return 'windows-1252'
  // A word of Cyrillic, Greek or Hebrew contains no ASCII letters.
  const words = latin1(bytes)
    .split(/[^A-Za-z\x80-\xff]+/)
    .filter((word) => /[\x80-\xff]/.test(word))
  const mixed = words.filter((word) => /[A-Za-z]/.test(word))
  const isLatin = /^(windows|koi8|iso)/i.test(first) && mixed.length * 2 > words.length
  const name = isLatin ? names.find((candidate) => LATIN.test(candidate)) : first
  return name === undefined || isSame(bytes, name) ? 'windows-1252' : name
}

/** Whether an encoding gives the same text as windows-1252, the usual encoding of Western Europe. */
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

/** Returns a character for each byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
