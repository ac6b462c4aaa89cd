import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { LinkFault } from '../contract/link-check.ts'
import type { PageFault } from '../contract/page-details.ts'

/** The answers of sites: bodies, which are read up to a limit, and faults. */

export class WebFault extends Error {
  override readonly name = 'WebFault'
  readonly fault: PageFault
  /** Whether another attempt may succeed. */
  readonly again: boolean
  /** How long the site asks to wait, in milliseconds. */
  readonly wait: number | undefined
  /** The fault of a link check, which may be more precise. */
  readonly link: LinkFault
  /** The site’s status code, if it answered. */
  readonly status: number | undefined

  constructor(
    fault: PageFault,
    again = false,
    { wait, link = fault, status }: { wait?: number | undefined; link?: LinkFault; status?: number } = {}
  ) {
    super(fault)
    this.link = link
    this.status = status
    this.fault = fault
    this.again = again
    this.wait = wait
  }
}

/** Turns an error of the network or the site into a fault. Other errors are bugs and returned unchanged. */
export function asFault(error: unknown): unknown {
  if (error instanceof WebFault) return error
  if (error instanceof Error && error.cause instanceof WebFault) return error.cause
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return new WebFault('slow', true)
  if (code === 'ENOTFOUND') return new WebFault('unreachable', true, { link: 'no-host' })
  if (code === 'ECONNREFUSED') return new WebFault('unreachable', true, { link: 'no-answer' })
  if (UNREACHED.has(code)) return new WebFault('unreachable', true)
  if (CERTIFICATE.test(code)) return new WebFault('certificate', true)
  if (INCOMPLETE.test(code)) return new WebFault('certificate-incomplete', true)
  return new WebFault(HANDSHAKE.test(code) ? 'handshake' : 'unreadable', true)
}

// Codes of Node (nodejs.org/api/tls.html, "X509 certificate error codes") and OpenSSL. Browsers refuse these, too.
const CERTIFICATE = /^(CERT_HAS_EXPIRED|CERT_REVOKED|DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID)$/

// Browsers fetch an intermediate certificate that the server leaves out, and trust what the system trusts, for example
// the certificate of a virus scanner or a company’s proxy. Earmark does neither of these.
const INCOMPLETE = /^(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE$|SELF_SIGNED_CERT_IN_CHAIN$)/

// Protocols and ciphers that Earmark does not support, and certificates that are not valid yet, because this computer’s
// clock may be wrong.
const HANDSHAKE = /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/

const UNREACHED = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT'
])

/** Maximum size of a body that is read, in bytes after decompression. */
export const MAX_BYTES = 2 * 1024 * 1024

/** Maximum size of a PDF, in bytes. It is larger, because most of a PDF's bytes are pictures, which are not read. */
export const MAX_PDF_BYTES = 20 * 1024 * 1024

export const PDF = 'application/pdf'

/** A decompressed body. */
export interface Body {
  bytes: Uint8Array<ArrayBuffer>
  /** Whether the body is longer than the maximum. */
  truncated: boolean
}

/**
 * Reads a body up to the limit and then closes the connection, so that an endless body or a decompression bomb does no
 * harm.
 *
 * @param encoding the header Content-Encoding
 * @param maxPdfBytes the limit if the body is a PDF
 * @throws WebFault `unreadable` if it has an encoding that was not offered
 */
export async function readBody(body: Readable, encoding: string, maxPdfBytes = MAX_BYTES): Promise<Body> {
  const chunks: Uint8Array[] = []
  let limit = MAX_BYTES
  let length = 0
  for await (const chunk of decompress(body, encoding.trim().toLowerCase()) as AsyncIterable<Uint8Array>) {
    if (length + chunk.length >= limit && isPdf(beginningOf([...chunks, chunk]))) limit = maxPdfBytes
    chunks.push(chunk.subarray(0, limit - length))
    length += Math.min(chunk.length, limit - length)
    if (length === limit) break
  }
  return { bytes: join(chunks), truncated: length === limit }
}

/** Returns the first bytes of chunks, which may be of one byte each. */
function beginningOf(chunks: Uint8Array[]): Uint8Array {
  return join(chunks.slice(0, MAX_SIGNATURE).map((chunk) => chunk.subarray(0, MAX_SIGNATURE)))
}

/** Number of first bytes that must contain a PDF’s signature, which may follow white space. */
const MAX_SIGNATURE = 32

function join(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Recognizes a PDF by its bytes, because many servers send another content type. */
export function isPdf(bytes: Uint8Array): boolean {
  return /^\s*%PDF-/.test(new TextDecoder('latin1').decode(bytes.subarray(0, MAX_SIGNATURE)))
}

/** Whether a content type is plain text or Markdown. */
export function isText(contentType: string): boolean {
  return contentType === 'text/plain' || contentType === 'text/markdown'
}

function decompress(body: Readable, encoding: string): Readable {
  switch (encoding) {
    case '':
    case 'identity':
      return body
    case 'gzip':
    case 'x-gzip':
      // Many servers leave out the end of the compressed data.
      return pipeline(body, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), ignore)
    case 'deflate':
      return pipeline(body, createInflate({ finishFlush: constants.Z_SYNC_FLUSH }), ignore)
    case 'br':
      return pipeline(body, createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }), ignore)
    default:
      body.on('error', ignore).destroy()
      throw new WebFault('unreadable')
  }
}

/** Ignores an error of the pipeline, because reading its output reports the same error. */
function ignore(): void {}
