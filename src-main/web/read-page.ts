import { LIMITS } from '../contract/bookmark.ts'
import { MOST_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines, cleanText, cut } from '../core/clean-text.ts'
import { isText, PDF } from './read-body.ts'
import { decodePage, type RawPage, type ReadPage, readHtml } from './read-html.ts'

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

/** Pages of a PDF that are read; a page takes some ten milliseconds. */
const MAX_PAGES = 1000

/** No page is begun after this time, in milliseconds, so that the text read by then is stored. */
const MAX_READING_MS = 3000

export interface PdfText {
  /** Empty if it has none. */
  title: string
  text: string
  /** The offsets in the text at which pages begin, from the second page on; absent for a single page. */
  pages: number[] | undefined
}

/** Reads a PDF; `undefined` if it is none, is damaged, or asks for a password. Its scripts are not run. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText | undefined> {
  // Some megabyte that most libraries never need.
  const { getDocumentProxy, getMeta } = await import('unpdf')
  const errorsOnly = 0
  const pdf = await getDocumentProxy(bytes, { verbosity: errorsOnly, stopAtErrors: false }).catch(() => undefined)
  if (!pdf) return undefined
  try {
    const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }))
    const last = Math.min(pdf.numPages, MAX_PAGES)
    const end = performance.now() + MAX_READING_MS
    const pages: number[] = []
    let text = ''
    for (let number = 1; number <= last && text.length < MOST_PAGE_TEXT && performance.now() < end; number++) {
      const ofPage = await textOf(pdf, number)
      if (text !== '' && ofPage !== '') text += '\n\n'
      if (number > 1) pages.push(text.length)
      text += ofPage
    }
    text = cleanLines(text, MOST_PAGE_TEXT)
    const begun = pages.filter((at) => at < text.length)
    return { title: titleIn(info.Title), text, pages: begun.length > 0 ? begun : undefined }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type Document = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>

/** A page's text as one paragraph: where its lines end says nothing. */
async function textOf(pdf: Document, number: number): Promise<string> {
  try {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    return cleanText(text.replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1'), MOST_PAGE_TEXT)
  } catch {
    return '' // one page that is damaged takes no other along
  }
}

/** Programs write what they have: the name of a file, or of nothing. */
function titleIn(title: unknown): string {
  const text = typeof title === 'string' ? cleanText(title, LIMITS.title) : ''
  return FILE_NAME.test(text) ? '' : text
}

const FILE_NAME =
  /^(untitled\b.*|microsoft (word|powerpoint|excel) - .*|.*\.(pdf|docx?|pptx?|xlsx?|tex|dvi|indd|odt|qxd))$/i
