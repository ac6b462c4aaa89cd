import type { LinkFault } from '../contract/link-check.ts'
import type { PageFault } from '../contract/page-details.ts'

/** Why a page could not be fetched. */
export class WebFault extends Error {
  override readonly name = 'WebFault'
  readonly fault: PageFault
  /** Whether another time may do better. */
  readonly again: boolean
  /** How long the site asks to be left alone, in milliseconds. */
  readonly wait: number | undefined
  /** Says more of the site than the fault does. */
  readonly link: LinkFault
  /** The site's status code, if it answered. */
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

/** Turns an error of the network or the site into a fault; anything else is a bug and stays one. */
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

// The codes of Node (nodejs.org/api/tls.html, "X509 certificate error codes") and OpenSSL. Browsers warn of these, too.
const CERTIFICATE = /^(CERT_HAS_EXPIRED|CERT_REVOKED|DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID)$/

// Browsers fetch an intermediate certificate that the server leaves out, and trust what the system trusts, such as the
// certificate of a virus scanner or a company's proxy. We do neither.
const INCOMPLETE = /^(UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE$|SELF_SIGNED_CERT_IN_CHAIN$)/

// Protocols and ciphers that we do not speak, and certificates that are not valid yet: this computer's clock may be wrong.
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
