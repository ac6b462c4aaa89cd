import { LIMITS } from '../../contract/bookmark.ts'
import type {
  FileDecoder,
  ImportedItem,
  ImportedRecord,
  ImportFormat,
  RecordReader,
  Unpacked,
  Unpacker
} from '../../contract/import-format.ts'
import type { Formats } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { cleanText } from '../../core/clean-text.ts'
import { createPauses } from '../long-work.ts'
import { describeFile } from './describe-file.ts'

/** How much of a file's beginning decides its format, in bytes. */
const HEAD = 65_536

/** How much of an unpacked file is read at once, in bytes: a piece may be a thousand times as long as it was packed. */
const SLICE = 65_536

/** An item, and the file in the archive that holds it. */
export type ReadItem = ImportedItem & { file?: string }

/** Most bytes of a page's text in an archive that are read. */
const MAX_TEXT_BYTES = 4_194_304

interface ReadOptions {
  /** The id of a format, if the owner knows better. */
  format?: string | undefined
  /** The name of the encoding of its texts, if the owner knows better. */
  encoding?: string | undefined
  /** Called for each file of an archive that holds no bookmarks. */
  onPassedOver?(): void
  /** Called with the number of records that were read; they are given one by one. */
  onFound?(records: number): void
  /** Called with the encoding of each file that is not UTF-8. */
  onEncoding?(encoding: string): void
  /** How much of an archive is read, in bytes once unpacked. */
  maxUnpacked?: number
}

type FileFormats = Omit<Formats, 'exportFormats'>

/**
 * Everything a bookmark file holds, as it is read. Its content decides what it is; archives and compressed files are
 * unpacked on the way.
 *
 * @throws Problem `invalid` when the file is of no known format
 */
export async function* readItems(
  known: FileFormats,
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {}
): AsyncGenerator<ReadItem> {
  const chosen = options.format
  const formats = chosen === undefined ? known.formats : known.formats.filter((format) => format.id === chosen)
  if (formats.length === 0) throw new Problem('invalid', `There is no format ${chosen}. ${namesOf(known.formats)}`)
  const text = new TextFile({ ...known, formats }, options)
  let unpacker: Unpacker | undefined
  const archive = new Archive({ ...known, formats }, options)
  const pause = createPauses()
  let head: Uint8Array | undefined = new Uint8Array()

  function* begin(first: Uint8Array): Generator<ReadItem | undefined> {
    head = undefined
    unpacker = known.containers.find((container) => container.recognises(first))?.unpacker()
    yield* write(first)
  }

  function* write(piece: Uint8Array): Generator<ReadItem | undefined> {
    if (unpacker) yield* archive.read(() => unpacker?.write(piece) ?? [])
    else yield* text.write(piece)
  }

  async function* pausing(items: Iterable<ReadItem | undefined>): AsyncGenerator<ReadItem> {
    for (const item of items) {
      if (item) yield item
      await pause()
    }
  }

  for await (const piece of bytes) {
    if (head) {
      head = concatenated(head, piece)
      if (head.length >= HEAD) yield* pausing(begin(head))
    } else yield* pausing(write(piece))
  }
  if (head) yield* pausing(begin(head))
  yield* pausing(unpacker ? archive.read(() => unpacker?.end() ?? [], true) : text.end())
  if ((unpacker ? archive : text).recognised) return
  const seen = unpacker
    ? `${EMPTY_ARCHIVE} Its files: ${archive.names.join(', ') || 'none'}.`
    : `${UNKNOWN_FORMAT} ${text.description}`
  const others = 'the ZIP archives of Safari, Pocket and Omnivore, and Firefox’s .jsonlz4 and places.sqlite'
  throw new Problem('invalid', `${seen} Earmark reads: ${formats.map(({ name }) => name).join(', ')}, ${others}.`)
}

/** A text on its way through the format it is of. */
class TextFile {
  readonly #formats: ImportFormat[]
  readonly #decoder: FileDecoder
  readonly #options: ReadOptions
  #head: string | undefined = ''
  #reader: RecordReader | undefined
  /** A sentence that describes the file for the error, if it is of no known format. */
  description = ''

  constructor({ formats, texts }: FileFormats, options: ReadOptions) {
    this.#formats = formats
    this.#decoder = texts.createDecoder(options.encoding)
    this.#options = options
  }

  get recognised(): boolean {
    return this.#reader !== undefined
  }

  write(bytes: Uint8Array): ImportedItem[] {
    return this.#counted(this.#read(this.#decoder.write(bytes)))
  }

