import { LIMITS } from '../contract/bookmark.ts'
import { MAX_PAGE_TEXT, PAGE_START, type PageText } from '../contract/page-details.ts'
import { cleanLines, cleanText, cut } from '../core/clean-text.ts'
import { pageTextOf } from '../markdown/blocks.ts'
import { decodePage, type RawPage, type ReadPage, readHtml } from './read-html.ts'
import { isText, PDF } from './site-answer.ts'

/** Maximum length of a text before it is cleaned, in UTF-16 code units. It leaves room for white space. */
const MAX_RAW_TEXT = 4 * MAX_PAGE_TEXT

/** Reads a page, a text file or a PDF, by its content type. Runs in the decoder's process only. */
export async function readPage(page: RawPage): Promise<ReadPage> {
  const { bytes, charset, contentType } = page
  if (contentType === PDF) return describeFile(await readPdf(bytes))
  if (!isText(contentType)) return readHtml(page)
  const text = cleanLines(cut(decodePage(bytes, charset), MAX_RAW_TEXT), MAX_PAGE_TEXT)
  return describeFile({ title: '', ...(contentType === 'text/markdown' ? pageTextOf(text) : { text, markdown: null }) })
}

function describeFile(file: FileText = { title: '', text: '', markdown: null }): ReadPage {
  return { details: { ...NOTHING, kind: 'file', ...file }, icons: [], preview: null }
}

const NOTHING = { description: '', siteName: '', canonicalUrl: null, language: null, publishedAt: null }

/** Maximum number of pages of a PDF that are read. A page takes some ten milliseconds. */
const MAX_PAGES = 1000

/**
 * Maximum processor time of reading a PDF, in ms. After it, the text so far is stored. Time on the clock would cut a
 * text on a busy machine.
 */
const MAX_CPU_MS = 3000

interface FileText extends PageText {
  title: string
}

/**
 * Reads a PDF, with `PAGE_START` before each page but the first. Its scripts do not run.
 *
 * @returns `undefined` if the bytes are no PDF, or it is damaged or needs a password
 */
export async function readPdf(bytes: Uint8Array): Promise<FileText | undefined> {
  // Loaded only here, because it is a megabyte that most libraries never need.
  const { getDocumentProxy, getMeta } = await import('unpdf')
  const errorsOnly = 0
  const pdf = await getDocumentProxy(bytes, { verbosity: errorsOnly, stopAtErrors: false }).catch(() => undefined)
  if (!pdf) return undefined
  try {
    const { info } = await getMeta(pdf).catch(() => ({ info: {} as Record<string, unknown> }))
    const last = Math.min(pdf.numPages, MAX_PAGES)
    const start = process.cpuUsage()
    let text = ''
    for (let number = 1; number <= last && text.length < MAX_PAGE_TEXT && cpuMs(start) < MAX_CPU_MS; number++) {
      const pageText = await readPdfPage(pdf, number)
      text += number > 1 ? `${PAGE_START}${pageText}` : pageText
    }
    return { title: titleIn(info.Title), text: cut(text, MAX_PAGE_TEXT).trimEnd(), markdown: null }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

function cpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

type Document = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>

/** Returns a page’s text as one paragraph, because its line breaks have no meaning. */
async function readPdfPage(pdf: Document, number: number): Promise<string> {
  try {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    return cleanText(text.replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1'), MAX_PAGE_TEXT)
  } catch {
    return '' // a damaged page must not prevent the others
  }
}

/** Returns a PDF’s title; empty if it is a file name or a placeholder. Many programs write one of these as the title. */
function titleIn(title: unknown): string {
  const text = typeof title === 'string' ? cleanText(title, LIMITS.title) : ''
  return FILE_NAME.test(text) ? '' : text
}

const FILE_NAME =
  /^(untitled\b.*|microsoft (word|powerpoint|excel) - .*|.*\.(pdf|docx?|pptx?|xlsx?|tex|dvi|indd|odt|qxd))$/i
