import { expect, test } from 'vitest'
import { textBlocks } from '../../../../src-main/web/text-blocks.ts'
import {
  type Part,
  partsOfText,
  type Run,
  withoutTitle
} from '../../../../src-renderer/features/bookmarks/reader/parts-of-text.ts'

/** A part as short HTML, to compare at a glance. */
function html(part: Part): string {
  switch (part.kind) {
    case 'heading':
      return `<h${part.level}>${words(part.runs)}</h${part.level}>`
    case 'list': {
      const tag = part.ordered ? 'ol' : 'ul'
      const from = part.start === 1 ? '' : ` ${part.start}`
      return `<${tag}${from}>${part.items.map((item) => `<li>${item.map(html).join('')}</li>`).join('')}</${tag}>`
    }
    case 'table':
      return `<table>${part.rows.map(({ isHead, cells }) => `<${isHead ? 'th' : 'td'}>${cells.map(words).join('|')}`).join('')}</table>`
    case 'quote':
      return `<quote>${part.parts.map(html).join('')}</quote>`
    case 'code':
      return `<pre>${words(part.runs)}</pre>`
    case 'picture':
      return `<img ${part.place} ${part.alt}>`
    case 'page':
      return `<page ${part.number}>`
    case 'paragraph':
      return `<p>${words(part.runs)}</p>`
  }
}

const words = (runs: Run[]) => runs.map(({ text, url }) => (url ? `[${text}](${url})` : text)).join('')

function shown(page: string): string {
  const { text, layout } = textBlocks(page, 'https://a.example/')
  return partsOfText(text, layout).map(html).join('')
}

test('a text without a layout has its headings and paragraphs', () => {
  expect(partsOfText('## One\n\nTwo\nlines\n\n\n\n## Three', null).map(html).join('')).toBe(
    '<h2>One</h2><p>Two\nlines</p><h2>Three</h2>'
  )
  expect(partsOfText('', null)).toEqual([])
})

test('lists nest, number themselves, and keep what goes on in an item', () => {
  expect(
    shown(`<p>Before</p><ol start=3><li>c<ul><li>in<li>side</ul>after</li><li><p>d</p><pre>code</pre></li></ol>
      <ul><li>x</ul><p>End</p>`)
  ).toBe(
    '<p>Before</p><ol 3><li><p>c</p><ul><li><p>in</p></li><li><p>side</p></li></ul><p>after</p></li>' +
      '<li><p>d</p><pre>code</pre></li></ol><ul><li><p>x</p></li></ul><p>End</p>'
  )
})

test('pictures stand where they stood, behind the block they were in', () => {
  expect(
    shown(`<img src=/0 alt=top><h2>One</h2><p>Two <img src=/1 alt=in> words</p><figure><img src=/2 alt=own></figure>
      <p>Three</p><ul><li>four</ul><img src=/3 alt=end>`)
  ).toBe(
    '<img 0 top><h2>One</h2><p>Two words</p><img 1 in><img 2 own><p>Three</p><ul><li><p>four</p></li></ul><img 3 end>'
  )
})

test('pages of a document begin where they do, also those without text; a picture in an item stays in it', () => {
  const text = 'One.\n\nTwo.\n\nFour.'
  const layout = { blocks: [], links: [], pages: [6, 12, 12] }
  expect(partsOfText(text, layout).map(html).join('')).toBe(
    '<p>One.</p><page 2><p>Two.</p><page 3><page 4><p>Four.</p>'
  )
  expect(shown('<ul><li>a<ul><li>in <img src=/0 alt=x></li><li>next</ul></ul>')).toBe(
    '<ul><li><p>a</p><ul><li><p>in</p><img 0 x></li><li><p>next</p></li></ul></li></ul>'
  )
})

test('quotes hold whatever they held, and tables their rows and cells', () => {
  expect(
    shown(`<blockquote><h3>Said</h3><ul><li>a</ul><p>b</p></blockquote><p>c</p>
      <table><tr><th>x<th>y<tr><td><a href=/1>1</a> or 2<td></tr><tr><td>3<td>4</table>`)
  ).toBe(
    '<quote><h3>Said</h3><ul><li><p>a</p></li></ul><p>b</p></quote><p>c</p>' +
      '<table><th>x|y<td>[1](https://a.example/1) or 2<td>3|4</table>'
  )
})

test('a first heading that only says the title again is left out', () => {
  const parts = partsOfText('## The Heron\n\n## the heron\n\nIt stood.', null)
  expect(withoutTitle(parts, ' The heron')).toHaveLength(2)
  expect(withoutTitle(parts, 'Herons')).toHaveLength(3)
  expect(withoutTitle(partsOfText('It stood.', null), 'It stood.')).toHaveLength(1)
  expect(withoutTitle([], '')).toEqual([])
})

test('code keeps its empty lines, and links keep to their words wherever they stand', () => {
  expect(shown('<pre>\n  a\n\n  b\n</pre><h2>On <a href="/x">this</a></h2><p>A <a href="/y">link</a>.</p>')).toBe(
    '<pre>  a\n\n  b</pre><h2>On [this](https://a.example/x)</h2><p>A [link](https://a.example/y).</p>'
  )
})

test('a layout that does not fit its text leads nowhere', () => {
  const layout = {
    blocks: [],
    links: [
      { from: 0, to: 3, url: 'javascript:alert(1)' },
      { from: 2, to: 90, url: 'https://a.example/' }
    ]
  }
  expect(partsOfText('one', layout).map(html).join('')).toBe('<p>one</p>')
})
