import { LIMITS } from '../contract/bookmark.ts'
import { MOST_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'

/** How servers name what it is. */
export const PDF = 'application/pdf'

/** Most pages that are read of a PDF; a page takes some ten milliseconds. */
const MOST_PAGES = 100

/** The title of a PDF, if it has one, and its text. */
interface PdfText {
  title: string
  text: string
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
    const paragraphs: string[] = []
    let length = 0
    for (let number = 1; number <= Math.min(pdf.numPages, MOST_PAGES) && length < MOST_PAGE_TEXT; number++) {
      const text = await textOf(pdf, number)
      paragraphs.push(text)
      length += text.length
    }
    return { title: titleIn(info.Title), text: cleanLines(paragraphs.filter(Boolean).join('\n\n'), MOST_PAGE_TEXT) }
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
    return text
      .replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1')
      .replace(/\s+/g, ' ')
      .trim()
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
