import { LIMITS } from '../contract/bookmark.ts'
import type { LinkReading } from '../contract/link-check.ts'
import type { PageDetails, PageReading } from '../contract/page-details.ts'
import type { Web } from '../contract/ports.ts'
import { addressOf, fileName } from '../core/address.ts'
import { cleanText } from '../core/clean-text.ts'
import { type Decoder, PREVIEW_ROOM, type Room } from './decoder.ts'
import {
  type Answer,
  addRedirect,
  createHostLocks,
  type FetchOptions,
  type FetchState,
  fetchGuarded,
  startFetch
} from './fetch-guarded.ts'
import { guardedAgent, type TestWire } from './guarded-agent.ts'
import { isPdf, isText, MAX_PDF_BYTES, PDF, WebFault } from './site-answer.ts'
import { detectRedirectToWall } from './walls.ts'

/** Maximum time for a page, or one of its pictures, in ms. */
const TIMEOUT_MS = 10_000

/** Maximum time for a picture of a text, in ms. Other requests to its host wait during this time. */
const PICTURE_TIMEOUT_MS = 5000

/** The size of a picture in a text, as wide as the text’s column on a high-density screen. */
const TEXT_ROOM: Room = { width: 1280, height: 4000 }

const ICON_ROOM: Room = { width: 64, height: 64 }

export interface WebOptions {
  version: string
  decoder: Decoder
  /** Replaces the internet, for tests. */
  wire?: TestWire | undefined
  patience?: number
}

/** Opens the web: requests to public hosts only. */
export function openWeb({ version, decoder, wire, patience = TIMEOUT_MS }: WebOptions): Omit<Web, 'isConnected'> {
  const agent = guardedAgent(wire)
  const options: FetchOptions = {
    agent,
    hostLocks: createHostLocks(),
    userAgent: `Mozilla/5.0 (compatible; Earmark/${version})`,
    patience
  }
  const pictureOptions = { ...options, patience: Math.min(patience, PICTURE_TIMEOUT_MS) }
  const reader: Reader = { options, decoder, icons: new Map() }

  return {
    async readPage(address, signal) {
      try {
        return await readPage(reader, address, signal)
      } catch (error) {
        if (!(error instanceof WebFault)) throw error
        const { fault, again, wait } = error
        // Bot protection may allow a request on another day, or from another network.
        return { fault, again: again || fault === 'wall', wait }
      }
    },
    readPicture: (address, signal) =>
      fetchPicture(address, pictureOptions, signal, (bytes) => decoder.shrinkPicture(bytes, TEXT_ROOM, true)),
    checkLink: (address, signal) => checkLink(address, options, signal),
    close: () => agent.destroy()
  }
}

interface Reader {
  options: FetchOptions
  decoder: Decoder
  /** Cached icons. A key is the site of the page that named the icon, and the icon’s address. `null` if there is none. */
  icons: Map<string, Uint8Array | null>
}

async function readPage(reader: Reader, address: string, signal: AbortSignal): Promise<PageReading> {
  const video = await readVideo(reader, address, signal)
  if (video) return { details: video }
  const options = { ...reader.options, maxPdfBytes: MAX_PDF_BYTES }
  const state: FetchState = startFetch(options)
  for (let next = address; ; ) {
    const answer = await fetchGuarded(next, options, signal, state)
    if (!isPage(answer)) return { details: await detailsOfFile(reader, address, answer) }
    const { bytes, charset, contentType, url, refresh } = answer
    const read = await reader.decoder.readPage({ bytes, charset, contentType, requested: address, url, refresh })
    if ('details' in read) return { details: { ...read.details, ...(await fetchPictures(reader, url, read, signal)) } }
    if ('fault' in read) throw new WebFault(read.fault)
    addRedirect(state, { status: 200, to: read.refresh })
    next = read.refresh
  }
}

