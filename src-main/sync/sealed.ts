import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { Problem } from '../contract/problem.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** How a file of ours begins; another one is of another format. */
const MAGIC = Buffer.from('EMS1')
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Limit of an uncompressed segment, in bytes: far more than a device writes into one. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Compresses and encrypts a text or bytes by AES-256-GCM.
 *
 * @param label what the file is, which is authenticated too: a file under another name is no longer whole
 */
export async function seal(content: string | Uint8Array, key: Buffer, label: string): Promise<Buffer> {
  const plain = await compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
  return Buffer.concat([MAGIC, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Whether a file begins as those of this version or a newer one do. */
export function isSealed(file: Buffer): boolean {
  return file.length >= MAGIC.length + NONCE_BYTES + TAG_BYTES && /^EMS\d$/.test(file.toString('latin1', 0, 4))
}

/** Returns the text of a file, as `unsealBytes` returns its bytes. */
export async function unseal(file: Buffer, key: Buffer, label: string): Promise<string | undefined> {
  return (await unsealBytes(file, key, label))?.toString('utf8')
}

/**
 * Returns the bytes of a file; `undefined` where it is not whole, was changed, or was encrypted by another key.
 *
 * @throws Problem `store-too-new` when a newer Earmark wrote it
 */
export async function unsealBytes(file: Buffer, key: Buffer, label: string): Promise<Buffer | undefined> {
  if (!isSealed(file)) return undefined
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new Problem(
      'store-too-new',
      'A newer version of Earmark wrote to the sync folder. Update Earmark on this machine.'
    )
  }
  const body = file.subarray(MAGIC.length)
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(label))
    .setAuthTag(body.subarray(-TAG_BYTES))
  try {
    const plain = Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return await decompress(plain, { maxOutputLength: MOST_BYTES })
  } catch {
    return undefined
  }
}
