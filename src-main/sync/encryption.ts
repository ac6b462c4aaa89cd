import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { Problem } from '../contract/problem.ts'

/** Crockford's base 32, which has no letter that looks like a digit. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const KEY_BYTES = 32
const KEY_DIGITS = 52
const CHECK_DIGITS = 4

/** Returns a new random key as people copy it, in 14 groups of four. The last group is a checksum. */
export function newCode(): string {
  return writeCode(randomBytes(KEY_BYTES))
}

/**
 * Returns the key of a code, which may be typed in any case and with any spaces.
 *
 * @throws Problem `invalid` if it is not a code, or its checksum is wrong
 */
export function readCode(code: string): Buffer {
  const typed = code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '')
  const key = Buffer.alloc(KEY_BYTES)
  let bits = 0n
  for (const digit of typed.slice(0, KEY_DIGITS)) bits = (bits << 5n) | BigInt(Math.max(0, DIGITS.indexOf(digit)))
  const bytes = (bits >> BigInt(KEY_DIGITS * 5 - KEY_BYTES * 8)).toString(16).padStart(KEY_BYTES * 2, '0')
  key.write(bytes.slice(-KEY_BYTES * 2), 'hex')
  if (typed.length !== KEY_DIGITS + CHECK_DIGITS || writeCode(key).replaceAll('-', '') !== typed) {
    throw new Problem(
      'invalid',
      'This is not a sync code, or it was not copied right. It has 14 groups of 4 characters.'
    )
  }
  return key
}

function writeCode(key: Buffer): string {
  const check = createHash('sha256').update('earmark-sync').update(key).digest()
  const digits = inDigits(key, KEY_DIGITS) + inDigits(check.subarray(0, 3), CHECK_DIGITS)
  return digits.match(/.{4}/g)?.join('-') ?? ''
}

/** Writes the first bits of bytes as this number of digits. */
function inDigits(bytes: Buffer, digits: number): string {
  const all = BigInt(`0x${bytes.toString('hex')}`)
  const spare = BigInt(digits * 5 - bytes.length * 8)
  const bits = spare >= 0n ? all << spare : all >> -spare
  return Array.from({ length: digits }, (_, at) => DIGITS[Number((bits >> BigInt((digits - 1 - at) * 5)) & 31n)]).join(
    ''
  )
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** The first bytes of Earmark’s files. They name the version of the format. */
const MAGIC = Buffer.from('EMS1')
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Maximum size of an uncompressed segment, in bytes. Devices write far less into one. */
const MAX_SEGMENT_BYTES = 64 * 1024 * 1024

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
 * Returns the bytes of a file; `undefined` if it is incomplete, was changed, or was encrypted with another key.
 *
 * @throws Problem `store-too-new` if a newer Earmark wrote it
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
    return await decompress(plain, { maxOutputLength: MAX_SEGMENT_BYTES })
  } catch {
    return undefined
  }
}
