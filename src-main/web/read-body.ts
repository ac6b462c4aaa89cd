import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { WebFault } from './web-fault.ts'

/** Largest body that is read, in bytes once unpacked. */
export const MOST_BYTES = 2 * 1024 * 1024

/** Largest PDF: its pictures, which are not looked at, make up most of it. */
export const MOST_PDF_BYTES = 20 * 1024 * 1024

/** The content type of PDFs. */
export const PDF = 'application/pdf'

/** A body, unpacked, as far as it was read. */
export interface Body {
  bytes: Uint8Array<ArrayBuffer>
  /** There was more. */
  truncated: boolean
}

/**
 * Reads a body up to the limit and lets go of the connection then, so that neither an endless body nor one that unpacks
 * to much costs more.
 *
 * @param encoding the header Content-Encoding
 * @param mostPdf the limit where the body is a PDF
 * @throws WebFault `unreadable` when it is packed in a way that was not offered
 */
export async function readBody(body: Readable, encoding: string, mostPdf = MOST_BYTES): Promise<Body> {
  const chunks: Uint8Array[] = []
  let most = MOST_BYTES
  let length = 0
  for await (const chunk of unpacked(body, encoding.trim().toLowerCase()) as AsyncIterable<Uint8Array>) {
    if (length + chunk.length >= most && isPdf(beginOf([...chunks, chunk]))) most = mostPdf
    chunks.push(chunk.subarray(0, most - length))
    length += Math.min(chunk.length, most - length)
    if (length === most) break
  }
  return { bytes: joined(chunks), truncated: length === most }
}

/** The first bytes of what came in pieces, which may be of one byte each. */
function beginOf(chunks: Uint8Array[]): Uint8Array {
  return joined(chunks.slice(0, BEGINNING).map((chunk) => chunk.subarray(0, BEGINNING)))
}

/** Bytes in which a PDF says that it is one, behind white space. */
const BEGINNING = 32

function joined(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Many servers send it as bytes of any kind. */
export function isPdf(bytes: Uint8Array): boolean {
  return /^\s*%PDF-/.test(new TextDecoder('latin1').decode(bytes.subarray(0, BEGINNING)))
}

/** Whether a file of this content type is text for people. */
export function isText(contentType: string): boolean {
  return contentType === 'text/plain' || contentType === 'text/markdown'
}

function unpacked(body: Readable, encoding: string): Readable {
  switch (encoding) {
    case '':
    case 'identity':
      return body
    case 'gzip':
    case 'x-gzip':
      // Many servers leave the end off.
      return pipeline(body, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), ignored)
    case 'deflate':
      return pipeline(body, createInflate({ finishFlush: constants.Z_SYNC_FLUSH }), ignored)
    case 'br':
      return pipeline(body, createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }), ignored)
    default:
      body.on('error', ignored).destroy()
      throw new WebFault('unreadable')
  }
}

/** Does nothing with an error that the end of the pipeline reports, too. */
function ignored(): void {}
