// The reader: the parts of a text, search within it, and its appearance.
import { expect, test } from 'vitest'
import { textBlocks } from '../../src-main/web/text-blocks.ts'
import { findInTexts, MAX_MATCHES } from '../../src-renderer/features/bookmarks/reader/find.tsx'
import {
  type Part,
  partsOfText,
  type Run,
  withoutTitle
} from '../../src-renderer/features/bookmarks/reader/parts-of-text.ts'
import { otherSize, readLook } from '../../src-renderer/features/bookmarks/reader/reading-look.tsx'

/** A part as short HTML. */
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

test.for([
  [
    'lists nest, number their items, and keep all blocks of an item',
    `<p>Before</p><ol start=3><li>c<ul><li>in<li>side</ul>after</li><li><p>d</p><pre>code</pre></li></ol>
      <ul><li>x</ul><p>End</p>`,
    '<p>Before</p><ol 3><li><p>c</p><ul><li><p>in</p></li><li><p>side</p></li></ul><p>after</p></li>' +
      '<li><p>d</p><pre>code</pre></li></ol><ul><li><p>x</p></li></ul><p>End</p>'
  ],
  [
    'pictures follow the block that contains them',
    `<img src=/0 alt=top><h2>One</h2><p>Two <img src=/1 alt=in> words</p><figure><img src=/2 alt=own></figure>
      <p>Three</p><ul><li>four</ul><img src=/3 alt=end>`,
    '<img 0 top><h2>One</h2><p>Two words</p><img 1 in><img 2 own><p>Three</p><ul><li><p>four</p></li></ul><img 3 end>'
  ],
  [
    'a picture in an item stays in the item',
    '<ul><li>a<ul><li>in <img src=/0 alt=x></li><li>next</ul></ul>',
    '<ul><li><p>a</p><ul><li><p>in</p><img 0 x></li><li><p>next</p></li></ul></li></ul>'
  ],
  [
    'quotes keep their blocks, and tables their rows and cells',
    `<blockquote><h3>Said</h3><ul><li>a</ul><p>b</p></blockquote><p>c</p>
      <table><tr><th>x<th>y<tr><td><a href=/1>1</a> or 2<td></tr><tr><td>3<td>4</table>`,
    '<quote><h3>Said</h3><ul><li><p>a</p></li></ul><p>b</p></quote><p>c</p>' +
      '<table><th>x|y<td>[1](https://a.example/1) or 2<td>3|4</table>'
  ],
  [
    'code keeps its empty lines, and links stay on their words',
    '<pre>\n  a\n\n  b\n</pre><h2>On <a href="/x">this</a></h2><p>A <a href="/y">link</a>.</p>',
    '<pre>  a\n\n  b</pre><h2>On [this](https://a.example/x)</h2><p>A [link](https://a.example/y).</p>'
  ]
] as const)('%s', ([, page, expected]) => {
  const { text, layout } = textBlocks(page, 'https://a.example/')
  expect(partsOfText(text, layout).map(html).join('')).toBe(expected)
})

test.for([
  [
    'a text without a layout has headings and paragraphs',
    '## One\n\nTwo\nlines\n\n\n\n## Three',
    null,
    '<h2>One</h2><p>Two\nlines</p><h2>Three</h2>'
  ],
  ['an empty text has no parts', '', null, ''],
  [
    'pages of a document begin at their offsets, also without text',
    'One.\n\nTwo.\n\nFour.',
    { blocks: [], links: [], pages: [6, 12, 12] },
    '<p>One.</p><page 2><p>Two.</p><page 3><page 4><p>Four.</p>'
  ],
  [
    'invalid links of a layout are dropped',
    'one',
    {
      blocks: [],
      links: [
        { from: 0, to: 3, url: 'javascript:alert(1)' },
        { from: 2, to: 90, url: 'https://a.example/' }
      ]
    },
    '<p>one</p>'
  ]
] as const)('%s', ([, text, layout, expected]) => {
  expect(
    partsOfText(text, layout as Parameters<typeof partsOfText>[1])
      .map(html)
      .join('')
  ).toBe(expected)
})

test('a first heading that repeats the title is left out', () => {
  const parts = partsOfText('## The Heron\n\n## the heron\n\nIt stood.', null)
  expect(withoutTitle(parts, ' The heron')).toHaveLength(2)
  expect(withoutTitle(parts, 'Herons')).toHaveLength(3)
  expect(withoutTitle(partsOfText('It stood.', null), 'It stood.')).toHaveLength(1)
  expect(withoutTitle([], '')).toEqual([])
})

test.for([
  [['Élan, elan and ÉLAN', 'aaaa'], 'elan', ['Élan', 'elan', 'ÉLAN']],
  [['aaaa'], 'aa', ['aa', 'aa']],
  [['İstanbul ıs here'], 'istanbul', ['İstanbul']],
  [['東京と京都', '서울'], '京', ['京', '京']],
  [['서울 서'], '서', ['서', '서']],
  [['שָׁלוֹם שלום'], 'שלום', ['שלום']],
  [['The pati', 'ent', ' gardener counts'], 'patient gard', ['pati| gard']],
  [['one\ntwo'], 'one two', ['one\ntwo']],
  [['text'], ' ', []],
  [[], 'text', []],
  [['text'], 'texts', []]
] as const)('in the texts %j, “%s” is found as %j', ([texts, typed, expected]) => {
  const matches = findInTexts([...texts], typed).map(({ from, to }) =>
    from.text === to.text
      ? texts[from.text]?.slice(from.at, to.at)
      : `${texts[from.text]?.slice(from.at)}|${texts[to.text]?.slice(0, to.at)}`
  )
  expect(matches).toEqual(expected)
})

test('a search stops at the maximum number of matches', () => {
  expect(findInTexts(['a'.repeat(5000)], 'a')).toHaveLength(MAX_MATCHES)
})

test('the appearance is restored, and invalid values become the defaults', () => {
  const defaults = { width: 'medium', size: 19, letters: 'serif' }
  expect(readLook('{"width":"wide","size":24,"letters":"sans"}')).toEqual({ width: 'wide', size: 24, letters: 'sans' })
  expect(readLook('{"width":"huge","size":24.5,"letters":7}')).toEqual(defaults)
  for (const text of [null, '', '{', 'null', '"x"', '[]']) expect(readLook(text)).toEqual(defaults)
})

test('letters grow and shrink in steps between a minimum and a maximum', () => {
  expect(otherSize(19, 1)).toBe(21)
  expect(otherSize(15, -1)).toBe(15)
  expect(otherSize(28, 1)).toBe(28)
})
