import type { Container, Unpacked, Unpacker } from '../contract/import-format.ts'
import { Problem } from '../contract/problem.ts'

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
