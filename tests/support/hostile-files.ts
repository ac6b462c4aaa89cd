/** PDFs that tests make, and files that crash, hang or exhaust the code that decodes them. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

const encode = (text: string) => new TextEncoder().encode(text)

const svg = (content: string, size = 64) =>
  encode(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}">${content}</svg>`
  )

/** Each of `depth` elements refers to the next one. */
const chain = (depth: number, link: (index: number) => string) =>
  Array.from({ length: depth }, (_, index) => link(index)).join('')

/** SVGs by what they do to librsvg. */
export const SVGS: Record<string, Uint8Array<ArrayBuffer>> = {
  'nested selectors': svg(
    `<style>${':not('.repeat(30_000)}a${')'.repeat(30_000)}{fill:red}</style><rect width="9" height="9"/>`
  ),
  'chained clip paths': svg(
    `<defs>${chain(60_000, (index) => `<clipPath id="c${index}" clip-path="url(#c${index + 1})"><path d="M0 0h9v9z"/></clipPath>`)}</defs><rect width="9" height="9" clip-path="url(#c0)"/>`
  ),
  'chained filters of images': svg(
    `<defs>${chain(20_000, (index) => `<filter id="f${index}"><feImage xlink:href="#r${index + 1}"/></filter><rect id="r${index}" width="9" height="9" filter="url(#f${index})"/>`)}</defs><use xlink:href="#r0"/>`
  ),
  'a filter that takes minutes': svg(
    `<filter id="f" x="0" y="0" width="1" height="1">${'<feTurbulence baseFrequency="0.9" numOctaves="9"/><feMorphology operator="dilate" radius="200"/>'.repeat(3000)}</filter><rect width="4000" height="4000" filter="url(#f)"/>`,
    4000
  )
}

/** Fonts by what they do to pdf.js, as objects of a PDF; object 6 is empty for them to use. */
const FONTS: Record<string, [font: string, more: string]> = {
  'widths of billions of characters': [
    '/Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R]',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 /W [60000000 2000000000 500 0 50000000 400] >>'
  ],
  'a width list that ends far away': [
    '/Subtype /Type1 /BaseFont /A /FirstChar 0 /LastChar 2000000000 /Widths 6 0 R',
    '[500]'
  ],
  'far differences': [
    '/Subtype /Type1 /BaseFont /A /Encoding 6 0 R',
    '<< /Type /Encoding /Differences [2000000000 /a 4000000000 /b] >>'
  ],
  'a character map of billions': [
    '/Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R',
    stream(
      '/CMapName /A def 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange 1 beginbfrange <00000000> <7FFFFFFF> <0041> endbfrange'
    )
  ]
}

function stream(content: string, filter = ''): string {
  return `<< /Length ${content.length} ${filter} >>\nstream\n${content}\nendstream`
}

const WORDS = 'BT /F1 12 Tf 72 720 Td (Words) Tj ET'

/** A PDF of one page with this font. @param more an object that the font refers to */
function pdf(font: string, more: string, content = WORDS, filter = ''): Uint8Array<ArrayBuffer> {
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    `<< /Type /Font ${font} >>`,
    `<< /Type /Page /Parent 2 0 R ${PAGE} /Contents 5 0 R >>`,
    stream(content, filter),
    more
  ])
}

/** The size and the font of a page. */
const PAGE = '/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>'
const HELVETICA = '/Subtype /Type1 /BaseFont /Helvetica'

/** PDFs by what is wrong with them. */
export const PDFS: Record<string, Uint8Array<ArrayBuffer>> = {
  ...Object.fromEntries(Object.entries(FONTS).map(([name, [font, more]]) => [name, pdf(font, more)])),
  'a string of 19 MB': pdf(HELVETICA, '[]', `BT /F1 12 Tf (${'words '.repeat(3_200_000)}) Tj ET`),
  'a dictionary of 1,500,000 entries': pdf(
    HELVETICA,
    `<< ${Array.from({ length: 1_500_000 }, (_, index) => `/A${index} 1`).join(' ')} >>`
  ),
  'a million nested arrays': pdf(`${HELVETICA} /Encoding 6 0 R`, '['.repeat(1_000_000)),
  'nested operators': pdf(HELVETICA, '[]', `BT /F1 12 Tf ${'q '.repeat(2_000_000)} (Words) Tj ET`),
  'a stream unpacked to gigabytes': pdf(
    HELVETICA,
    '[]',
    deflateSync(deflateSync(Buffer.alloc(400 * 2 ** 20, ' '))).toString('latin1'),
    '/Filter [/FlateDecode /FlateDecode]'
  )
}