/** Whether an answer is an HTML page. Some servers send no content type, or send that of HTML for a PDF. */
function isPage({ contentType, bytes }: Answer): boolean {
  if (isPdf(bytes)) return false
  if (contentType !== '') return contentType === 'text/html' || contentType === 'application/xhtml+xml'
  return /^\s*<(!doctype|html|head|body|title|meta)/i.test(new TextDecoder().decode(bytes.subarray(0, 256)))
}

const NO_DETAILS: Omit<PageDetails, 'kind' | 'title'> = {
  description: '',
  siteName: '',
  canonicalUrl: null,
  language: null,
  publishedAt: null,
  text: '',
  markdown: null,
  icon: null,
  preview: null
}

/** Describes a picture, a PDF, a text, or any other file. */
async function detailsOfFile({ decoder }: Reader, requested: string, answer: Answer): Promise<PageDetails> {
  const { bytes, charset, truncated, url } = answer
  const contentType = isPdf(answer.bytes) ? PDF : answer.contentType
  const name = cleanText(fileName(url), LIMITS.title)
  const file: PageDetails = { ...NO_DETAILS, kind: 'file', title: name }
  if (answer.contentType.startsWith('image/')) {
    // The owner saved the address of this picture itself, so an SVG is drawn, too.
    const preview = truncated ? null : await decoder.shrinkPicture(bytes, PREVIEW_ROOM, true)
    return { ...file, kind: 'image', preview }
  }
  if (!(contentType === PDF || isText(contentType)) || (truncated && contentType === PDF)) return file
  const read = await decoder.readPage({ bytes, charset, contentType, requested, url }).catch(ignoreFault)
  if (!read || !('details' in read)) return file
  const { title, text, markdown } = read.details
  return { ...file, title: title || name, text, markdown }
}

/**
 * Reads a video’s details from its site’s oEmbed answer, because its page has 1 MB or is only a question about cookies.
 */
async function readVideo(reader: Reader, address: string, signal: AbortSignal): Promise<PageDetails | undefined> {
  const embed = embedAddress(address)
  if (!embed) return undefined
  const answer = await fetchGuarded(embed, reader.options, signal).catch((error) => {
    if (error instanceof WebFault && error.fault !== 'unreachable') return undefined
    throw error
  })
  const video = answer && readEmbed(new TextDecoder().decode(answer.bytes))
  if (!video) return undefined
  const addresses = { icons: ['https://www.youtube.com/favicon.ico'], preview: video.picture }
  const { title, author } = video
  const pictures = await fetchPictures(reader, embed, addresses, signal)
  return {
    ...NO_DETAILS,
    kind: 'page',
    title: cleanText(title, LIMITS.title),
    description: cleanText(author, 100),
    siteName: 'YouTube',
    ...pictures
  }
}

function embedAddress(address: string): string | undefined {
  const { hostname, pathname, search } = new URL(address)
  const isShort = /(^|\.)youtu\.be$/.test(hostname)
  const isVideo = isShort ? pathname.length > 1 : /(^|\.)youtube\.com$/.test(hostname) && VIDEO.test(pathname + search)
  return isVideo ? `https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(address)}` : undefined
}

const VIDEO = /^\/(watch\?.*\bv=|shorts\/.|live\/.|playlist\?)/

function readEmbed(json: string): { title: string; author: string; picture: string | null } | undefined {
  try {
    const { title, author_name: author, thumbnail_url: picture } = JSON.parse(json) as Record<string, unknown>
    if (typeof title !== 'string' || title === '') return undefined
    return {
      title,
      author: typeof author === 'string' ? author : '',
      picture: typeof picture === 'string' && /^https?:/.test(picture) ? picture : null
    }
  } catch {
    return undefined
  }
}

/**
 * Fetches a page’s icon and preview at the same time. In sequence, the site of the second could measure how long
 * another site took for the first.
 */
