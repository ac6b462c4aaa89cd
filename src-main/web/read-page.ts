import { MOST_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines, cut } from '../core/clean-text.ts'
import { decodePage } from './decode-page.ts'
import { isText, PDF } from './read-body.ts'
import { type RawPage, type ReadPage, readHtml } from './read-html.ts'
import { type PdfText, readPdf } from './read-pdf.ts'

/** Text that is cleaned, in UTF-16 code units: more than is stored, whatever its white space, and far less than may come. */
const MAX_RAW_TEXT = 4 * MOST_PAGE_TEXT

/** Reads a page, a text file or a PDF, by its content type. Runs in the decoder's process only. */
export async function readPage(page: RawPage): Promise<ReadPage> {
  const { bytes, charset, contentType } = page
  if (contentType === PDF) return describeFile(await readPdf(bytes))
  if (!isText(contentType)) return readHtml(page)
  const text = cleanLines(cut(decodePage(bytes, charset), MAX_RAW_TEXT), MOST_PAGE_TEXT)
  return describeFile({ title: '', text, pages: undefined })
}

function describeFile({ title, text, pages }: PdfText = { title: '', text: '', pages: undefined }): ReadPage {
  const layout = pages ? { blocks: [], links: [], pages } : null
  return { details: { ...NOTHING, kind: 'file', title, text, layout }, icons: [], preview: null }
}

const NOTHING = { description: '', siteName: '', canonicalUrl: null, language: null, publishedAt: null }
