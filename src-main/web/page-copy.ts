import { Parser } from 'htmlparser2'
import { COPY_POLICY, type CopyFault, MAX_COPY_BYTES } from '../contract/page-copy.ts'
import { type CssContext, cleanCss, dataUrl } from './copy-css.ts'
import { type ArchivedFile, readArchive, type WebArchive } from './mhtml.ts'
import { decodePage } from './read-html.ts'

/**
 * Converts a page that a browser sent, a web archive (MHTML) or HTML, to one HTML file that runs nothing and requests
 * nothing, automatically or after a click.
 *
 * The result is written from scratch, not filtered: this module writes each tag with its attributes, and escapes every
 * other `<`. So a browser with a different parser finds no other tags in it.
 */
export function convertCopy(bytes: Uint8Array): Uint8Array<ArrayBuffer> | { fault: CopyFault } {
  try {
    const archive = readArchive(bytes)
    const page = archive ? archive.files.find(isPage) : { type: '', charset: undefined, location: '', bytes }
    const html =
      page && writePage(page, { archive, room: { left: MAX_COPY_BYTES, embedded: MAX_COPY_BYTES }, depth: 0 })
    if (!html) return { fault: 'unreadable' }
    const copy = new TextEncoder().encode(html)
    return copy.length > MAX_COPY_BYTES ? { fault: 'too-large' } : copy
  } catch (error) {
    if (error instanceof Unconvertible) return { fault: error.fault }
    throw error
  }
}

class Unconvertible extends Error {
  readonly fault: CopyFault

  constructor(fault: CopyFault) {
    super(fault)
    this.fault = fault
  }
}

interface CopyContext {
  archive: WebArchive | undefined
  /** The rest of the whole copy’s maximum size: UTF-16 code units to write (`left`), and bytes to embed (`embedded`). */
  room: { left: number; embedded: number }
  /** Number of frames around this page. */
  depth: number
}

function isPage({ type }: ArchivedFile): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml'
}

/** Elements that are left out together with their content. */
const REFUSED = new Set(
  `applet audio base embed fencedframe frame frameset iframe link meta noembed noframes noscript object plaintext portal
  script template xmp`.split(/\s+/)
)

/** Elements that have no end tag. */
const VOID = new Set('area br col hr img input param source track wbr'.split(' '))

/** Maximum depth of elements. Of deeper elements only the text is written. Browsers have such a limit too. */
const MAX_DEPTH = 500

/** Maximum number of open elements. No page in a browser has so many, and the parser is slow if there are more. */
const MAX_OPEN = 10_000

const MAX_FRAMES_DEPTH = 3

