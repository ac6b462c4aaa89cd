import type { Span } from './find-quote.ts'

/** The text of an element as it is shown: each of its blocks begins on a new line. */
export interface ShownText {
  text: string
  /** Returns the range of the page that shows a part of the text; empty if there is none. */
  rangeOf(span: Span): Range[]
  /** Returns the part of the text that is in a range, without white space at its ends; `undefined` if it is empty. */
  spanOf(range: Range): Span | undefined
}

const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, pre, blockquote, th, td, div'

export function readShownText(box: Element): ShownText {
  const parts: (Span & { node: Node })[] = []
  let text = ''
  let block: Element | null | undefined
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeName === 'BR') text += '\n'
    if (node.nodeType !== Node.TEXT_NODE) continue
    const nodeBlock = node.parentElement?.closest(BLOCKS)
    if (nodeBlock !== block && text !== '' && !text.endsWith('\n')) text += '\n'
    block = nodeBlock
    const start = text.length
    text += node.nodeValue
    parts.push({ node, start, end: text.length })
  }

  function rangeOf({ start, end }: Span): Range[] {
    const first = parts.find((part) => part.end > start)
    const last = parts.findLast((part) => part.start < end)
    if (!first || !last) return []
    const range = new Range()
    range.setStart(first.node, Math.max(0, start - first.start))
    range.setEnd(last.node, Math.min(end, last.end) - last.start)
    return [range]
  }
  function spanOf(range: Range): Span | undefined {
    const inside = parts.filter(({ node }) => range.intersectsNode(node))
    const first = inside[0]
    const last = inside.at(-1)
    if (!first || !last) return undefined
    const start = first.start + (first.node === range.startContainer ? range.startOffset : 0)
    const end = last.node === range.endContainer ? last.start + range.endOffset : last.end
    const selected = text.slice(start, end)
    if (selected.trim() === '') return undefined
    return { start: start + selected.search(/\S/), end: start + selected.trimEnd().length }
  }
  return { text, rangeOf, spanOf }
}

/** Scrolls to a part of an article, unless it is visible. */
export function showRange(range: Range): void {
  const element = range.startContainer.parentElement
  const article = element?.closest('article')
  if (!article) return
  const isVisible = () => {
    const [part, view] = [range.getBoundingClientRect(), article.getBoundingClientRect()]
    return part.top >= view.top && part.bottom <= view.bottom - 40
  }
  if (!isVisible()) element?.scrollIntoView({ block: 'center' })
  // The part may be in a paragraph that is higher than the window.
  if (!isVisible()) article.scrollTop += range.getBoundingClientRect().top - article.getBoundingClientRect().top - 80
}
