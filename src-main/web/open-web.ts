import { LIMITS } from '../contract/bookmark.ts'
import { MOST_PAGE_TEXT, type PageDetails, type PageReading } from '../contract/page-details.ts'
import type { Web } from '../contract/ports.ts'
import { fileName } from '../core/address-words.ts'
import { cleanLines, cleanText } from '../core/clean-text.ts'
import { checkLink } from './check-link.ts'
import { decodePage } from './decode-page.ts'
import { type Answer, type FetchOptions, fetchGuarded } from './fetch-guarded.ts'
import { guardedAgent, type TestWire } from './guarded-agent.ts'
import { createIcons } from './icons.ts'
import { createPageReader } from './page-reader.ts'
import { PDF } from './read-pdf.ts'
import { PREVIEW, shrinkPicture } from './shrink-picture.ts'
import { embedAddress, readEmbed } from './sites.ts'
import { createTurns } from './turns.ts'
import { WebFault } from './web-fault.ts'

/** How long a page, or one of its pictures, may take, in milliseconds. */
const TIMEOUT_MS = 10_000

export interface WebOptions {
  version: string
  /** For tests: where the web is, if not on the internet. */
  wire?: TestWire
  patience?: number
}

/** The web as Earmark reaches it: pages of public hosts, read and let go. */
export function openWeb({ version, wire, patience = TIMEOUT_MS }: WebOptions): Omit<Web, 'isConnected'> {
  const agent = guardedAgent(wire)
  const reader = createPageReader()
  const options: FetchOptions = {
    agent,
    turns: createTurns(),
    userAgent: `Mozilla/5.0 (compatible; Earmark/${version})`,
    patience
  }
  const get = (url: string, signal: AbortSignal) => fetchGuarded(url, options, signal)
  const means: Means = { get, reader, icons: createIcons(get) }

  return {
    async readPage(address, signal) {
      try {
        return await readPage(means, address, signal)
      } catch (error) {
        if (!(error instanceof WebFault)) throw error
        const { fault, again, wait } = error
        return { fault, again, wait }
      }
    },
    checkLink: (address, signal) => checkLink(address, options, signal),
    async close() {
      await Promise.all([reader.close(), agent.destroy()])
    }
  }
}

/** The means to read a page. */
interface Means {
  get(url: string, signal: AbortSignal): Promise<Answer>
  reader: ReturnType<typeof createPageReader>
  icons: ReturnType<typeof createIcons>
}

async function picture({ get }: Means, url: string | null, signal: AbortSignal): Promise<Uint8Array | null> {
  if (url === null) return null
  try {
    const { bytes, truncated } = await get(url, signal)
    return truncated ? null : await shrinkPicture(bytes, PREVIEW)
  } catch (error) {
    if (error instanceof WebFault) return null
    throw error
  }
}

async function readVideo(means: Means, address: string, signal: AbortSignal): Promise<PageDetails | undefined> {
  const embed = embedAddress(address)
  if (!embed) return undefined
  const answer = await means.get(embed, signal).catch((error) => {
    if (error instanceof WebFault && error.fault !== 'unreachable') return undefined
    throw error
  })
  const video = answer && readEmbed(new TextDecoder().decode(answer.bytes))
  if (!video) return undefined
  return {
    ...NOTHING,
    kind: 'page',
    title: cleanText(video.title, LIMITS.title),
    description: video.author,
    siteName: 'YouTube',
    icon: await means.icons.first(['https://www.youtube.com/favicon.ico'], signal),
    preview: await picture(means, video.picture, signal)
  }
}

/** A PDF that is cut off, or too much to read, has its name. */
async function pdfDetails({ reader }: Means, asked: string, answer: Answer): Promise<PageDetails> {
  const { bytes, truncated, charset, url } = answer
  const name = named(answer)
  if (truncated) return { ...NOTHING, kind: 'file', title: name }
  const read = await reader.read({ bytes, charset, contentType: PDF, asked, url }).catch((error) => {
    if (error instanceof WebFault) return undefined
    throw error
  })
  const { title = '', text = '' } = read && 'details' in read ? read.details : {}
  return { ...NOTHING, kind: 'file', title: title || name, text }
}

async function readPage(means: Means, address: string, signal: AbortSignal): Promise<PageReading> {
  const video = await readVideo(means, address, signal)
  if (video) return { details: video }
  const answer = await means.get(address, signal)
  if (answer.contentType.startsWith('image/')) {
    const preview = answer.truncated ? null : await shrinkPicture(answer.bytes, PREVIEW)
    return { details: { ...NOTHING, kind: 'image', title: named(answer), preview } }
  }
  if (isPdf(answer)) return { details: await pdfDetails(means, address, answer) }
  if (!isHtml(answer)) return { details: { ...NOTHING, kind: 'file', title: named(answer), text: textOf(answer) } }
  const { bytes, charset, contentType, url } = answer
  const read = await means.reader.read({ bytes, charset, contentType, asked: address, url })
  if ('fault' in read) return { fault: read.fault, again: false }
  const icon = await means.icons.first(read.icons, signal)
  return { details: { ...read.details, icon, preview: await picture(means, read.preview, signal) } }
}

const NOTHING: Omit<PageDetails, 'kind' | 'title'> = {
  description: '',
  siteName: '',
  canonicalUrl: null,
  language: null,
  publishedAt: null,
  text: '',
  layout: null,
  icon: null,
  preview: null
}

function named({ url }: Pick<Answer, 'url'>): string {
  return cleanText(fileName(url), LIMITS.title)
}

/** Many servers send it as bytes of any kind. */
function isPdf({ contentType, bytes }: Answer): boolean {
  return contentType === PDF || new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'
}

/** Some servers do not say what they send. */
function isHtml({ contentType, bytes }: Answer): boolean {
  if (contentType !== '') return contentType === 'text/html' || contentType === 'application/xhtml+xml'
  return /^\s*<(!doctype|html|head|body|title|meta)/i.test(new TextDecoder().decode(bytes.subarray(0, 256)))
}

function textOf({ contentType, bytes, charset }: Answer): string {
  if (contentType !== 'text/plain' && contentType !== 'text/markdown') return ''
  return cleanLines(decodePage(bytes, charset), MOST_PAGE_TEXT)
}
