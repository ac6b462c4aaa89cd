import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import { MAX_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines, cut } from '../core/clean-text.ts'
import { markdownOfText } from '../core/page-text.ts'
import { type MarkdownOptions, markdownOf } from './from-dom.ts'

/** Returns the readable text of HTML as Markdown, however malformed the HTML is. */
export function markdownOfHtml(html: string, options: MarkdownOptions = {}): string {
  try {
    return html.trim() === '' ? '' : markdownOf(documentOf(html), options)
  } catch {
    // The HTML is nested too deeply for recursive functions.
    return markdownOfText(visibleText(html))
  }
}

/** Returns linkedom's document. Adds optional tags that are absent, as browsers do, because linkedom does not. */
export function documentOf(html: string): Document {
  if (/<body[\s>]/i.test(html)) return parseHTML(html).document
  const body = html.replace(/<\/?(!doctype|html|head)\b[^>]*>/gi, '')
  return parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`).document
}

/** Returns the visible text of HTML, with an empty line between blocks. Builds no tree, so any depth is allowed. */
export function visibleText(html: string): string {
  let text = ''
  let hidden = 0
  function endBlock(tag: string): void {
    if (BLOCKS.has(tag) && text.length < MAX_PAGE_TEXT) text += '\n\n'
  }
  const parser = new Parser({
    onopentag(tag) {
      if (HIDDEN.has(tag)) hidden++
      endBlock(tag)
    },
    ontext(piece) {
      if (hidden === 0 && text.length < MAX_PAGE_TEXT) text += cut(piece, MAX_PAGE_TEXT).replace(/\s+/g, ' ')
    },
    onclosetag(tag) {
      if (HIDDEN.has(tag)) hidden--
      endBlock(tag)
    }
  })
  parser.end(html)
  return cleanLines(text.replace(/ *\n[ \n]*/g, '\n\n'), MAX_PAGE_TEXT)
}

const HIDDEN = new Set(['noscript', 'script', 'style', 'template', 'title'])

const BLOCKS = new Set(
  'article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 li ol p pre section table td th tr ul'.split(' ')
)
