import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MAX_PAGE_TEXT, type PageDetails } from '../../src-main/contract/page-details.ts'
import type { Web } from '../../src-main/contract/ports.ts'
import { internet } from '../../src-main/web/internet.ts'
import { MAX_PDF_BYTES } from '../../src-main/web/site-answer.ts'
import { pdfFile } from '../support/hostile-files.ts'
import {
  type Answering,
  page,
  redirect,
  silence,
  startTestWeb,
  type TestWeb,
  testDecoder
} from '../support/test-web.ts'
import { PAGES, pageAt } from './pages.ts'

const never = new AbortController().signal

function webOn(wire: TestWeb['wire'], patience = 10_000): Web {
  const web = internet({ version: 'test', decoder: testDecoder(), wire, patience })
  onTestFinished(() => web.close())
  return web
}

async function detailsOf(web: Web, url: string): Promise<PageDetails> {
  const reading = await web.readPage(url, never)
  if (!('details' in reading)) throw new Error(`${url}: ${reading.fault}`)
  return reading.details
}

describe('pages', () => {
  let web: Web
  beforeAll(async () => {
    const closing: (() => Promise<void>)[] = []
    const { wire } = await startTestWeb(pageAt, undefined, (close) => closing.push(close))
    web = internet({
      version: 'test',
      decoder: testDecoder({ patience: 40_000 }, (close) => closing.push(async () => close())),
      wire
    })
    return async () => {
      await web.close()
      for (const close of closing) await close()
    }
  })

  test('there are enough of them', () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(60)
    expect(new Set(PAGES.map(({ url }) => url)).size).toBe(PAGES.length)
  })

  test.for(PAGES.map((one) => [one.name, one] as const))('%s', async ([, { url, fault, details, says, withholds }]) => {
    const reading = await web.readPage(url, never)
    if (fault) return expect(reading).toMatchObject({ fault })
    expect(reading).toMatchObject({ details: details ?? {} })
    const text = 'details' in reading ? `${reading.details.text}\n${reading.details.markdown}` : ''
    if (says) expect(text).toContain(says)
    if (withholds) expect(text).not.toContain(withholds)
  })
})

/** A picture of one color. */
function picture(width: number, height: number, type: 'png' | 'jpeg' | 'webp' | 'avif' | 'gif'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#c06020' } })
    .toFormat(type)
    .toBuffer()
}

function sent(bytes: Buffer | string, type: string): Answering {
  return page(bytes, { 'content-type': type })
}

async function sizeOf(bytes: Uint8Array | null): Promise<string> {
  if (bytes === null) return 'none'
  const { format, width, height } = await sharp(bytes).metadata()
  return `${format} ${width}x${height}`
}

/** An icon file of one 32-bit picture, 16 pixels wide, as Windows has them. */
function bitmapIcon(): Buffer {
  const side = 16
  const icon = Buffer.alloc(22 + 40 + side * side * 4 + side * 4, 0x7f)
  icon.writeUInt16LE(0, 0)
  icon.writeUInt16LE(1, 2)
  icon.writeUInt16LE(1, 4)
  icon.set([side, side, 0, 0, 1, 0, 32, 0], 6)
  icon.writeUInt32LE(icon.length - 22, 14)
  icon.writeUInt32LE(22, 18)
  icon.fill(0, 22, 62)
  icon.writeUInt32LE(40, 22)
  icon.writeInt32LE(side, 26)
  icon.writeInt32LE(side * 2, 30)
  icon.writeUInt16LE(1, 34)
  icon.writeUInt16LE(32, 36)
  return icon
}

test('a page’s icon and picture are stored as small copies; an SVG is left out for the next icon', async () => {
  const files: Record<string, Answering> = {
    'big.example/p.jpg': sent(await picture(3000, 1500, 'jpeg'), 'image/jpeg'),
    'big.example/i.png': sent(await picture(180, 180, 'png'), 'image/png'),
    'svg.example/i.svg': sent(
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
      'image/svg+xml'
    ),
    'svg.example/favicon.ico': sent(bitmapIcon(), 'image/x-icon'),
    'svg.example/p.webp': sent(await picture(320, 200, 'webp'), 'image/webp'),
    'ico.example/favicon.ico': sent(bitmapIcon(), 'image/x-icon'),
    'ico.example/p.gif': sent(await picture(40, 30, 'gif'), 'image/gif')
  }
  const pages: Record<string, Answering> = {
    'big.example/': page('<link rel="icon" sizes="180x180" href="i.png"><meta property="og:image" content="/p.jpg">'),
    'svg.example/': page('<link rel="shortcut icon" href="/i.svg"><meta name="twitter:image" content="p.webp">'),
    'ico.example/': page('<meta property="og:image" content="p.gif">')
  }
  const { wire } = await startTestWeb((target) => files[target] ?? pages[target])
  const web = webOn(wire)
  const sizes: Record<string, string[]> = {}
  for (const host of ['big', 'svg', 'ico']) {
    const { icon, preview } = await detailsOf(web, `http://${host}.example/`)
    sizes[host] = [await sizeOf(icon), await sizeOf(preview)]
  }
  expect(sizes).toEqual({
    big: ['webp 64x64', 'webp 640x320'],
    svg: ['webp 16x16', 'webp 320x200'],
    ico: ['webp 16x16', 'webp 40x30']
  })
})

