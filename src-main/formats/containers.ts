import { type AsyncFlateStreamHandler, Unzip, type UnzipDecoder, UnzipInflate } from 'fflate/browser'
import type { Container, Unpacked, Unpacker } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'

/** Inflates to a megabyte at most (1032 times its size, RFC 1951), so that no step takes long. */
const STEP = 1024

/**
 * The archives that Safari, Pocket and Omnivore export. Only what may hold bookmarks is unpacked, and the texts that
 * follow Omnivore's: Safari's also has passwords. Of the others only the name is told.
 */
export const zip: Container = {
  name: 'ZIP archive',
  recognises: (head) => head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03 && head[3] === 0x04,
  unpacker() {
    let unpacked: Unpacked[] = []
    let isOmnivore = false

    /** Whether a file is unpacked. */
    const isWanted = (path: string) => mayHoldBookmarks(path) || (isOmnivore && OMNIVORE_TEXT.test(path))

    /** Inflates what is wanted and drops all other bytes as they come. */
    class WantedInflate implements UnzipDecoder {
      static readonly compression = 8
      readonly #inflate: UnzipInflate | undefined

      constructor(name: string) {
        if (isWanted(name)) this.#inflate = new UnzipInflate()
      }

      set ondata(handler: AsyncFlateStreamHandler) {
        if (this.#inflate) this.#inflate.ondata = handler
      }

      push(bytes: Uint8Array, last: boolean): void {
        this.#inflate?.push(bytes, last)
      }
    }

    const archive = new Unzip((file) => {
      isOmnivore ||= OMNIVORE_METADATA.test(file.name)
      const wanted = isWanted(file.name)
      if (!wanted && isFile(file.name)) unpacked.push({ file: file.name, bytes: new Uint8Array(), last: true })
      file.ondata = (error, bytes, last) => {
        if (!wanted) return
        if (error) throw error
        unpacked.push({ file: file.name, bytes, last })
      }
      file.start() // whatever is not started is kept in memory until the next file
    })
    archive.register(WantedInflate)

    function* push(bytes: Uint8Array, last: boolean): Generator<Unpacked> {
      let damaged = false
      try {
        archive.push(bytes, last)
      } catch {
        damaged = true
      }
      yield* unpacked
      unpacked = []
      if (damaged) throw new Problem('invalid', 'The archive is damaged.')
    }

    return {
      *write(bytes) {
        // A copy, because a part of a step may be kept until the next.
        for (let at = 0; at < bytes.length; at += STEP) yield* push(bytes.slice(at, at + STEP), false)
      },
      *end() {
        yield* push(new Uint8Array(), true)
      }
    }
  }
}

const OMNIVORE_METADATA = /^metadata_[^/]*\.json$/
const OMNIVORE_TEXT = /^(content\/[^/]+\.html|highlights\/[^/]+\.md)$/

function mayHoldBookmarks(path: string): boolean {
  if (!isFile(path)) return false
  const parts = path.split('/')
  const name = parts.at(-1)?.toLowerCase() ?? ''
  if (parts.at(-2) === 'content') return false
  if (parts.at(-2) === 'annotations' && name.endsWith('.json')) return true // Pocket's highlights
  return name.endsWith('.html') || name.endsWith('.csv') || /^metadata_.*\.json$/.test(name)
}

/** Neither a folder nor what macOS adds to every archive. */
function isFile(path: string): boolean {
  const parts = path.split('/')
  return !path.endsWith('/') && !parts.includes('__MACOSX') && !parts.at(-1)?.startsWith('._')
}

/** `mozLz40\0`, then the size as four bytes, then one LZ4 block. */
const MAGIC = [0x6d, 0x6f, 0x7a, 0x4c, 0x7a, 0x34, 0x30, 0x00]
const HEADER = MAGIC.length + 4

/** How far back LZ4 may repeat what it wrote, in bytes. */
const WINDOW = 65_536

/** Size of a piece of output, in bytes. */
const PIECE = 65_536

/** Firefox's compressed backups (`.jsonlz4`). */
export const mozLz4: Container = {
  name: 'Firefox compressed backup',
  recognises: (head) => MAGIC.every((byte, at) => head[at] === byte),
  unpacker: () => new Lz4Unpacker()
}

/**
 * Reads an LZ4 block as it arrives (LZ4 Block Format Description): a token says how many literals follow and how long a
 * repetition of earlier output is, each length going on in further bytes where it is 15 or more.
 */
class Lz4Unpacker implements Unpacker {
  #skip = HEADER
  #state: 'token' | 'literal length' | 'literals' | 'offset' | 'second offset' | 'match length' = 'token'
  #literals = 0
  #match = 0
  #offset = 0
  readonly #output = new Uint8Array(WINDOW + PIECE)
  /** Where output goes next, and from where on it was not given out yet. */
  #at = 0
  #given = 0;

  *write(bytes: Uint8Array): Generator<Unpacked> {
    let at = Math.min(this.#skip, bytes.length)
    this.#skip -= at
    while (at < bytes.length) {
      if (this.#state === 'literals') {
        const count = Math.min(this.#literals, bytes.length - at, this.#output.length - this.#at)
        this.#output.set(bytes.subarray(at, at + count), this.#at)
        this.#at += count
        this.#literals -= count
        at += count
        if (this.#literals === 0) this.#state = 'offset'
      } else {
        if (!this.#step(bytes[at] as number)) {
          yield this.#give()
          throw damaged()
        }
        at += 1
      }
      while (this.#state === 'token' && this.#match > 0) {
        this.#copy()
        if (this.#at === this.#output.length) yield this.#give()
      }
      if (this.#at === this.#output.length) yield this.#give()
    }
  }

  *end(): Generator<Unpacked> {
    // A block ends behind literals, where an offset would follow.
    const complete = this.#skip === 0 && this.#state === 'offset'
    yield { ...this.#give(), last: complete }
    if (!complete) throw damaged()
  }

  /** @returns false where it repeats what never was */
  #step(byte: number): boolean {
    switch (this.#state) {
      case 'token':
        this.#literals = byte >> 4
        this.#match = 0
        this.#offset = byte & 15 // until the offset is read, the beginning of the match's length
        this.#state = this.#literals === 15 ? 'literal length' : this.#literals > 0 ? 'literals' : 'offset'
        break
      case 'literal length':
        this.#literals += byte
        if (byte < 255) this.#state = 'literals'
        break
      case 'offset':
        this.#match = this.#offset
        this.#offset = byte
        this.#state = 'second offset'
        break
      case 'second offset':
        this.#offset |= byte << 8
        if (this.#offset === 0 || this.#offset > this.#at) return false
        if (this.#match === 15) this.#state = 'match length'
        else this.#matchRead()
        break
      default:
        this.#match += byte
        if (byte < 255) this.#matchRead()
    }
    return true
  }

  #matchRead(): void {
    this.#match += 4
    this.#state = 'token'
  }

  /** As much of the repetition as there is room for. It may repeat what it writes itself. */
  #copy(): void {
    const end = Math.min(this.#at + this.#match, this.#output.length)
    this.#match -= end - this.#at
    for (; this.#at < end; this.#at += 1) this.#output[this.#at] = this.#output[this.#at - this.#offset] as number
  }

  /** Returns the output that was not returned yet. Only the part that may still be repeated is kept. */
  #give(): Unpacked {
    const bytes = this.#output.slice(this.#given, this.#at)
    const from = Math.max(0, this.#at - WINDOW)
    this.#output.copyWithin(0, from, this.#at)
    this.#at -= from
    this.#given = this.#at
    return { file: '', bytes, last: false }
  }
}

function damaged(): Problem {
  return new Problem('invalid', 'The compressed file is damaged.')
}
