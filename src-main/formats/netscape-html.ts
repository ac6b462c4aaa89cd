import { LIMITS } from '../contract/bookmark.ts'
import type { ImportedEntry, ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import {
  droppedIn,
  FolderPath,
  folderName,
  isSeparator,
  isSet,
  readDate,
  splitLines,
  stateTags,
  unreadDate
} from './fields.ts'
import { BLOCKS, TagParser } from './html.ts'

/**
 * The Netscape bookmark file that every browser exports: `<DT><A HREF ADD_DATE TAGS>title</A>`, a description in the
 * `<DD>` after it, folders as `<DT><H3>name</H3><DL>`. A folder's path becomes a tag; the roots that a browser names do
 * not. Services add states of their own, and Scuttle writes the description as an attribute.
 */
export const netscapeHtml: ImportFormat<ImportedEntry> = {
  id: 'netscape',
  name: 'Netscape HTML',
  recognises: (head) =>
    /^\s*</.test(head) &&
    /<!doctype\s+netscape-bookmark-file-1|<(dl|dt)[^>]{0,99}>\s{0,99}(<p>\s{0,99})?<(a|h3)[\s>]/i.test(head),
  read: (text) => new NetscapeReader().read(text)
}

/** Maximum length of a title or a description, in UTF-16 code units. It leaves room for white space. */
const MAX_TEXT_LENGTH = 16_384

/**
 * Some programs write titles and descriptions without escapes. An unclosed `<script>`, `<!--` or quote in them would
 * hide all bookmarks after it. So other markup than the format's counts as text, unless it ends within its line.
 * This pattern finds the tags to check: all except the format's own, and links without a `<DT>` before them.
 */
const LOOSE_MARKUP = /<(?!\/?(?:dt|dd|dl|h[1-6]|hr|p)[\s>]|\/a[\s>]|a[\s>])|(?<!<dt>\s{0,9})<a(?=[\s>])/gi

/** A tag with its attributes, or a comment, from its beginning to its end. */
const WHOLE_TAG =
  /^<(?:\/?[a-z][\w:-]*(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>|!--.*?-->)/is

/** Maximum length of a tag that is checked, and of a piece of a line that is parsed at once, in UTF-16 code units. */
const MAX_TAG_LENGTH = 16_384
const MAX_LINE_LENGTH = 65_536

/** Whether this tag, whose content HTML reads as text up to its end tag, has no end tag in its line. */
function isUnclosed(tag: string): boolean {
  const name = /^<(script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext)(?=[\s>/])/i.exec(tag)?.[1]
  return name !== undefined && !tag.toLowerCase().includes(`</${name.toLowerCase()}>`)
}

/** The tag that linkding's export gives to archived bookmarks (bookmarks/services/exporter.py). */
const LINKDING_ARCHIVED = 'linkding:bookmarks.archived'

/** linkding's export writes the notes after the description, between these marks. */
const LINKDING_NOTES = { begin: '[linkding-notes]', end: '[/linkding-notes]' }

class NetscapeReader {
  readonly #html = new TagParser({
    open: (name, attributes) => this.#opened(name, attributes),
    close: (name) => this.#closed(name),
    text: (text) => this.#add(text)
  })
  readonly #complete: ImportedEntry[] = []
  /** The bookmark whose description may still follow. */
  #open: ImportedRecord | undefined
  readonly #path = new FolderPath()
  #collecting: 'title' | 'folder' | 'description' | undefined
  #text = ''
  #folderIsRoot = false
  #nextFolder = ''
  /** Whether bookmarks begin with `<DT>`, as in nearly all files. Then a link in a description is no bookmark. */
  #hasTerms = false
  #line = 1;

  *read(text: string): Generator<ImportedEntry> {
    for (const line of splitLines(text)) {
      for (let start = 0; start < line.length; start += MAX_LINE_LENGTH) {
        this.#write(line.slice(start, start + MAX_LINE_LENGTH))
        yield* this.#complete.splice(0)
      }
      this.#line += 1
    }
    this.#html.end()
    this.#finish()
    yield* this.#complete
  }

  /** Parses a line. Markup that is not part of the format is read as text. */
  #write(line: string): void {
    let start = 0
    for (const { index } of line.includes('<') ? line.matchAll(LOOSE_MARKUP) : []) {
      this.#html.write(line.slice(start, index))
      start = index
      const tag = line.slice(index, index + MAX_TAG_LENGTH)
      const isMarkup = !isUnclosed(tag) && (this.#collecting === undefined || WHOLE_TAG.test(tag))
      if (isMarkup) continue
      this.#html.write('&lt;')
      start += 1
    }
    this.#html.write(line.slice(start))
  }

  #opened(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case 'a':
        if (this.#collecting === 'description' && (this.#hasTerms || attributes.href === undefined)) {
          if (attributes.href) this.#add(` ${attributes.href} `)
          break
        }
        this.#finish()
        this.#open = this.#record(attributes)
        this.#collect('title')
        break
      case 'h3':
        this.#finish()
        this.#folderIsRoot = 'personal_toolbar_folder' in attributes || 'unfiled_bookmarks_folder' in attributes
        this.#collect('folder')
        break
      case 'dl':
        this.#finish()
        this.#path.enter(this.#nextFolder)
        this.#nextFolder = ''
        break
      case 'dd':
        this.#keepText()
        if (this.#open) this.#collect('description')
        break
      case 'dt':
        this.#hasTerms = true
        this.#finish()
        break
      case 'hr':
        this.#finish()
        this.#complete.push({ line: this.#line, skipped: 'separators' })
        break
      default:
        if (BLOCKS.has(name)) this.#add(' ')
    }
  }

  #add(text: string): void {
    if (this.#collecting && this.#text.length < MAX_TEXT_LENGTH) this.#text += text.slice(0, MAX_TEXT_LENGTH)
  }

  #closed(name: string): void {
    if ((name === 'a' && this.#collecting === 'title') || (name === 'h3' && this.#collecting === 'folder')) {
      this.#keepText()
    }
    if (BLOCKS.has(name)) this.#add(' ')
    if (name === 'dl') {
      this.#finish()
      this.#path.leave()
      this.#nextFolder = '' // a folder without a list must not name the next list
    }
  }

  #record(attributes: Record<string, string>): ImportedRecord {
    const createdAt = readDate(attributes.add_date)
    const tags = (attributes.tags ?? '').split(',').map((tag) => tag.trim())
    const named = tags.filter((tag) => tag !== '' && tag !== LINKDING_ARCHIVED).slice(0, LIMITS.tags + 1)
    const states = stateTags({
      unread: isSet(attributes.toread),
      archived: tags.includes(LINKDING_ARCHIVED),
      favorite: isSet(attributes['data-important'])
    })
    const folder = this.#path.text
    return {
      line: this.#line,
      url: attributes.href ?? attributes.feedurl ?? '',
      title: '',
      description: attributes.description?.trim() ?? '',
      tags: [...named, ...states, ...(folder === '' ? [] : [folder])],
      createdAt,
      isPrivate: isSet(attributes.private) || undefined,
      dropped: droppedIn({
        icons: attributes.icon,
        keywords: attributes.shortcuturl,
        'times of change': attributes.last_modified,
        'cover pictures': attributes['data-cover'],
        dates: unreadDate(attributes.add_date)
      })
    }
  }

  #collect(what: 'title' | 'folder' | 'description'): void {
    this.#collecting = what
    this.#text = ''
  }

  #keepText(): void {
    const text = this.#text.trim()
    if (this.#collecting === 'title' && this.#open) this.#open.title = text
    if (this.#collecting === 'description' && this.#open && text !== '') {
      this.#open.description = withNotesApart(text)
    }
    if (this.#collecting === 'folder') this.#nextFolder = this.#folderIsRoot ? '' : folderName(text)
    this.#collecting = undefined
    this.#text = ''
  }

  #finish(): void {
    this.#keepText()
    const open = this.#open
    if (open) this.#complete.push(isSeparator(open.url) ? { line: open.line, skipped: 'separators' } : open)
    this.#open = undefined
  }
}

/**
 * Returns a description with linkding's notes as a separate paragraph. A regular expression would take quadratic time
 * for a text full of white space.
 */
function withNotesApart(text: string): string {
  const begin = text.indexOf(LINKDING_NOTES.begin)
  const end = begin < 0 ? -1 : text.indexOf(LINKDING_NOTES.end, begin)
  if (end < 0) return text
  const notes = text.slice(begin + LINKDING_NOTES.begin.length, end)
  return `${text.slice(0, begin).trimEnd()}\n\n${notes}${text.slice(end + LINKDING_NOTES.end.length)}`.trim()
}
