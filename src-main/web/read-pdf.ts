import { LIMITS } from '../contract/bookmark.ts'
import { MOST_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'

/** How servers name what it is. */
export const PDF = 'application/pdf'

/** Most pages that are read of a PDF; a page takes some ten milliseconds. */
const MOST_PAGES = 1000

/** No further page is begun after so many milliseconds, so that what was read by then counts. */
const LONGEST_MS = 6000

/** The title of a PDF, if it has one, and its text; of several pages, where each after the first begins. */
interface PdfText {
  title: string
  text: string
  pages: number[] | undefined
}

/** Reads a PDF; `undefined` where it is none, is damaged, or asks for a password. Its scripts are not run. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText | undefined> {
  // Some megabyte that most libraries never need.
  const { getDocumentProxy, getMeta } = await import('unpdf')
  const errorsOnly = 0
  const pdf = await getDocumentProxy(bytes, { verbosity: errorsOnly, stopAtErrors: false }).catch(() => undefined)
  if (!pdf) return undefined
  try {
    const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }))
    const last = Math.min(pdf.numPages, MOST_PAGES)
    const end = performance.now() + LONGEST_MS
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