  end(): ImportedItem[] {
    const found = this.#read(this.#decoder.end())
    if (this.#head !== undefined) found.push(...this.#begin(this.#head))
    if (!this.#reader) return []
    if (this.#decoder.encoding !== 'utf-8') this.#options.onEncoding?.(this.#decoder.encoding)
    return this.#counted([...found, ...this.#reader.end()])
  }

  #read(text: string): ImportedItem[] {
    if (this.#head === undefined) return this.#reader?.write(text) ?? []
    this.#head += text
    return this.#head.length >= HEAD ? this.#begin(this.#head) : []
  }

  #begin(head: string): ImportedItem[] {
    this.#head = undefined
    const only = this.#formats.length === 1 ? this.#formats[0] : undefined
    this.#reader = (only ?? this.#formats.find((format) => format.recognises(head)))?.reader()
    if (!this.#reader) this.description = describeFile(head)
    return this.#reader?.write(head) ?? []
  }

  #counted(items: ImportedItem[]): ImportedItem[] {
    if (items.length > 0) this.#options.onFound?.(items.filter((item) => 'url' in item).length)
    return items
  }
}

/** A record whose text or highlights are in files that follow in the archive. */
interface Waiting {
  record: ReadItem & ImportedRecord
}

/** Records that wait for their files; Omnivore writes the files of twenty after them. */
const MAX_WAITING = 10_000

/**
 * How much of an archive is read, in bytes once unpacked. Formats that read a whole folder, or a whole file, hold what they
 * read in memory; a few megabytes can unpack to gigabytes.
 */
const MAX_UNPACKED = 500_000_000

/** Names of files in an archive that are listed if none is known. */
const MAX_NAMES = 12

/** The files of an archive, one after the other. Those of no known format are passed over. `undefined` ends a slice. */
class Archive {
  readonly #known: FileFormats
  readonly #options: ReadOptions
  #file: { name: string; text: TextFile } | { name: string; parts: Uint8Array[]; length: number } | undefined
  /** By the names of their files. */
  readonly #waiting = new Map<string, Waiting>()
  /** The one whose text came last: highlights follow the text of their page. */
  #last: Waiting | undefined
  /** The first files. */
  readonly names: string[] = []
  recognised = false
  #damaged = false
  #unpacked = 0

  constructor(known: FileFormats, options: ReadOptions) {
    this.#known = known
    this.#options = options
  }

  *read(unpack: () => Iterable<Unpacked>, last = false): Generator<ReadItem | undefined> {
    if (this.#damaged) return
    try {
      for (const piece of unpack()) yield* this.#write(piece)
      if (last) yield* this.#end()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#damaged = true
      yield* this.#end()
      const fault = error.code === 'too-large' ? error.message : DAMAGED
      if (this.recognised) yield { line: 1, fault, url: '', title: '', description: '', tags: [] }
    }
    if (last || this.#damaged) for (const waiting of new Set(this.#waiting.values())) yield this.#release(waiting)
  }

  *#write({ file, bytes, last }: Unpacked): Generator<ReadItem | undefined> {
    this.#unpacked += bytes.length
    if (this.#unpacked > (this.#options.maxUnpacked ?? MAX_UNPACKED)) throw new Problem('too-large', TOO_LARGE)
    if (!this.#file && this.names.length < MAX_NAMES) this.names.push(cleanText(file, LIMITS.title))
    this.#file ??= this.#waiting.has(file)
      ? { name: file, parts: [], length: 0 }
      : { name: file, text: new TextFile(this.#known, this.#options) }
    for (let at = 0; at < bytes.length; at += SLICE) {
      const slice = bytes.subarray(at, at + SLICE)
      if ('text' in this.#file) yield* this.#named(this.#file.text.write(slice))
      else if (this.#file.length < MAX_TEXT_BYTES) {
        this.#file.parts.push(slice)
        this.#file.length += slice.length
      }
      yield undefined
    }
    if (last) yield* this.#end()
  }

  *#end(): Generator<ReadItem> {
    const file = this.#file
    this.#file = undefined
    if (!file) return
    if ('parts' in file) {
      yield* this.#addText(file.name, new TextDecoder().decode(Buffer.concat(file.parts)))
      return
    }
    this.#file = file
    yield* this.#named(file.text.end())
    this.recognised ||= file.text.recognised
    if (!file.text.recognised) this.#options.onPassedOver?.()
    this.#file = undefined
  }

  /** Adds a file's text to its record. */
  *#addText(name: string, text: string): Generator<ReadItem> {
    const waiting = this.#waiting.get(name)
    if (!waiting) return
    const { record } = waiting
    if (name === record.files?.text) {
      if (this.#last) yield this.#release(this.#last)
      waiting.record = { ...record, pageText: this.#known.texts.ofHtml(text) }
      this.#last = waiting
    } else {
      const description = [record.description, text].filter(Boolean).join('\n\n')
      waiting.record = { ...record, description }
    }
  }

  #release({ record: { files, ...record } }: Waiting): ReadItem {
    if (files) for (const name of Object.values(files)) this.#waiting.delete(name)
    return record
  }

  /** Returns the items with their file's name; those that wait for others are kept. */
  #named(items: ImportedItem[]): ReadItem[] {
    const name = this.#file?.name ?? ''
    return items
      .map((item): ReadItem => (name === '' ? item : { ...item, file: name }))
      .filter((item) => {
        if (!('files' in item) || !item.files || this.#waiting.has(item.files.text)) return true
        if (this.#waiting.size >= 2 * MAX_WAITING) return true
        const waiting = { record: item }
        for (const file of Object.values(item.files)) this.#waiting.set(file, waiting)
        return false
      })
  }
}

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

function namesOf(formats: ImportFormat[]): string {
  return `Valid formats: ${formats.map(({ id }) => id).join(', ')}.`
}

const TOO_LARGE = 'the archive unpacks to more than 500 MB: only its beginning was imported'

const DAMAGED = 'the archive is damaged or cut off; what follows cannot be read'
const EMPTY_ARCHIVE = 'This archive contains no bookmark file that Earmark can read.'
const UNKNOWN_FORMAT = 'This is not a bookmark file Earmark can read.'
