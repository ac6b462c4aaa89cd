import { expect, test } from 'vitest'
import { MAX_PAGE_TEXT } from '../../src-main/contract/page-details.ts'
import { textBlocks } from '../../src-main/web/text-blocks.ts'

const BASE = 'https://a.example/deep/page'

/** The blocks that are more than a paragraph, with what they hold. */
function laid(html: string) {
  const { text, layout } = textBlocks(html, BASE)
  return layout.blocks.map(({ from, to, ...kind }) => ({ ...kind, says: text.slice(from, to) }))
}

function links(html: string) {
  const { text, layout } = textBlocks(html, BASE)
  return layout.links.map(({ from, to, url }) => [text.slice(from, to), url])
}

test('headings, items, quotes and code are marked; paragraphs are not', () => {
  const html = `<h1>One</h1><p>Plain.</p><ol start="3"><li>Third</li><li><p>Fourth</p><p>more of it</p></li></ol>
    <ul><li>Out<ul><li>In</li></ul>Out again</li></ul><blockquote><p>Said.</p></blockquote><pre>
  if (a) {

    b()
  }
</pre>`
  expect(laid(html)).toEqual([
    { kind: 'heading', level: 1, says: '## One' },
    { kind: 'item', level: 1, number: 3, says: 'Third' },
    { kind: 'item', level: 1, number: 4, says: 'Fourth' },
    { kind: 'paragraph', level: 1, says: 'more of it' },
    { kind: 'item', level: 1, says: 'Out' },
    { kind: 'item', level: 2, says: 'In' },
    { kind: 'paragraph', level: 1, says: 'Out again' },
    { kind: 'paragraph', quoted: true, says: 'Said.' },
    { kind: 'code', says: '  if (a) {\n\n    b()\n  }' }
  ])
})

test('table rows separate their cells; a single cell is a paragraph', () => {
  const html = `<table><tr><th>Name</th><th> Age </th></tr><tr><th>Ann</th><td>7</td></tr><tr><td></td><td>9</td></tr>
    </table><table><tr><td>placed</td></tr></table>`
  expect(laid(html)).toEqual([
    { kind: 'head', says: 'Name\tAge' },
    { kind: 'row', says: 'Ann\t7' },
    { kind: 'row', says: '\t9' }
  ])
})

test('links keep their text and lead only to http and https', () => {
  expect(
    links(`<h2>See <a href="/x">this  one</a></h2><p><a href="https://b.example">&amp;\u202e b</a>,
      <a href="javascript:alert(1)">no</a> <a href="#part">no</a> <a href="http://[">no</a> <a href=" ">no</a>
      <a href="/empty"> </a></p><a href="two"><p>first</p><p>second</p></a>`)
  ).toEqual([
    ['this one', 'https://a.example/x'],
    ['& b', 'https://b.example/'],
    ['first', 'https://a.example/deep/two'],
    ['second', 'https://a.example/deep/two']
  ])
})

test('long text is cut, and blocks end at the cut', () => {
  const { text, layout } = textBlocks(`<ul>${'<li><a href="/x">word</a> and words</li>'.repeat(20_000)}</ul>`, BASE)
  expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  expect(layout.blocks.every(({ from, to }) => from < to && to <= text.length)).toBe(true)
  expect(layout.links).toHaveLength(1000)
  expect(layout.links.every(({ from, to }) => text.slice(from, to) === 'word')).toBe(true)
})

test('pictures keep address and alternative text; icons, tracking pixels and non-web addresses are dropped', () => {
  const html = `<p>Words</p><img src="../a.png" alt=" A\u202e  heron "><img src=b.png width=1 height=1><img src=c.png height=32px>
    <img src="data:image/png;base64,xx"><img src="javascript:x"><img><svg><img src=d.png></svg><img src=e.png width="100%">`
  expect(textBlocks(html, BASE).layout.pictures).toEqual([
    { at: 5, url: 'https://a.example/a.png', alt: 'A heron' },
    { at: 5, url: 'https://a.example/deep/e.png', alt: '' }
  ])
  expect(textBlocks(`<p>x</p>${'<img src=a.png width=50%>'.repeat(200_000)}`, BASE).layout.pictures).toHaveLength(20)
})
