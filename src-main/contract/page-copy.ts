/** Maximum size of a copy of a page, in bytes: as the browser sends it, and as it is stored. */
export const MAX_COPY_BYTES = 20 * 1024 * 1024

/**
 * Maximum size of a part of a copy, in bytes. As base64, a part fits into a frame of native messaging, which has at most
 * 1 MiB.
 */
export const COPY_PART_BYTES = 600 * 1024

/** A stored copy of a bookmark’s page. */
export interface PageCopy {
  /** SHA-256 of its file, in hexadecimal digits. */
  hash: string
  /** In bytes. */
  size: number
  savedAt: number
}

/** Why a copy cannot be converted. */
export type CopyFault = 'too-large' | 'unreadable'

/** The content security policy of every copy: nothing in it runs, and nothing is requested from anywhere. */
export const COPY_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; media-src data:; form-action 'none'; " +
  "base-uri 'none'"
