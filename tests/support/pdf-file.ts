import { constants, deflateRawSync, deflateSync } from 'node:zlib'

const MIB = 1_048_576

/**
 * A PDF of these pages, each of some lines of plain letters.
 *
 * @param blanks so many MiB of them follow each page's lines, which are then packed twice
 */
export function pdfFile(pages: string[][], title = '', blanks = 0): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, index) => {
      const content = `BT /F1 12 Tf 72 720 Td 14 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
      const stream =
        blanks === 0 ? Buffer.from(content, 'latin1') : deflateSync(deflatedWithBlanks(Buffer.from(content), blanks))
      const filter = blanks === 0 ? '' : '/Filter [/FlateDecode /FlateDecode]'
      const resources = '/Resources << /Font << /F1 3 0 R >> >>'
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${stream.length} ${filter} >>\nstream\n${stream.toString('latin1')}\nendstream`
      ]
    }),
    `<< /Title (${title}) >>`
  ]
  return pdfOfObjects(objects, objects.length)
}

/** A PDF of these objects, of which the first is its catalog. @param info the number of the one with its title */
export function pdfOfObjects(objects: string[], info = 1): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const trailer = `trailer << /Size ${size} /Root 1 0 R /Info ${info} 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return new Uint8Array(
    Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}${trailer}`, 'latin1')
  )
}

/** What `deflateSync` makes of these bytes with so many MiB of blanks behind them, without having those. */
function deflatedWithBlanks(bytes: Buffer, blanks: number): Buffer {
  const piece = (part: Buffer) => deflateRawSync(part, { finishFlush: constants.Z_FULL_FLUSH })
  const pieces = Array<Buffer>(blanks).fill(piece(Buffer.alloc(MIB, ' ')))
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    piece(bytes),
    ...pieces,
    Buffer.from([3, 0]),
    checksum(bytes, blanks)
  ])
}

/** Adler-32, with which such data ends. */
function checksum(bytes: Buffer, blanks: number): Buffer {
  let [low, high] = [1, 0]
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  const count = BigInt(blanks * MIB)
  const blank = BigInt(' '.charCodeAt(0))
  high = Number((BigInt(high) + count * BigInt(low) + (blank * count * (count + 1n)) / 2n) % 65_521n)
  low = Number((BigInt(low) + blank * count) % 65_521n)
  const sum = Buffer.alloc(4)
  sum.writeUInt16BE(high)
  sum.writeUInt16BE(low, 2)
  return sum
}
