/**
 * Decodes untrusted bytes (pages, PDFs, pictures) in a separate process, one request at a time. Decoders can crash,
 * hang or take all memory. A thread would not be enough, because V8’s fatal errors and native crashes end the whole
 * process, and native code cannot be interrupted.
 */
import { constants, setPriority } from 'node:os'
import { limitProcess } from '../integrations/limit-process.ts'
import { type Decoded, type DecoderReply, type DecoderRequest, MAX_DECODING_MS } from './decoder.ts'
import { colorsOfPicture, inspectPicture, shrinkPicture } from './pictures.ts'

/** Maximum memory, in bytes. An AVIF of 40 million pixels, the largest picture that is decoded, takes 820 MB. */
const MAX_RSS = 1000 * 2 ** 20

/**
 * Maximum memory after a request, in bytes. A process that uses more is replaced. The maximum is lower after a
 * picture, because decoding the next picture needs more memory at once.
 */
const LARGE_RSS = { page: 250 * 2 ** 20, picture: 150 * 2 ** 20 }

/** Maximum processor time of a request, in ms. */
const MAX_CPU_MS = 5000

// These limits matter if the parent process has ended, which otherwise kills this process after `MAX_DECODING_MS`.
const limited = limitProcess({ maxCpuMs: MAX_CPU_MS, maxMs: 1.2 * MAX_DECODING_MS, maxRss: MAX_RSS })
// Searches and saves have priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// Electron's utility process has a port instead of Node's IPC.
const port = process.parentPort
if (port) port.on('message', ({ data }) => answer(data as DecoderRequest))
else process.on('message', (request: DecoderRequest) => answer(request)).on('disconnect', () => process.exit())
send('started')

async function answer(request: DecoderRequest): Promise<void> {
  const value = await limited(() => decode(request)).catch(() => undefined)
  const isPage = request.kind === 'read-page' || request.kind === 'convert-copy'
  const large = LARGE_RSS[isPage ? 'page' : 'picture']
  send({ value, isLarge: process.memoryUsage.rss() > large })
}

async function decode(request: DecoderRequest): Promise<Decoded[DecoderRequest['kind']]> {
  switch (request.kind) {
    case 'read-page':
      return (await import('./read-page.ts')).readPage(request.page)
    case 'shrink-picture':
      return shrinkPicture(request.bytes, request.room, request.drawing)
    case 'inspect-picture':
      return inspectPicture(request.bytes)
    case 'convert-copy':
      return (await import('./page-copy.ts')).convertCopy(request.bytes)
    case 'find-colors':
      return colorsOfPicture(request.bytes)
  }
}

function send(reply: DecoderReply): void {
  if (port) port.postMessage(reply)
  else process.send?.(reply)
}
