import { deflateSync } from 'node:zlib'

/**
 * A PDF of these pages, each of some lines of plain letters.
 *
 * @param blanks so many follow each page's lines, which are then packed twice
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
        blanks === 0
          ? Buffer.from(content, 'latin1')
          : deflateSync(deflateSync(Buffer.concat([Buffer.from(content), Buffer.alloc(blanks, ' ')])))
      const filter = blanks === 0 ? '' : '/Filter [/FlateDecode /FlateDecode]'
      const resources = '/Resources << /Font << /F1 3 0 R >> >>'
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${stream.length} ${filter} >>\nstream\n${stream.toString('latin1')}\nendstream`
      ]
    }),
    `<< /Title (${title}) >>`
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const trailer = `trailer << /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return new Uint8Array(
    Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}${trailer}`, 'latin1')
  )
}
