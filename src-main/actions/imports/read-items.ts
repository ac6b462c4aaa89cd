import { TextDecoder } from 'node:util'
import type { ImportedItem, ImportFormat, RecordReader, Unpacked, Unpacker } from '../../contract/import-format.ts'
import type { Formats } from '../../contract/ports.ts'
import { Problem } from '../../contract/problem.ts'
import { createPauses } from '../pauses.ts'

/** How much of a file's beginning decides its format, in bytes. */
const HEAD = 65_536

/** How much of an unpacked file is read at once, in bytes: a piece may be a thousand times as long as it was packed. */
const SLICE = 65_536

/** An item, and the file in the archive that holds it. */
export type ReadItem = ImportedItem & { file?: string }

/**
 * Everything a bookmark file holds, as it is read. What it is decides its content; archives and compressed files are
 * unpacked on the way.
 *
 * @param chosen the id of a format, where the owner knows better
 * @param onPassedOver told of each file of an archive that holds no bookmarks
 * @throws Problem `invalid` when the file is of no known format
 */
export async function* readItems(
  { formats, containers }: Pick<Formats, 'formats' | 'containers'>,
  bytes: AsyncIterable<Uint8Array>,
  chosen?: string,
  onPassedOver: () => void = () => {}
): AsyncGenerator<ReadItem> {
  const known = chosen === undefined ? formats : formats.filter((format) => format.id === chosen)
  if (known.length === 0) throw new Problem('invalid', `There is no format ${chosen}. ${namesOf(formats)}`)
  const text = new TextFile(known)
  let unpacker: Unpacker | undefined
  const archive = new Archive(known, onPassedOver)
  const pause = createPauses()
  let head: Uint8Array | undefined = new Uint8Array()

  function* begin(first: Uint8Array): Generator<ReadItem | undefined> {
    head = undefined
    unpacker = containers.find((container) => container.recognises(first))?.unpacker()
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
  if (!(unpacker ? archive : text).recognised) throw new Problem('invalid', unpacker ? EMPTY_ARCHIVE : UNKNOWN_FORMAT)
}

/** A text on its way through the format it is of. */
class TextFile {
  readonly #formats: ImportFormat[]
  #head = new Uint8Array()
  #decoder: TextDecoder | undefined
  #reader: RecordReader | undefined

  constructor(formats: ImportFormat[]) {
    this.#formats = formats
  }

  get recognised(): boolean {
    return this.#reader !== undefined
  }

  write(bytes: Uint8Array): ImportedItem[] {
    if (this.#decoder) return this.#reader?.write(this.#decoder.decode(bytes, { stream: true })) ?? []
    this.#head = concatenated(this.#head, bytes)
    return this.#head.length >= HEAD ? this.#begin() : []
  }

  end(): ImportedItem[] {
    const found = this.#decoder ? [] : this.#begin()
    if (!this.#reader) return found
    return [...found, ...this.#reader.write(this.#decoder?.decode() ?? ''), ...this.#reader.end()]
  }

  #begin(): ImportedItem[] {
    const [first, second] = this.#head
    const encoding =
      first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
    this.#decoder = new TextDecoder(encoding) // drops a byte-order mark
    const text = this.#decoder.decode(this.#head, { stream: true })
    this.#head = new Uint8Array()
    const only = this.#formats.length === 1 ? this.#formats[0] : undefined
    this.#reader = (only ?? this.#formats.find((format) => format.recognises(text)))?.reader()
    return this.#reader?.write(text) ?? []
  }
}

/** The files of an archive, one after the other. Those of no known format are passed over. `undefined` ends a slice. */
class Archive {
  readonly #formats: ImportFormat[]
  readonly #onPassedOver: () => void
  #file: { name: string; text: TextFile } | undefined
  recognised = false
  #damaged = false

  constructor(formats: ImportFormat[], onPassedOver: () => void) {
    this.#formats = formats
    this.#onPassedOver = onPassedOver
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
      if (this.recognised) yield { line: 1, fault: DAMAGED, url: '', title: '', description: '', tags: [] }
    }
  }

  *#write({ file, bytes, last }: Unpacked): Generator<ReadItem | undefined> {
    this.#file ??= { name: file, text: new TextFile(this.#formats) }
    for (let at = 0; at < bytes.length; at += SLICE) {
      yield* this.#named(this.#file.text.write(bytes.subarray(at, at + SLICE)))
      yield undefined
    }
    if (last) yield* this.#end()
  }

  *#end(): Generator<ReadItem> {
    if (!this.#file) return
    const { text } = this.#file
    yield* this.#named(text.end())
    this.recognised ||= text.recognised
    if (!text.recognised) this.#onPassedOver()
    this.#file = undefined
  }

  #named(items: ImportedItem[]): ReadItem[] {
    const name = this.#file?.name ?? ''
    return name === '' ? items : items.map((item) => ({ ...item, file: name }))
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

const DAMAGED = 'the archive is damaged or cut off; what follows cannot be read'
const EMPTY_ARCHIVE = 'This archive contains no bookmark file that Earmark can read.'
const UNKNOWN_FORMAT =
  'This is not a bookmark file Earmark can read. Export your bookmarks from the browser as HTML and import that file.'