/** Returns the HTML of a page; `undefined` if it has no element. */
function writePage(page: Pick<ArchivedFile, 'charset' | 'location'> & { bytes: Uint8Array }, context: CopyContext) {
  const { archive, room, depth } = context
  const output: string[] = []
  /** The end tags of the open elements; empty for an element that is not written. */
  const ends: string[] = []
  const css: CssContext = {
    base: page.location,
    find: (address) => archive?.find(address),
    spend(length) {
      room.embedded -= length
      if (room.embedded < 0) throw new Unconvertible('too-large')
    },
    depth: 0
  }
  /** Number of open elements since one began that is left out. */
  let refused = 0
  let style: string | undefined
  let begun = false
  let elements = 0

  function begin(): void {
    // A frame has the policy of the page that contains it.
    if (!begun && depth === 0) write(HEAD)
    begun = true
  }

  function write(text: string): void {
    room.left -= text.length
    if (room.left < 0) throw new Unconvertible('too-large')
    output.push(text)
  }

  function open(name: string, given: Record<string, string>): void {
    if (ends.length + refused > MAX_OPEN) throw new Unconvertible('unreadable')
    if (refused > 0 || style !== undefined) {
      if (style === undefined) refused += 1
      else ends.push('')
      return
    }
    elements += 1
    const shadow = name === 'template' && (given.shadowrootmode ?? given.shadowmode)
    if (name === 'link') writeSheet(given)
    if (name === 'iframe') writeFrame(given)
    if ((REFUSED.has(name) && !shadow) || (name === 'input' && given.type?.toLowerCase() === 'hidden')) {
      refused = 1
      return
    }
    if (name === 'style') style = ''
    const isWritten = ends.length < MAX_DEPTH && /^[a-z][a-z\d-]*$/i.test(name) && name !== 'style'
    ends.push(isWritten && !VOID.has(name) ? `</${name}>` : '')
    if (name === 'style') write(`<style${attributes(name, { media: given.media ?? '' }, css)}>`)
    else if (isWritten) write(`<${name}${shadow ? ' shadowrootmode="open"' : ''}${attributes(name, given, css)}>`)
  }

  function close(name: string): void {
    if (refused > 0) {
      refused -= 1
      return
    }
    const end = ends.pop() ?? ''
    if (name === 'style' && style !== undefined) {
      write(`${cleanCss(style, css)}</style>`)
      style = undefined
    } else if (end !== '') write(end)
  }

  /** Writes a style sheet of the archive instead of its link. */
  function writeSheet({ rel = '', href, media = '', disabled }: Record<string, string>): void {
    const sheet = find(href)
    if (!sheet || disabled !== undefined || !/\bstylesheet\b/i.test(rel) || /\balternate\b/i.test(rel)) return
    css.spend(sheet.bytes.length)
    const text = cleanCss(decodePage(sheet.bytes, sheet.charset), { ...css, base: sheet.location || css.base })
    write(`<style${attributes('style', { media }, css)}>${text}</style>`)
  }

  /** Writes a frame of the archive as a page within this page. Its empty `sandbox` gives it no permissions. */
  function writeFrame(given: Record<string, string>): void {
    const frame = find(given.src)
    if (!frame || !isPage(frame) || depth >= MAX_FRAMES_DEPTH || ends.length >= MAX_DEPTH) return
    css.spend(frame.bytes.length)
    const html = writePage(frame, { archive, room, depth: depth + 1 }) ?? ''
    write(`<iframe sandbox="" srcdoc="${escapeAttribute(html)}"${attributes('iframe', given, css)}></iframe>`)
  }

  function find(address: string | undefined): ArchivedFile | undefined {
    return address && URL.canParse(address, css.base || undefined)
      ? archive?.find(new URL(address, css.base || undefined).href.replace(/#.*$/s, ''))
      : undefined
  }

  const parser = new Parser({
    onprocessinginstruction(_, data) {
      // The doctype decides whether browsers use standards, limited-quirks or quirks mode.
      if (!begun && /^!doctype html[\w\s"'/.:+-]{0,200}$/i.test(data)) write(`<${data}>`)
    },
    onopentag(name, given) {
      begin()
      open(name, given)
    },
    ontext(text) {
      if (style !== undefined) style += text
      else if (refused === 0 && (begun || text.trim() !== '')) {
        begin()
        write(escapeText(text))
      }
    },
    onclosetag: close
  })
  parser.end(decodePage(page.bytes, page.charset))
  return elements > 0 ? output.join('') : undefined
}

/** Protects a copy that is opened from its folder, because there are no HTTP headers then. */
const HEAD =
  '<meta charset="utf-8"><meta name="referrer" content="no-referrer">' +
  `<meta http-equiv="Content-Security-Policy" content="${COPY_POLICY}">`

/** Attributes for appearance, names and descriptions. None of them requests or opens anything. */
const ALLOWED = new Set(
  `accent accentunder align alignment-baseline alt baseline-shift bgcolor border cellpadding cellspacing checked class
  clip-path clip-rule clippathunits color color-interpolation-filters cols colspan columnalign columnspacing controls cx cy
  d datetime decoding dir disabled display displaystyle dominant-baseline dx dy encoding exportparts face fence fill
  fill-opacity fill-rule filter filterunits flood-color flood-opacity font-family font-size font-style font-weight for
  frameborder fx fy gradienttransform gradientunits headers height hidden high hspace id in in2 inert label lang
  lengthadjust letter-spacing linethickness low lspace marker-end marker-mid marker-start markerheight markerunits
  markerwidth mask maskcontentunits maskunits mathvariant max maxlength media min mode multiple name noshade nowrap offset
  opacity open operator optimum order orient overflow paint-order part pathlength patterncontentunits patterntransform
  patternunits placeholder points popover preserveaspectratio primitiveunits r radius readonly refx refy result reversed
  role rotate rowalign rows rowspacing rowspan rspace rules rx ry scope scriptlevel scrolling selected separator
  shape-rendering size slot span spreadmethod start startoffset stddeviation stop-color stop-opacity stretchy stroke
  stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style
  summary tablevalues text-anchor textlength title transform translate type valign value values vector-effect version
  viewbox visibility vspace width word-spacing wrap writing-mode x x1 x2 xmlns y y1 y2 z`.split(/\s+/)
)

/** Attributes whose picture is embedded, by their elements. */
const PICTURES = new Map([
  ['img', ['src']],
  ['input', ['src']],
  ['video', ['poster']],
  ['image', ['href', 'xlink:href']],
  ['feImage', ['href', 'xlink:href']],
  ['body', ['background']],
  ['table', ['background']],
  ['td', ['background']],
  ['th', ['background']]
])

/** Elements of SVG that refer to another element of the page. */
const REFERRING = new Set('use linearGradient radialGradient pattern textPath mpath filter'.split(' '))

/** Attributes whose value is words, not CSS. */
const WORDS = /^(?:data-|aria-|alt$|title$|value$|placeholder$|label$|name$|id$|for$|class$)/

function attributes(element: string, given: Record<string, string>, css: CssContext): string {
  let text = ''
  const add = (name: string, value: string) => {
    text += ` ${name}="${escapeAttribute(value)}"`
  }
  for (const [name, value] of Object.entries(given)) {
    if (PICTURES.get(element)?.includes(name)) {
      const picture = dataUrl(value, css)
      if (picture) add(name, picture)
    } else if (REFERRING.has(element) && /^(?:xlink:)?href$/.test(name)) {
      if (value.startsWith('#')) add('href', value)
    } else if (!isAllowed(name) || (name === 'value' && given.type?.toLowerCase() === 'password')) {
    } else if (name === 'style' || (/url\(|\\/i.test(value) && !WORDS.test(name))) add(name, cleanCss(value, css))
    else if (value !== '' || name !== 'media') add(name, value)
  }
  // A link opens nothing, so its tooltip shows its address.
  const { href } = given
  if (element === 'a' && href && !given.title && /^https?:/i.test(href)) add('title', href)
  return text
}

function isAllowed(name: string): boolean {
  return ALLOWED.has(name) || /^(?:data|aria)-[a-z\d_-]+$/.test(name)
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}
