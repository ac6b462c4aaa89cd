import { Readability } from '@mozilla/readability'
import { MAX_PAGE_MARKDOWN } from '../../src-main/contract/page-details.ts'
import { markdownOfText } from '../../src-main/core/page-text.ts'
import { markdownOf } from '../../src-main/markdown/from-dom.ts'

/** The content of a tab, as its owner sees it. */
export interface ReadPage {
  selection: string
  /** The readable text as Markdown; empty if there is none. */
  text: string
}

/** Maximum number of elements of a page that is copied before it is read. Larger pages are read in place. */
const MAX_ELEMENTS = 30_000

/** Shorter articles, in characters, are more likely a part of the page than its main content. */
const MIN_ARTICLE_LENGTH = 140

// Injected into the tab in an isolated world, which scripts of the page can neither see nor change.
Object.assign(globalThis, { earmarkReadPage: readPage })

function readPage(): ReadPage {
  const text = article() || markdownOfText(document.body?.innerText ?? '')
  return { selection: String(getSelection() ?? '').trim(), text: text.slice(0, MAX_PAGE_MARKDOWN) }
}

/** Returns the page's article without menus and other surroundings; empty if there is none. */
function article(): string {
  if (document.getElementsByTagName('*').length > MAX_ELEMENTS) return ''
  try {
    const copy = document.cloneNode(true) as Document
    const found = new Readability<Node>(copy, { charThreshold: MIN_ARTICLE_LENGTH, serializer: (node) => node }).parse()
    const text = found?.content ? markdownOf(found.content, { base: document.baseURI }) : ''
    return text.length >= MIN_ARTICLE_LENGTH ? text : ''
  } catch {
    // The page is nested too deeply, or is no HTML document.
    return ''
  }
}
