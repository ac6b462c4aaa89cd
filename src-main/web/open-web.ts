import { LIMITS } from '../contract/bookmark.ts'
import type { LinkReading } from '../contract/link-check.ts'
import type { PageDetails, PageReading } from '../contract/page-details.ts'
import type { Web } from '../contract/ports.ts'
import { addressOf } from '../core/address.ts'
import { fileName } from '../core/address-words.ts'
import { cleanText } from '../core/clean-text.ts'
import { type Decoder, PREVIEW_ROOM, type Room } from './decoder.ts'
import {
  type Answer,
  addRedirect,
  createTurns,
  type FetchOptions,
  type FetchState,
  fetchGuarded,
  startFetch
} from './fetch-guarded.ts'
import { guardedAgent, type TestWire } from './guarded-agent.ts'
import { isPdf, isText, MOST_PDF_BYTES, PDF } from './read-body.ts'
import { embedAddress, readEmbed } from './sites.ts'
import { ledToWall } from './walls.ts'
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

/** Icons remembered: a site's pages share theirs. */
const MOST_KEPT = 500

const ROOM = { width: 64, height: 64 }

/**
 * Fetches sites' icons, each once as long as it is remembered, and only for pages of the site that had it fetched: a page
 * that names another site's icon could otherwise tell, by whether it was fetched, which sites somebody saved.
 */
export function createIcons(get: (url: string, signal: AbortSignal) => Promise<Answer>, decoder: Decoder) {
  const kept = new Map<string, Uint8Array | null>()

  async function one(site: string, url: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const key = `${site} ${url}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const icon = await get(url, signal).then(
      ({ bytes, truncated }) => (truncated ? null : decoder.shrinkPicture(bytes, ROOM, false)),
      (error) => {
        // Most sites that have none at its usual place say so at every page.
        if (error instanceof WebFault && !error.again) return null
        throw error
      }
    )
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(key, icon)
    return icon
  }

  return {
    /** The first of these that is a picture, for a page of this site. */
    async first(site: string, urls: string[], signal: AbortSignal): Promise<Uint8Array | null> {
      for (const url of urls) {
        const icon = await one(site, url, signal).catch((error) => {
          if (error instanceof WebFault) return null
          throw error
        })
        if (icon) return icon
      }
      return null
    }
  }
}

/**
 * Asks whether a page is there, by HEAD at first: many servers answer that with an error where GET would do, so only
 * what GET says counts against a link.
 */
export async function checkLink(address: string, options: FetchOptions, signal: AbortSignal): Promise<LinkReading> {
  const ask = (unread: 'HEAD' | 'GET') => fetchGuarded(address, { ...options, unread }, signal)
  try {
    const answer = await ask('HEAD').catch((error) => {
      if (error instanceof WebFault && mayBeTheMethod(error)) return ask('GET')
      throw error
    })
    const wall = ledToWall(address, answer.url)
    return wall ? { fault: wall } : { movedTo: movedTo(address, answer) }
  } catch (error) {
    if (!(error instanceof WebFault)) throw error
    const { link, wait } = error
    return { fault: link, wait }
  }
}

/** The site answered, or broke off; but too many visitors are too many by any method. */
function mayBeTheMethod({ fault, status }: WebFault): boolean {
  return status === undefined ? fault === 'unreadable' : status !== 429
}

/** As far as the redirects, one after the other, say that they are for good. */
function movedTo(asked: string, { redirects }: Answer): string | null {
  const temporary = redirects.findIndex(({ status }) => status !== 301 && status !== 308)
  const lasting = (temporary === -1 ? redirects : redirects.slice(0, temporary)).map(({ to }) => new URL(to))
  const last = lasting.at(-1)
  if (!last) return null
  // RFC 9110, section 10.2.2: a redirect without a fragment keeps the one there was.
  last.hash = lasting.reduce((hash, to) => to.hash || hash, new URL(asked).hash)
  const address = addressOf(last.href)
  return 'fault' in address ? null : address.url
}
