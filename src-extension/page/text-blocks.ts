/**
 * Returns the readable text of a part of a page: one block a paragraph, separated by an empty line, headings with `## `
 * in front.
 */
export function textBlocks(root: Node): string {
  const blocks: string[] = []
  let text = ''

  function end(mark = ''): void {
    const block = text.replace(/[ \t]+/g, ' ').trim()
    if (block !== '') blocks.push(mark + block)
    text = ''
  }

  function walk(node: Node): void {
    if (node.nodeType === TEXT) text += (node.nodeValue ?? '').replace(/\s+/g, ' ')
    const name = node.nodeName.toLowerCase()
    if (HIDDEN.has(name)) return
    if (name === 'br') text += '\n'
    const isBlock = BLOCKS.has(name)
    if (isBlock) end()
    for (const child of node.childNodes) walk(child)
    if (isBlock) end(/^h[1-6]$/.test(name) ? '## ' : '')
    else if (name === 'td' || name === 'th') text += ' '
  }

  walk(root)
  end()
  return blocks.join('\n\n')
}

const TEXT = 3

const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tr ul'.split(
    ' '
  )
)

/** Not for reading. */
const HIDDEN = new Set(
  'audio button canvas dialog form head iframe noscript object script select style svg template textarea video'.split(
    ' '
  )
)
