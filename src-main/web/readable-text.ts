import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { PageFacts } from './page-facts.ts'
import { type LaidText, textBlocks } from './text-blocks.ts'

/** A page of more, or deeper, is read from its tags alone: a tree of it would take long. */
const MOST_NODES = 30_000
const MOST_DEPTH = 200

/** An article of fewer characters is more likely a part of the page than its point. */
const SHORTEST_ARTICLE = 140

/**
 * A page's article without what stands around it; where there is none, all that can be read on it.
 *
 * @param base what its links are relative to
 */
export function readableText(html: string, { nodes, depth }: Pick<PageFacts, 'nodes' | 'depth'>, base: string) {
  return (nodes <= MOST_NODES && depth <= MOST_DEPTH && article(html, base)) || textBlocks(html, base)
}

/** Adds the tags that may be left out of a page: browsers add them, linkedom does not. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html
  return `<!doctype html><html><head></head><body>${html.replace(/<\/?(!doctype|html|head)\b[^>]*>/gi, '')}</body></html>`
}

function article(html: string, base: string): LaidText | undefined {
  try {
    const { document } = parseHTML(withBody(html))
    // biome-ignore lint/suspicious/noExplicitAny: linkedom's document is the browser's as far as this goes
    const found = new Readability(document as any, { charThreshold: SHORTEST_ARTICLE }).parse()
    const laid = textBlocks(found?.content ?? '', base)
    return laid.text.length >= SHORTEST_ARTICLE ? laid : undefined
  } catch {
    // What is nested too deeply, or is no document at all.
    return undefined
  }
}
