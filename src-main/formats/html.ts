import { Parser } from 'htmlparser2'
import type { ImportedRecord, ImportFormat } from '../contract/import-format.ts'
import { MAX_PAGE_TEXT, type PageText } from '../contract/page-details.ts'
import type { State } from '../contract/tag-names.ts'
import { markdownOfText } from '../core/page-text.ts'
import { pageTextOf } from '../markdown/blocks.ts'
import { markdownOfHtml } from '../markdown/from-html.ts'
import { droppedIn, folderName, readDate, splitLines, unreadDate } from './fields.ts'

/** Receives the parts of an HTML text in order, whatever their nesting. Names are in lower case. */
export interface HtmlTags {
  open(name: string, attributes: Record<string, string>): void
  close(name: string): void
  /** Called with text whose entities are decoded. One text may arrive in several pieces. */
  text(text: string): void
}

/** Maximum length of an attribute, in UTF-16 code units. The rest of a longer one is ignored. */
const MAX_ATTRIBUTE_LENGTH = 16_384

/**
 * Reports tags as they are written. htmlparser2 keeps a list of open elements, which takes quadratic time for their
 * depth, and bookmark files nest without limit. Void elements do not enter that list, so this parser declares all
 * elements to be void.
 */
export class TagParser extends Parser {
  readonly #tags: HtmlTags
  #isEndTag = false

  constructor(tags: HtmlTags) {
    super({
      onopentag(name, attributes) {
        for (const [attribute, value] of Object.entries(attributes)) {
          if (value.length > MAX_ATTRIBUTE_LENGTH) attributes[attribute] = value.slice(0, MAX_ATTRIBUTE_LENGTH)
        }
        tags.open(name, attributes)
      },
      ontext: (text) => tags.text(text)
    })
    this.#tags = tags
  }

  override onclosetag(start: number, end: number): void {
    this.#isEndTag = true
    super.onclosetag(start, end)
    this.#isEndTag = false
  }

  /** htmlparser2 calls this for each tag. It does not report end tags of void elements, so this method does. */
  protected override isVoidElement(name: string): boolean {
    if (this.#isEndTag) this.#tags.close(name)
    return true
  }
}

/** Elements whose text is separate from the text around them. */
export const BLOCKS = new Set(
  (
    'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header ' +
    'hr li main nav ol p pre section summary table td th tr ul'
  ).split(' ')
)

/** Maximum length of an article's text, in UTF-16 code units. It is more than is stored, so that a cut is reported. */
const MAX_ARTICLE_LENGTH = 2 * MAX_PAGE_TEXT

/** Maximum length of an article's markup, in UTF-16 code units. Reading this much takes a second. */
const MAX_MARKUP_LENGTH = 2_000_000

/** Maximum depth of an article whose tree is built. A deeper article loses its structure. */
const MAX_DEPTH = 5000

/** Returns the text of an article; `undefined` if it has none. */
export function textOfArticle(html: string): PageText | undefined {
  const article = html.slice(0, MAX_MARKUP_LENGTH)
  const isDeep = depthOf(article) > MAX_DEPTH
  const markdown = isDeep
    ? markdownOfText(article.replace(/<[^<>]*>/g, ' '))
    : markdownOfHtml(article, { limit: MAX_ARTICLE_LENGTH })
  return markdown === '' ? undefined : pageTextOf(markdown)
}

/** Returns an article whose file contains only plain text; `undefined` if it is empty. */
export function plainArticle(text: string): PageText | undefined {
  return text.trim() === '' ? undefined : { text: text.slice(0, MAX_ARTICLE_LENGTH), markdown: null }
}

/** Returns the depth of HTML; tags that may be left out count as nested. */
function depthOf(html: string): number {
  let [depth, deepest] = [0, 0]
  const parser = new TagParser({
    open(name) {
      if (!VOID.has(name)) depth++
      deepest = Math.max(deepest, depth)
    },
    close() {
      depth = Math.max(0, depth - 1)
    },
    text() {}
  })
  parser.end(html)
  return deepest
}

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/**
 * The HTML that Pocket (`ril_export.html`) and Instapaper export: a heading for each state or folder, and a list below
 * it: `<h1>Unread</h1><ul><li><a href time_added tags>title</a>`.
 */
export const readLaterHtml: ImportFormat<ImportedRecord> = {
  id: 'read-later',
  name: 'Pocket or Instapaper HTML',
  recognises: (head) =>
    /<title>\s*(pocket export|instapaper: export)/i.test(head) && !/<!doctype\s+netscape/i.test(head),
  read: readLaterRecords
}

const STATES: Record<string, State> = {
  unread: 'unread',
  'read archive': 'archived',
  archive: 'archived',
  starred: 'favorite'
}

/** Maximum length of a title or heading, in UTF-16 code units. It leaves room for white space, which is removed. */
const MAX_TITLE_LENGTH = 16_384

function* readLaterRecords(file: string): Generator<ImportedRecord> {
  const complete: ImportedRecord[] = []
  let open: ImportedRecord | undefined
  let text = ''
  let section = ''
  let line = 1

  function finish(): void {
    if (open) complete.push({ ...open, title: text.trim() === open.url ? '' : text.trim() })
    open = undefined
    text = ''
  }

  const parser = new TagParser({
    open(name, { href = '', time_added, tags = '' }) {
      if (name === 'a') {
        finish()
        const named = tags.split(',').filter((tag) => tag.trim() !== '')
        const state = STATES[section.toLowerCase()] ?? folderName(section)
        open = {
          line,
          url: href,
          title: '',
          description: '',
          tags: state === '' ? named : [...named, state],
          createdAt: readDate(time_added),
          dropped: droppedIn({ dates: unreadDate(time_added) })
        }
      } else if (name === 'h1') finish()
      else if (BLOCKS.has(name)) text += ' '
    },
    close(name) {
      if (name === 'a') finish()
      else if (name === 'h1') {
        section = text.trim()
        text = ''
      }
    },
    text(piece) {
      if (text.length < MAX_TITLE_LENGTH) text += piece.slice(0, MAX_TITLE_LENGTH)
    }
  })

  for (const piece of splitLines(file)) {
    parser.write(piece)
    line += 1
    yield* complete.splice(0)
  }
  parser.end()
  finish()
  yield* complete
}
