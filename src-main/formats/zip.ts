import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** Maximum numbers of 2 and 4 bytes. For more than 65,535 files or 4 GB, the records of ZIP64 have the numbers. */
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff

/** Bit 11: names are in UTF-8. */
const FLAGS = 0x0800

/** The file attributes are those of Unix (3), version 2.0 of the format. `MODE` lets only the owner read the files. */
const MADE_BY = 0x0314
const MODE = (0o100600 << 16) >>> 0

interface ZipFile {
  name: string
  content: string | Uint8Array
  /** When the file was changed, in milliseconds since 1970. */
  time: number
  /** True if the content is already compressed, or must be readable without unpacking. */
  isStored?: boolean
}

/** Writes a ZIP archive file by file (APPNOTE 6.3.10). fflate writes 65,535 files at most, and a library may have more. */
export function createZip() {
  const directory: Buffer[] = []
  let offset = 0

  return {
    /** Returns the bytes of the next file. */
    async add({ name, content, time, isStored = false }: ZipFile): Promise<Uint8Array> {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const packed = isStored ? bytes : await deflate(bytes)
      const path = Buffer.from(name)
      const about = [
        ...[u16(FLAGS), u16(isStored ? 0 : 8), u32(dosTime(time))],
        ...[u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(path.length)]
      ]
      const isFar = offset >= MAX_32
      const extra = isFar ? Buffer.concat([u16(1), u16(8), u64(offset)]) : EMPTY
      const version = u16(isFar ? 45 : 20)
      directory.push(
        Buffer.concat([
          ...[SIGNATURES.entry, u16(MADE_BY), version, ...about, u16(extra.length), u16(0), u16(0), u16(0)],
          ...[u32(MODE), u32(Math.min(offset, MAX_32)), path, extra]
        ])
      )
      const file = Buffer.concat([SIGNATURES.file, version, ...about, u16(0), path, packed])
      offset += file.length
      return file
    },

    /** Returns the directory, which ends the archive. */
    end(): Uint8Array {
      const entries = Buffer.concat(directory)
      const count = directory.length
      const [end, size] = [offset + entries.length, entries.length]
      const isLarge = count >= MAX_16 || end >= MAX_32
      const large = [
        ...[SIGNATURES.end64, u64(44), u16(MADE_BY), u16(45), u32(0), u32(0)],
        ...[u64(count), u64(count), u64(size), u64(offset)],
        ...[SIGNATURES.locator64, u32(0), u64(end), u32(1)]
      ]
      const [shown, at] = [Math.min(count, MAX_16), Math.min(offset, MAX_32)]
      const last = [
        SIGNATURES.end,
        u16(0),
        u16(0),
        u16(shown),
        u16(shown),
        u32(Math.min(size, MAX_32)),
        u32(at),
        u16(0)
      ]
      return Buffer.concat([entries, ...(isLarge ? large : []), ...last])
    }
  }
}

const EMPTY = Buffer.alloc(0)

const SIGNATURES = {
  file: Buffer.from('PK\x03\x04'),
  entry: Buffer.from('PK\x01\x02'),
  end: Buffer.from('PK\x05\x06'),
  end64: Buffer.from('PK\x06\x06'),
  locator64: Buffer.from('PK\x06\x07')
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** Returns a time in the form of MS-DOS: date and time of this machine's zone, from 1980 to 2107, every two seconds. */
function dosTime(time: number): number {
  const date = new Date(time)
  const year = Math.min(Math.max(date.getFullYear(), 1980), 2107) - 1980
  const day = (year << 9) | ((date.getMonth() + 1) << 5) | date.getDate()
  return ((day << 16) | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)) >>> 0
}
