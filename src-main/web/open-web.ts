import { LIMITS } from '../contract/bookmark.ts'
import type { PageDetails, PageReading } from '../contract/page-details.ts'
import type { Web } from '../contract/ports.ts'
import { fileName } from '../core/address-words.ts'
import { cleanText } from '../core/clean-text.ts'
import { checkLink } from './check-link.ts'
import { type Decoder, PREVIEW_ROOM, type Room } from './decoder.ts'
import {
  type Answer,
  addRedirect,
  type FetchOptions,
  type FetchState,
  fetchGuarded,
  startFetch
} from './fetch-guarded.ts'
import { guardedAgent, type TestWire } from './guarded-agent.ts'
import { createIcons } from './icons.ts'
import { isPdf, isText, MOST_PDF_BYTES, PDF } from './read-body.ts'
import { embedAddress, readEmbed } from './sites.ts'
import { createTurns } from './turns.ts'
import { WebFault } from './web-fault.ts'

/** How long a page, or one of its pictures, may take, in milliseconds. */
const TIMEOUT_MS = 10_000

/** How long a picture of a text may take: other pages of its host wait for it. */
const PICTURE_MS = 5000

/** As wide as a text's column on a high-density screen. */
const TEXT_ROOM: Room = { width: 1280, height: 4000 }

export interface WebOptions {
  version: string
  decoder: Decoder
  /** For tests: where the web is, if not on the internet. */
  wire?: TestWire | undefined
  patience?: number
}

/** The web as Earmark reaches it: pages of public hosts, read and let go. */
export function openWeb({ version, decoder, wire, patience = TIMEOUT_MS }: WebOptions): Omit<Web, 'isConnected'> {
  const agent = guardedAgent(wire)
  const options: FetchOptions = {
    agent,
    turns: createTurns(),
    userAgent: `Mozilla/5.0 (compatible; Earmark/${version})`,
    patience
  }
  const get = (url: string, signal: AbortSignal) => fetchGuarded(url, options, signal)
  const getPage = (url: string, signal: AbortSignal, state: FetchState) =>
    fetchGuarded(url, { ...options, mostPdf: MOST_PDF_BYTES }, signal, state)
  const ofText = { ...options, patience: Math.min(patience, PICTURE_MS) }
  const means: Means = { get, getPage, start: () => startFetch(options), decoder, icons: createIcons(get, decoder) }

  return {
    async readPage(address, signal) {
      try {
        return await readPage(means, address, signal)
      } catch (error) {
        if (!(error instanceof WebFault)) throw error
        const { fault, again, wait } = error
        // Another day, or from another network, it may take us for a person; a page's icon is not asked for again.
        return { fault, again: again || fault === 'wall', wait }
      }
    },
    async readPicture(address, signal) {
      try {
        const { bytes, truncated } = await fetchGuarded(address, ofText, signal)
        return truncated ? null : await decoder.shrinkPicture(bytes, TEXT_ROOM, true)
      } catch (error) {
        if (!(error instanceof WebFault)) throw error
        return null
      }
    },
    checkLink: (address, signal) => checkLink(address, options, signal),
    close: () => agent.destroy()
  }
}

/** The means to read a page. */
interface Means {
  get(url: string, signal: AbortSignal): Promise<Answer>
  start(): FetchState
  /** As `get`, and PDFs that are larger. */
  getPage(url: string, signal: AbortSignal, state: FetchState): Promise<Answer>
  decoder: Decoder
  icons: ReturnType<typeof createIcons>
}

async function picture({ get, decoder }: Means, url: string | null, signal: AbortSignal): Promise<Uint8Array | null> {
  if (url === null) return null
  try {
    const { bytes, truncated } = await get(url, signal)
    return truncated ? null : await decoder.shrinkPicture(bytes, PREVIEW_ROOM, false)
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
    ...(await picturesOf(
      means,
      embed,
      { icons: ['https://www.youtube.com/favicon.ico'], preview: video.picture },
      signal
    ))
  }
}

/**
 * Fetches a page's pictures, both at once: when one is asked for tells its site nothing of how long the other took,
 * which may lie elsewhere.
 */
async function picturesOf(
  means: Means,
  page: string,
  { icons, preview }: { icons: string[]; preview: string | null },
  signal: AbortSignal
): Promise<Pick<PageDetails, 'icon' | 'preview'>> {
  const site = new URL(page).host
  const [icon, shown] = await Promise.all([means.icons.first(site, icons, signal), picture(means, preview, signal)])
  return { icon, preview: shown }
}

/** A file that is too much to read has its name, and so has a PDF that is cut off. */
async function fileDetails(
  { decoder }: Means,
  asked: string,
  answer: Answer,
  contentType: string
): Promise<PageDetails> {
  const { bytes, truncated, charset, url } = answer
  const name = named(answer)
  if (truncated && contentType === PDF) return { ...NOTHING, kind: 'file', title: name }
  const read = await decoder.readPage({ bytes, charset, contentType, asked, url }).catch((error) => {
    if (error instanceof WebFault) return undefined
    throw error
  })
  const { title = '', text = '', layout = null } = read && 'details' in read ? read.details : {}
  return { ...NOTHING, kind: 'file', title: title || name, text, layout }
}

async function readPage(means: Means, address: string, signal: AbortSignal): Promise<PageReading> {
  const video = await readVideo(means, address, signal)
  if (video) return { details: video }
  const state = means.start()
  for (let next = address; ; ) {
    const answer = await means.getPage(next, signal, state)
    if (!isPage(answer)) return { details: await detailsOfFile(means, address, answer) }
    const { bytes, charset, contentType, url, refresh } = answer
    const read = await means.decoder.readPage({ bytes, charset, contentType, asked: address, url, refresh })
    if ('details' in read) return { details: { ...read.details, ...(await picturesOf(means, url, read, signal)) } }
    if ('fault' in read) throw new WebFault(read.fault)
    addRedirect(state, { status: 200, to: read.refresh })
    next = read.refresh
  }
}

/** The details of what is no page: a picture, a PDF, a text, or any other file. */
async function detailsOfFile(means: Means, address: string, answer: Answer): Promise<PageDetails> {
  const { bytes, contentType, truncated } = answer
  if (contentType.startsWith('image/')) {
    // The address itself is what the owner saved, so an SVG is drawn here.
    const preview = truncated ? null : await means.decoder.shrinkPicture(bytes, PREVIEW_ROOM, true)
    return { ...NOTHING, kind: 'image', title: named(answer), preview }
  }
  if (contentType === PDF || isPdf(bytes)) return fileDetails(means, address, answer, PDF)
  if (isText(contentType)) return fileDetails(means, address, answer, contentType)
  return { ...NOTHING, kind: 'file', title: named(answer) }
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

/** Some servers do not say what they send, and some say that a PDF is a page. */
function isPage({ contentType, bytes }: Answer): boolean {
  if (isPdf(bytes)) return false
  if (contentType !== '') return contentType === 'text/html' || contentType === 'application/xhtml+xml'
  return /^\s*<(!doctype|html|head|body|title|meta)/i.test(new TextDecoder().decode(bytes.subarray(0, 256)))
}