test('invalid, oversized or private pictures leave the page’s text readable', async () => {
  const files: Record<string, Answering> = {
    'a.example/': page('<title>A</title><link rel=icon href=i><meta property="og:image" content="http://127.0.0.1/p">'),
    'a.example/i': sent('<html>no picture', 'image/png'),
    'b.example/': page('<title>B</title><meta property="og:image" content="/huge.png">'),
    'b.example/huge.png': sent(Buffer.alloc(3_000_000, 1), 'image/png'),
    'c.example/': page('<title>C</title><meta property="og:image" content="/bomb.png">'),
    'c.example/bomb.png': sent(await picture(9000, 9000, 'png'), 'image/png'),
    'd.example/': page('<title>D</title><link rel=icon href=/slow>'),
    'd.example/slow': silence
  }
  const { wire } = await startTestWeb((target) => files[target])
  const web = webOn(wire, 3000)
  for (const name of ['a', 'b', 'c', 'd']) {
    const { title, icon, preview } = await detailsOf(web, `http://${name}.example/`)
    expect([title, icon, preview]).toEqual([name.toUpperCase(), null, null])
  }
})

test('an image address yields an image', async () => {
  const { wire } = await startTestWeb((target) => (target === 'a.example/cat%20photo.avif' ? avif : undefined))
  const avif = sent(await picture(100, 50, 'avif'), 'image/avif')
  const { kind, title, preview } = await detailsOf(webOn(wire), 'http://a.example/cat%20photo.avif')
  expect([kind, title, await sizeOf(preview)]).toEqual(['image', 'cat photo.avif', 'webp 100x50'])
})

test('a PDF yields title and text; an unreadable one yields its file name', async () => {
  const herons = pdfFile(
    [['A heron stood by the wa-', 'ter, and waited.'], ['Then it \\(the heron\\) flew.']],
    'On herons'
  )
  const files: Record<string, Answering> = {
    'a.example/1.pdf': page(herons, { 'content-type': 'application/pdf' }),
    'a.example/download?2': page(herons, { 'content-type': 'application/octet-stream' }),
    'a.example/word.pdf': page(pdfFile([['Text']], 'Microsoft Word - draft.doc'), {
      'content-type': 'application/pdf'
    }),
    'a.example/broken.pdf': page(herons.subarray(0, 300), { 'content-type': 'application/pdf' }),
    'a.example/pictures.pdf': page(Buffer.concat([herons, Buffer.alloc(3_000_000, 32)])),
    'a.example/large.pdf': page(Buffer.concat([herons, Buffer.alloc(MAX_PDF_BYTES, 32)]), {
      'content-type': 'application/pdf'
    })
  }
  const { wire } = await startTestWeb((target) => files[target])
  const web = webOn(wire)
  const said = {
    kind: 'file',
    title: 'On herons',
    text: 'A heron stood by the water, and waited.\fThen it (the heron) flew.',
    markdown: null
  }
  expect(await detailsOf(web, 'http://a.example/1.pdf')).toMatchObject(said)
  expect(await detailsOf(web, 'http://a.example/download?2')).toMatchObject(said)
  expect(await detailsOf(web, 'http://a.example/pictures.pdf')).toMatchObject(said)
  expect(await detailsOf(web, 'http://a.example/word.pdf')).toMatchObject({ title: 'word.pdf', text: 'Text' })
  expect(await detailsOf(web, 'http://a.example/broken.pdf')).toMatchObject({ title: 'broken.pdf', text: '' })
  expect(await detailsOf(web, 'http://a.example/large.pdf')).toMatchObject({ title: 'large.pdf', text: '' })
})

test('a PDF’s text stops at the stored length', async () => {
  const words = Array.from({ length: 40 }, () => 'many herons stood by the water and waited for the evening')
  const { wire } = await startTestWeb(() =>
    page(pdfFile(Array.from({ length: 120 }, () => words)), { 'content-type': 'application/pdf' })
  )
  const { text } = await detailsOf(webOn(wire), 'http://a.example/long.pdf')
  expect(text.length).toBeGreaterThan(MAX_PAGE_TEXT * 0.9)
  expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
})