/** Interlaced, so that it has to be unpacked whole: 40 million pixels in some 200 kB. */
export async function interlacedPng(): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width: 8000, height: 5000, channels: 4, background: '#336699' } })
  return new Uint8Array(await image.png({ progressive: true }).toBuffer())
}

const davItem = (href: string) => `<d:response><d:href>${href}</d:href><d:propstat><d:prop/></d:propstat></d:response>`
const hex = (number: number) => number.toString(16).padStart(32, '0')
const listing = (items: string) => `<d:multistatus xmlns:d="DAV:">${items}</d:multistatus>`
const many = (count: number, name: (index: number) => string) =>
  listing(Array.from({ length: count }, (_, index) => davItem(`/dav/earmark-sync/${name(index)}`)).join(''))

/** Answers of a WebDAV server to the question what is in a folder, and what Earmark says to each, if anything. */
export const LISTINGS: [name: string, body: string, message: string | undefined][] = [
  ['60 MB of blanks', listing(' '.repeat(60_000_000)), 'sends too much'],
  ['60 MB of blanks before the listing', ' '.repeat(60_000_000), 'sends too much'],
  ['a name of 60 MB', listing(davItem('x'.repeat(60_000_000))), 'does not answer as'],
  ['a tag of 4 MB', `<${'x'.repeat(4_000_000)}>`, 'does not answer as'],
  ['attributes of 4 MB', `<d:multistatus ${'x=1 '.repeat(1_000_000)}>`, 'does not answer as'],
  ['150,000 names', many(150_000, (index) => `${index}.seg`), 'sends too much'],
  ['500 machines', many(500, hex), '500 machines'],
  ['elements within each other', listing('<a>'.repeat(1_000_000)), 'does not answer as'],
  ['elements that end without a beginning', listing('</a>'.repeat(900_000)), undefined]
]

/** Tables of a Firefox database. */
export const MOZ_BOOKMARKS = `CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER,
  position INTEGER, title TEXT, dateAdded INTEGER, guid TEXT);`
export const MOZ_PLACES = 'CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT);'

/** Firefox databases whose tables are programs, by name, as SQL. */
export const DATABASES: [name: string, sql: string][] = [
  [
    'a view without end',
    `${MOZ_PLACES} CREATE VIEW moz_bookmarks AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, 1 AS type, 1 AS fk, 0 AS parent, 0 AS position, '' AS title, 0 AS dateAdded, '' AS guid FROM n`
  ],
  ['a virtual table', `${MOZ_BOOKMARKS} CREATE VIRTUAL TABLE moz_places USING fts5(url)`],
  [
    'a computed column',
    `${MOZ_BOOKMARKS} CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url AS (hex(zeroblob(500000000))))`
  ]
]

/** A PDF of these pages, each with some lines of plain letters. */
export function pdfFile(pages: string[][], title = ''): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Type /Font ${HELVETICA} >>`,
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R ${PAGE} /Contents ${5 + index * 2} 0 R >>`,
      stream(`BT /F1 12 Tf 72 720 Td 14 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`)
    ]),
    `<< /Title (${title}) >>`
  ]
  return pdfOfObjects(objects, objects.length)
}

/** A PDF of these objects. The first is the catalog. @param info the number of the object with the title */
function pdfOfObjects(objects: string[], info = 1): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer << /Size ${size} /Root 1 0 R /Info ${info} 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return new Uint8Array(Buffer.from(file + table + trailer, 'latin1'))
}
