/** A file of a web archive. */
export interface ArchivedFile {
  /** Its media type, in lower case. */
  type: string
  charset: string | undefined
  location: string
  bytes: Buffer
}

/** The files of a web archive; the first is the page. */
export interface WebArchive {
  files: ArchivedFile[]
  /** Returns the file at an absolute address. Of several files with one address, returns the first. */
  find(address: string): ArchivedFile | undefined
}

/** Maximum length of the headers of an archive or of one of its files, in bytes. */
const MAX_HEADERS = 16_384

/** Maximum number of files of an archive. No page that people read has more. */
const MAX_FILES = 10_000

/**
 * Reads a web archive (MHTML, RFC 2557) as Chromium writes it.
 *
 * @returns `undefined` if the bytes are no web archive
 */
export function readArchive(bytes: Uint8Array): WebArchive | undefined {
  // Latin-1 has a character for each byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const { fields, end } = readHeaders(text, 0)
  const { type = '', boundary } = parameters(fields.get('content-type'))
  if (!type.startsWith('multipart/') || !boundary) return undefined
  const files: ArchivedFile[] = []
  const byAddress = new Map<string, ArchivedFile>()
  const mark = `\n--${boundary}`
  for (let from = text.indexOf(mark, end - 1); from >= 0 && files.length < MAX_FILES; ) {
    const start = text.indexOf('\n', from + mark.length) + 1
    const next = text.indexOf(mark, from + mark.length)
    // The text after the last boundary is no file. A file that is cut off is skipped.
    if (start === 0 || next < 0) break
    addFile(text, start, next)
    from = next
  }
  return { files, find: (address) => byAddress.get(address) }

  function addFile(text: string, start: number, next: number): void {
    const { fields, end } = readHeaders(text, start)
    const { type = '', charset } = parameters(fields.get('content-type'))
    const location = fields.get('content-location') ?? ''
    const id = /^<(.+)>$/.exec(fields.get('content-id') ?? '')?.[1]
    // The line break before a boundary belongs to the boundary.
    const body = decodeBody(text.slice(end, next).replace(/\r$/, ''), fields.get('content-transfer-encoding'))
    const file = { type, charset, location, bytes: body }
    files.push(file)
    for (const address of [location, id && `cid:${id}`]) {
      if (address && !byAddress.has(address)) byAddress.set(address, file)
    }
  }
}

/** Reads header fields, by their names in lower case, up to the empty line after them. */
function readHeaders(text: string, start: number): { fields: Map<string, string>; end: number } {
  const part = text.slice(start, start + MAX_HEADERS)
  const [head = '', gap = ''] = /^[\s\S]*?(\r?\n\r?\n)/.exec(part) ?? []
  const fields = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
  }
  return { fields, end: start + (gap === '' ? 0 : head.length) }
}

/** Returns a media type, its boundary and its charset. */
function parameters(contentType = ''): { type?: string; boundary?: string; charset?: string } {
  const value = (name: string) => new RegExp(`;\\s*${name}="?([^";]+)`, 'i').exec(contentType)?.[1]?.trim()
  return {
    type: contentType.split(';', 1)[0]?.trim().toLowerCase(),
    boundary: value('boundary'),
    charset: value('charset')
  }
}

function decodeBody(body: string, encoding = ''): Buffer {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64')
  if (!/^quoted-printable$/i.test(encoding)) return Buffer.from(body, 'latin1')
  const joined = body.replace(/=[ \t]*\r?\n/g, '')
  const decoded = joined.replace(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number(`0x${digits}`)))
  return Buffer.from(decoded, 'latin1')
}
