import { type AsyncFlateStreamHandler, Unzip, type UnzipDecoder, UnzipInflate } from 'fflate/browser'
import type { Container, Unpacked } from '../contract/import-format.ts'
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
