import { parse, stringify } from 'yaml'
import { BOOKMARK_TYPES } from '../contract/bookmark.ts'
import type { Highlight } from '../contract/highlight.ts'
import type { GivenHighlight, ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import type { ArchiveFormat, ReadableBookmark } from '../contract/library-export.ts'
import { MAX_PAGE_MARKDOWN, type PageText } from '../contract/page-details.ts'
import type { NamedText } from '../contract/ports.ts'
import { cleanText, cut, foldName } from '../core/clean-text.ts'
import { isoTime } from '../core/iso-time.ts'
import { markdownOfText } from '../core/page-text.ts'
import { pageTextOf } from '../markdown/blocks.ts'
import { droppedIn, readDate, unreadDate } from './fields.ts'
import { createZip } from './zip.ts'

/**
 * Writes an archive with a Markdown file for each bookmark. The bookmark's fields are front matter in YAML, as Obsidian
 * reads it.
 */
export const writeMarkdown: ArchiveFormat = {
  id: 'markdown',
  contentType: 'application/zip',
  async *write(bookmarks) {
    const zip = createZip()
    const nameOf = createNames()
    for await (const readable of bookmarks) {
      const { picture, updatedAt } = readable.bookmark
      if (picture !== null) continue
      const { name, content } = markdownFile(readable)
      yield await zip.add({ name: `${nameOf(name)}.md`, content, time: updatedAt })
    }
    yield zip.end()
  }
}

export function markdownFile({ bookmark, page, highlights }: ReadableBookmark): NamedText {
  const { type, url, title, description, content, tags, visibility, createdAt, updatedAt } = bookmark
  const fields = {
    title: title || undefined,
    url: url ?? undefined,
    type,
    tags: tags.length > 0 ? tags : undefined,
    visibility: visibility === 'private' ? undefined : visibility,
    created: isoTime(createdAt),
    updated: isoTime(updatedAt),
    description: description || undefined,
    highlights: highlights.length > 0 ? highlights.map(shownInFront) : undefined
  }
  // YAML 1.1 gives some plain words, such as `no`, another meaning, so these words are quoted.
  const front = stringify(fields, { lineWidth: 0, compat: 'yaml-1.1' })
  const text = content || (page.markdown ?? markdownOfText(page.text))
  const body = text === '' && type === 'image' ? linkTo(url) : text
  const name = fileNameOf(title || (url ?? type).replace(/^https?:\/\/(www\.)?/, ''))
  return { name, content: `---\n${front}---\n${body === '' ? '' : `\n${body}\n`}` }
}

function shownInFront({ quote, note, color, createdAt }: Highlight) {
  return { quote, note: note || undefined, color, created: isoTime(createdAt) }
}

function linkTo(url: string | null): string {
  return `<${url}>`
}

/** Maximum length of a file's name without its ending, in UTF-16 code units, and in bytes, of which Linux allows 255. */
const MAX_NAME_LENGTH = 90
const MAX_NAME_BYTES = 230

/** Windows allows none of these names, whatever their ending and case are. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[. ])/i

/** Returns a function that makes file names unique, also for file systems that ignore case. */
export function createNames(): (name: string) => string {
  const uses = new Map<string, number>()
  return (name) => {
    for (let unique = name; ; ) {
      const count = (uses.get(foldName(unique)) ?? 0) + 1
      uses.set(foldName(unique), count)
      if (count === 1) return unique
      unique = `${name} (${count})`
    }
  }
}

/** Returns a title as a name of a file that Windows allows, without an ending. */
export function fileNameOf(title: string): string {
  const allowed = cleanText(title.replace(/[<>:"/\\|?*\p{Cc}]/gu, ' '), MAX_NAME_LENGTH).normalize('NFC')
  let name = cut(allowed.replace(/^[. ]+/, ''), MAX_NAME_LENGTH - ' (99999)'.length)
  while (Buffer.byteLength(name) > MAX_NAME_BYTES) name = cut(name, name.length - 1)
  return name.replace(/[. ]+$/, '').replace(RESERVED, '_$1') || 'Untitled'
}

const FRONT_MATTER = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/** A Markdown file whose front matter has an address, or the type `text` or `color`. */
export const markdownFiles: ImportFormat<ImportedRecord> = {
  id: 'markdown',
  name: 'Markdown with front matter',
  recognises: (head) => /^url: *\S|^type: (text|color)\r?$/m.test(FRONT_MATTER.exec(head)?.[1] ?? ''),
  read(text) {
    const match = FRONT_MATTER.exec(text)
    if (!match) return []
    const fields = readFields(match[1] ?? '')
    return [fields ? recordOf(fields, text.slice(match[0].length).trim()) : NOT_YAML]
  }
}

const NOT_YAML: ImportedRecord = {
  fault: 'front matter that is not YAML',
  url: '',
  title: '',
  description: '',
  tags: []
}

function recordOf({ tags = [], ...fields }: Record<string, unknown>, body: string): ImportedRecord {
  const { url, title, type: named, visibility, created, updated, description, highlights, ...others } = fields
  const type = BOOKMARK_TYPES.find((name) => name === named) ?? 'link'
  const hasOwnText = type === 'text' || type === 'color'
  const hasPageText = !hasOwnText && body !== '' && body !== linkTo(textOf(url))
  const list = Array.isArray(tags) ? tags : textOf(tags).split(',')
  return {
    line: 1,
    type,
    url: textOf(url),
    title: textOf(title),
    description: textOf(description),
    content: hasOwnText ? body : '',
    pageText: hasPageText ? readBody(body) : undefined,
    highlights: Array.isArray(highlights) ? highlights.map(readHighlight) : undefined,
    tags: list.map(textOf),
    createdAt: readDate(created),
    isPrivate: visibility !== 'public' || undefined,
    dropped: droppedIn({
      dates: unreadDate(created),
      'times of change': updated,
      'other columns': Object.keys(others)
    })
  }
}

/** Reads a highlight of the front matter. Other programs may write only its quote. */
function readHighlight(value: unknown): GivenHighlight {
  if (typeof value !== 'object' || value === null) return { quote: textOf(value) }
  const { quote, note, color, created }: Record<string, unknown> = { ...value }
  return { quote: textOf(quote), note: textOf(note), color: textOf(color), createdAt: readDate(created) }
}

/** Returns the fields as texts and lists of texts; `undefined` if they are not YAML. */
function readFields(yaml: string): Record<string, unknown> | undefined {
  try {
    const fields: unknown = parse(yaml, { schema: 'failsafe', logLevel: 'error', maxAliasCount: 0 })
    return typeof fields === 'object' && fields !== null ? { ...fields } : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads the text below the front matter. Its part beyond the maximum length is only kept so that a cut is reported. */
function readBody(body: string): PageText {
  const markdown = body.slice(0, 2 * MAX_PAGE_MARKDOWN)
  try {
    return { text: pageTextOf(cut(markdown, MAX_PAGE_MARKDOWN)).text, markdown }
  } catch {
    return { text: markdown, markdown: null } // its blocks are nested too deeply
  }
}
