/** The thread that reads pages: a page that takes long, or more memory than it may, holds up and ends nothing else. */
import { parentPort } from 'node:worker_threads'
import { boundArrays } from './bound-arrays.ts'
import { MOST_BYTES } from './read-body.ts'
import { type RawPage, type ReadPage, readHtml } from './read-html.ts'
import { PDF, readPdf } from './read-pdf.ts'
import { isText, readText } from './read-text.ts'

// A thread that comes and goes while others run WebAssembly can end the whole process: see decision 016. pdf.js, which
// is loaded with the first PDF, does without it.
Reflect.deleteProperty(globalThis, 'WebAssembly')
// A PDF of three kilobytes can hold a gigabyte of blanks.
boundArrays(MOST_BYTES)

async function read(page: RawPage): Promise<ReadPage> {
  const { bytes, charset, contentType } = page
  if (isText(contentType)) return file({ title: '', text: readText(bytes, charset) })
  if (contentType === PDF) return file((await readPdf(bytes)) ?? { title: '', text: '' })
  return readHtml(page)
}

function file({ title, text, pages }: { title: string; text: string; pages?: number[] | undefined }): ReadPage {
  const layout = pages ? { blocks: [], links: [], pages } : null
  return { details: { ...NOTHING, kind: 'file', title, text, layout }, icons: [], preview: null }
}

const NOTHING = { description: '', siteName: '', canonicalUrl: null, language: null, publishedAt: null, layout: null }

parentPort?.on('message', async (page: RawPage) => parentPort?.postMessage(await read(page)))
