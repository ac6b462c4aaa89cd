import { LIMITS } from '../contract/bookmark.ts'
import type { FileItem, ImportedItem, ImportedRecord, ReadBatch, ReadOptions } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'
import { cleanText } from '../core/clean-text.ts'
import { countLineFeeds, joined } from './fields.ts'
import { decodeText, isMozLz4, isZip, mayHoldBookmarks, unpackMozLz4, unzip } from './file-bytes.ts'
import { describeFile, findFormat, unknownFileProblem } from './formats.ts'
import { textOfArticle } from './html.ts'
import { markdownFiles } from './markdown-files.ts'
import { omnivoreHighlights } from './services.ts'

/** Maximum number of items in a batch, and of their text in UTF-16 code units: a few milliseconds' work to save. */
const BATCH = { items: 200, text: 262_144 }

/**
 * Maximum lengths of a record's texts, in UTF-16 code units. They limit the memory of a batch. They are more than is
 * stored, so that a cut is reported.
 */
const MAX_LENGTHS = {
  url: 2 * LIMITS.url,
  title: 16_384,
  description: 16_384,
  content: 2 * LIMITS.content
}
const MAX_TAG_LENGTH = 4096

/** Maximum number of tags of a record. It is more than are stored, so that a cut is reported. */
const MAX_TAGS = 1000

/** Maximum length of the name of an archive's file in a report. */
const MAX_NAME_LENGTH = LIMITS.title

/** Maximum number of file names in the error for an archive without bookmarks. */
const MAX_NAMES = 12

/** Maximum number of bytes of a page's text in an archive. The rest is ignored. */
const MAX_TEXT_BYTES = 4_194_304

/** A text in a file. */
interface TextPart {
  items: Iterable<FileItem>
  /** Its share of the file's bytes. */
  bytes: number
  /** The number of its lines. The line of an item, divided by this number, shows how much of the text was read. */
  lines: number
  encoding: string
  passedOver: number
}

/**
 * Reads a bookmark file as batches of items. Its format is detected by its content. Archives and compressed files are
 * unpacked.
 *
 * @throws Problem `invalid` if the file is of no known format, damaged or too large
 */
export function* readWholeFile(bytes: Uint8Array, options: ReadOptions): Generator<ReadBatch> {
  let batch = emptyBatch()
  let text = 0
  for (const part of partsOf(bytes, options)) {
    // The records of an array are counted before the first is saved, so that the progress is right.
    const isCounted = Array.isArray(part.items)
    let read = isCounted ? part.bytes : 0
    batch.bytes += read
    batch.passedOver += part.passedOver
    if (part.encoding !== 'utf-8') batch.encodings.push(part.encoding)
    if (isCounted) for (const item of part.items) if (isRecord(item)) batch.found += 1
    for (const whole of part.items) {
      const item = isRecord(whole) ? cutTexts(whole) : whole
      batch.items.push(item)
      text += textLength(item)
      if (!isCounted && isRecord(item)) batch.found += 1
      if (batch.items.length < BATCH.items && text < BATCH.text) continue
      if (!isCounted) {
        const share = Math.floor((part.bytes * (item.line ?? 0)) / part.lines)
        batch.bytes += share - read
        read = share
      }
      yield batch
      batch = emptyBatch()
      text = 0
    }
    batch.bytes += part.bytes - read
  }
  yield batch
}

function emptyBatch(): ReadBatch {
  return { items: [], bytes: 0, found: 0, encodings: [], passedOver: 0 }
}

function isRecord(item: FileItem): item is ImportedRecord & { file?: string } {
  return 'url' in item
}