test('a site’s icon is fetched once for many of its pages', async () => {
  const icon = sent(await picture(32, 32, 'png'), 'image/png')
  const { wire, asked } = await startTestWeb((target) =>
    target.endsWith('/icon.png') ? icon : page('<link rel=icon href=/icon.png>')
  )
  const web = webOn(wire)
  for (let index = 0; index < 5; index++) await detailsOf(web, `http://a.example/${index}`)
  expect(asked.filter((target) => target.endsWith('icon.png'))).toHaveLength(1)
})

test('a site’s cached icon is not used for other sites’ pages', async () => {
  const icon = sent(await picture(32, 32, 'png'), 'image/png')
  const { wire, asked } = await startTestWeb((target) => {
    if (target === 'private.example/icon.png') return icon
    return page('<link rel=icon href=http://private.example/icon.png>')
  })
  const web = webOn(wire)
  await detailsOf(web, 'http://private.example/')
  for (const path of ['1', '2']) {
    expect(await sizeOf((await detailsOf(web, `http://asking.example/${path}`)).icon)).toBe('webp 32x32')
  }
  expect(asked.filter((target) => target === 'private.example/icon.png')).toHaveLength(2)
})

test('icon and picture are fetched at the same time', async () => {
  const file = sent(await picture(32, 32, 'png'), 'image/png')
  const waiting: (() => void)[] = []
  const { wire } = await startTestWeb((target) => {
    if (target === 'slow.example/icon.png') return (request, response) => waiting.push(() => file(request, response))
    if (target !== 'a.example/picture.png') {
      return page('<link rel=icon href=http://slow.example/icon.png><meta property=og:image content=picture.png>')
    }
    return (request, response) => {
      for (const answer of waiting) answer()
      file(request, response)
    }
  })
  const { icon, preview } = await detailsOf(webOn(wire, 2000), 'http://a.example/')
  expect([await sizeOf(icon), await sizeOf(preview)]).toEqual(['webp 32x32', 'webp 32x32'])
})

test('a text file is read in the decoder’s process, up to the stored length', async () => {
  const lines = gzipSync(`Notes${'\r'.repeat(2_000_000)}`)
  const { wire } = await startTestWeb(() => page(lines, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }))
  const web = webOn(wire)
  await detailsOf(web, 'http://a.example/first')
  const begun = process.threadCpuUsage()
  for (const path of '12345') {
    expect(await detailsOf(web, `http://a.example/${path}`)).toMatchObject({ kind: 'file', text: 'Notes' })
  }
  expect(process.threadCpuUsage(begun).user).toBeLessThan(300_000)
})

test('HTTP redirects and meta refreshes share one limit and one cookie jar', async () => {
  const { wire, asked } = await startTestWeb((target) => (request, response) => {
    const left = Number(/\d+$/.exec(target)?.[0])
    if (left === 0) page(`<title>${request.headers.cookie}</title>`)(request, response)
    else if (left % 2) redirect(`/${left - 1}`)(request, response)
    else page(`<meta http-equiv=refresh content="0; url=/${left - 1}">`, { 'set-cookie': 'id=1' })(request, response)
  })
  const web = webOn(wire)
  expect(await detailsOf(web, 'http://a.example/20')).toMatchObject({ title: 'id=1' })
  asked.length = 0
  expect(await web.readPage('http://a.example/21', never)).toEqual({ fault: 'redirects', again: false })
  expect(asked).toHaveLength(21)
})

test('a chain of meta refreshes shares one timeout', async () => {
  const { wire } = await startTestWeb((target) => (request, response) => {
    const next = Number(/\d+$/.exec(target)?.[0]) + 1
    setTimeout(() => page(`<meta http-equiv=refresh content="0; url=/${next}">`)(request, response), 120)
  })
  expect(await webOn(wire, 400).readPage('http://a.example/1', never)).toMatchObject({ fault: 'slow', again: true })
})

test('an aborted read rejects', async () => {
  const { wire } = await startTestWeb(() => silence)
  const leaving = new AbortController()
  const reading = webOn(wire).readPage('http://a.example/', leaving.signal)
  leaving.abort()
  await expect(reading).rejects.toThrow()
})

test('closing ends reads in progress and refuses new ones', async () => {
  const { wire, asked } = await startTestWeb(() => silence)
  const web = internet({ version: 'test', decoder: testDecoder(), wire })
  const reading = web.readPage('http://a.example/', never)
  await expect.poll(() => asked).toHaveLength(1)
  await web.close()
  await expect(reading).resolves.toMatchObject({ again: true })
  await expect(web.readPage('http://b.example/', never)).rejects.toThrow('closed')
  expect(web.isConnected()).toBe(true)
})
