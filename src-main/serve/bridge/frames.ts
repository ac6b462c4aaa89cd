import { Problem } from '../../contract/problem.ts'

/** A frame is a length in four bytes, in the machine's own order, and as many bytes of UTF-8. */
const HEAD = 4

/** Largest frame taken, in bytes: as much as a request may have. */
export const MOST_FRAME = 1024 * 1024

/**
 * The frames of an input, as text. An input that ends within one ends with the one before.
 *
 * @throws Problem `too-large` at a frame that says it is larger than any that is taken: where the next begins is unknown
 */
export async function* framesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of input) {
    rest = Buffer.concat([rest, piece])
    for (let size = sizeOf(rest); size !== undefined && rest.length >= HEAD + size; size = sizeOf(rest)) {
      yield rest.toString('utf8', HEAD, HEAD + size)
      rest = rest.subarray(HEAD + size)
    }
  }
}

/** A message as the browser reads it. */
export function frameOf(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(HEAD)
  head.writeUInt32LE(body.length)
  return Buffer.concat([head, body])
}

/** Every system this runs on has the least byte first. */
function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < HEAD) return undefined
  const size = bytes.readUInt32LE()
  if (size <= MOST_FRAME) return size
  throw new Problem('too-large', `A message has at most ${MOST_FRAME} bytes.`)
}
