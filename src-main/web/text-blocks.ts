import { Parser } from 'htmlparser2'
import { MOST_PAGE_TEXT } from '../contract/page-details.ts'
import { cleanLines } from '../core/clean-text.ts'

/**
 * What stands in a piece of HTML as a reader would read it: a block a paragraph, apart by an empty line, headings with
 * `## ` in front. Nothing of it is markup any more.
 */
export function textBlocks(html: string): string {
  const blocks: string[] = []
  let length = 0
  let text = ''
  let hidden = 0
  let kept = 0
  let heading = false

  function end(): void {
    const block = kept > 0 ? text.trim() : text.replace(/\s+/g, ' ').trim()
    if (block !== '' && length < MOST_PAGE_TEXT) {
      blocks.push(heading ? `## ${block}` : block)
      length += block.length + 2
    }
    text = ''
    heading = false
  }

  const parser = new Parser(
    {
      onopentagname(tag) {
        if (HIDDEN.has(tag)) hidden++
        if (!BLOCKS.has(tag)) return
        end()
        heading = /^h[1-6]$/.test(tag)
        if (tag === 'pre') kept++
      },
      ontext(piece) {
        if (hidden === 0) text += piece
      },
      onclosetag(tag) {
        if (HIDDEN.has(tag)) hidden--
        if (tag === 'td' || tag === 'th') text += ' '
        if (tag === 'br') text += kept > 0 ? '\n' : ' '
        if (!BLOCKS.has(tag)) return
        end()
        if (tag === 'pre') kept--
      }
    },
    { decodeEntities: true }
  )
  parser.end(html)
  end()
  return cleanLines(blocks.join('\n\n'), MOST_PAGE_TEXT)
}

const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tr ul'.split(
    ' '
  )
)

/** Not for reading. */
const HIDDEN = new Set(
  'audio button canvas dialog footer form head iframe nav noscript object script select style svg template textarea title video'.split(
    ' '
  )
)