function textLength(item: FileItem): number {
  if ('bytes' in item) return item.bytes.length
  if (!isRecord(item)) return 0
  const { url, title, description, content = '', pageText, tags } = item
  const lengths = [url, title, description, content, pageText?.markdown ?? pageText?.text ?? '', ...tags].map(
    ({ length }) => length
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}

function cutTexts<Item extends ImportedRecord>(item: Item): Item {
  const { tags } = item
  const cut = { ...item, tags: tags.slice(0, MAX_TAGS).map((tag) => tag.slice(0, MAX_TAG_LENGTH)) }
  for (const field of ['url', 'title', 'description', 'content'] as const) {
    const text = item[field]
    if (text !== undefined && text.length > MAX_LENGTHS[field]) cut[field] = text.slice(0, MAX_LENGTHS[field])
  }
  return cut
}

function* partsOf(bytes: Uint8Array, options: ReadOptions): Generator<TextPart> {
  if (isZip(bytes)) yield* partsOfArchive(bytes, options)
  else {
    const { text, encoding } = decodeText(isMozLz4(bytes) ? unpackMozLz4(bytes) : bytes, options.encoding)
    const format = findFormat(text, options.format)
    if (!format) throw unknownFileProblem(`This is not a bookmark file Earmark can read. ${describeFile(text)}`)
    yield { items: format.read(text), bytes: bytes.length, lines: 1 + countLineFeeds(text), encoding, passedOver: 0 }
  }
}

/** Yields the texts of an archive's files that contain bookmarks. A damaged file counts as a rejected record. */
function* partsOfArchive(bytes: Uint8Array, options: ReadOptions): Generator<TextPart> {
  // A wrong option is refused here, not reported for each file.
  decodeText(new Uint8Array(), options.encoding)
  findFormat('', options.format)
  const { names, files } = unzip(bytes)
  const pageTexts = new PageTexts(files)
  const candidates = names.filter((name) => mayHoldBookmarks(name) && files.has(name))
  const share = Math.floor(bytes.length / (candidates.length + 1))
  let passedOver = names.length
  for (const name of candidates) {
    const items: FileItem[] = []
    let encoding = 'utf-8'
    const file = name.slice(0, MAX_NAME_LENGTH)
    try {
      const decoded = decodeText(files.get(name) ?? new Uint8Array(), options.encoding)
      files.delete(name)
      const format = findFormat(decoded.text, options.format)
      // Other Markdown, such as a README, may contain addresses that are no bookmarks.
      if (!format || (name.endsWith('.md') && format !== markdownFiles)) continue
      encoding = decoded.encoding
      for (const item of format.read(decoded.text)) items.push({ ...pageTexts.addTo(item), file })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      items.push({ fault: error.message, url: '', title: '', description: '', tags: [], file })
    }
    passedOver -= 1
    yield { items, bytes: share, lines: 0, encoding, passedOver: 0 }
  }
  if (passedOver === names.length) {
    const listed = names.slice(0, MAX_NAMES).map((name) => cleanText(name, MAX_NAME_LENGTH))
    const description = `Its files: ${listed.join(', ') || 'none'}.`
    throw unknownFileProblem(`This archive contains no bookmark file that Earmark can read. ${description}`)
  }
  const rest = bytes.length - share * (names.length - passedOver)
  yield { items: [], bytes: rest, lines: 0, encoding: 'utf-8', passedOver: passedOver - pageTexts.used }
}

/** The files of an archive that contain the texts and highlights of pages. */
class PageTexts {
  readonly #files: Map<string, Uint8Array>
  used = 0

  constructor(files: Map<string, Uint8Array>) {
    this.#files = files
  }

  /** Returns the item with the texts of the files that it names. */
  addTo(item: ImportedItem): ImportedItem {
    if (!('files' in item) || !item.files) return item
    const { files, ...record } = item
    const { description, highlights } = omnivoreHighlights(this.#read(files.highlights))
    const text = this.#read(files.text)
    return {
      ...record,
      description: joined([record.description, description]),
      highlights,
      pageText: textOfArticle(text)
    }
  }

  #read(name: string): string {
    const bytes = this.#files.get(name)
    if (!bytes) return ''
    this.#files.delete(name)
    this.used += 1
    return new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES))
  }
}