async function fetchPictures(
  reader: Reader,
  page: string,
  addresses: { icons: string[]; preview: string | null },
  signal: AbortSignal
): Promise<Pick<PageDetails, 'icon' | 'preview'>> {
  const { options, decoder } = reader
  const shrink = (bytes: Uint8Array) => decoder.shrinkPicture(bytes, PREVIEW_ROOM, false)
  const [icon, preview] = await Promise.all([
    fetchIcon(reader, new URL(page).host, addresses.icons, signal),
    addresses.preview === null ? null : fetchPicture(addresses.preview, options, signal, shrink)
  ])
  return { icon, preview }
}

async function fetchPicture(
  url: string,
  options: FetchOptions,
  signal: AbortSignal,
  shrink: (bytes: Uint8Array) => Promise<Uint8Array | null>
): Promise<Uint8Array | null> {
  const answer = await fetchGuarded(url, options, signal).catch(ignoreFault)
  return answer && !answer.truncated ? shrink(answer.bytes) : null
}

const MAX_REMEMBERED_ICONS = 500

/**
 * Returns the first picture at these addresses, for a page of this site. Icons are cached for each site separately,
 * because otherwise a page that names the icon of another site could find out whether the owner saved that site.
 */
async function fetchIcon(reader: Reader, site: string, urls: string[], signal: AbortSignal) {
  for (const url of urls) {
    const key = `${site} ${url}`
    const { icons } = reader
    const icon = icons.has(key) ? icons.get(key) : await fetchOnce(reader, key, url, signal).catch(ignoreFault)
    if (icon) return icon
  }
  return null
}

async function fetchOnce({ options, decoder, icons }: Reader, key: string, url: string, signal: AbortSignal) {
  const answer = await fetchGuarded(url, options, signal).catch((error) => {
    // A permanent fault is cached too. Otherwise, each page of a site without an icon would request `/favicon.ico` again.
    if (error instanceof WebFault && !error.again) return undefined
    throw error
  })
  const icon = answer && !answer.truncated ? await decoder.shrinkPicture(answer.bytes, ICON_ROOM, false) : null
  if (icons.size >= MAX_REMEMBERED_ICONS) icons.clear()
  icons.set(key, icon)
  return icon
}

function ignoreFault(error: unknown): undefined {
  if (!(error instanceof WebFault)) throw error
}

/**
 * Checks whether a page exists. Sends HEAD first. If that fails, sends GET, because many servers answer HEAD with an
 * error although GET works.
 */
async function checkLink(address: string, options: FetchOptions, signal: AbortSignal): Promise<LinkReading> {
  const ask = (unread: 'HEAD' | 'GET') => fetchGuarded(address, { ...options, unread }, signal)
  try {
    const answer = await ask('HEAD').catch((error) => {
      if (error instanceof WebFault && mayBeTheMethod(error)) return ask('GET')
      throw error
    })
    const wall = detectRedirectToWall(address, answer.url)
    return wall ? { fault: wall } : { movedTo: movedTo(address, answer) }
  } catch (error) {
    if (!(error instanceof WebFault)) throw error
    const { link, wait } = error
    return { fault: link, wait }
  }
}

/** Whether GET may succeed after this fault of HEAD: after any status but 429, and after a broken connection. */
function mayBeTheMethod({ fault, status }: WebFault): boolean {
  return status === undefined ? fault === 'unreadable' : status !== 429
}

/** Returns the last address of the permanent redirects before the first temporary redirect. */
function movedTo(requested: string, { redirects }: Answer): string | null {
  const temporary = redirects.findIndex(({ status }) => status !== 301 && status !== 308)
  const lasting = (temporary === -1 ? redirects : redirects.slice(0, temporary)).map(({ to }) => new URL(to))
  const last = lasting.at(-1)
  if (!last) return null
  // RFC 9110, section 10.2.2: a redirect without a fragment keeps the one before.
  last.hash = lasting.reduce((hash, to) => to.hash || hash, new URL(requested).hash)
  const address = addressOf(last.href)
  return 'fault' in address ? null : address.url
}
