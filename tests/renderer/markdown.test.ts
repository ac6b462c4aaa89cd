// A stored text as the reader draws it: its elements, and that nothing in it acts.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, test, vi } from 'vitest'
import { StoredText } from '../../src-renderer/features/bookmarks/reader/stored-text.tsx'

const PICTURE = { url: 'https://a.example/p.png', place: 3 }

beforeAll(() => void vi.stubGlobal('sessionStorage', { getItem: () => null }))

function html(text: string, isMarkdown = true): string {
  const reader = createElement(StoredText, { id: 'b', text, isMarkdown, title: 'Title', pictures: [PICTURE] })
  return renderToStaticMarkup(reader)
    .replace(/ (dir|tabindex|aria-label|loading|target|rel)="[^"]*"/g, '')
    .replace(/ data-table="true"/g, '')
}

test.for([
  ['# One\n\n## Two\n\n#### Four', '<h2>One</h2><h2>Two</h2><h4>Four</h4>'],
  ['# Title\n\ntext', '<p>text</p>'],
  ['a **b** *c* `d &amp;` &amp; &ouml;', '<p>a <strong>b</strong> <em>c</em> <code>d &amp;amp;</code> &amp; ö</p>'],
  ['- a\n  1. b\n- c', '<ul><li>a<ol start="1"><li>b</li></ol></li><li>c</li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['```\n<a>\n```', '<pre><code>&lt;a&gt;</code></pre>'],
  [
    '| a | b |\n| - | - |\n| c | d |',
    '<section><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table></section>'
  ],
  ['| | |\n| - | - |\n| c | d |', '<section><table><tbody><tr><td>c</td><td>d</td></tr></tbody></table></section>'],
  ['[a](https://a.example/x "t")', '<p><a href="https://a.example/x" title="https://a.example/x">a</a></p>'],
  [
    '![alt](https://a.example/p.png) ![no](https://a.example/q.png)',
    '<p><img src="/api/bookmarks/b/page/pictures/3" alt="alt"/> </p>'
  ]
] as const)('%j is drawn as %j', ([text, expected]) => {
  expect(html(text)).toBe(expected)
})

test('a plain text has paragraphs, and the pages of a document their numbers', () => {
  expect(html('a *b*\n\nc\fd', false)).toBe('<p>a *b*</p><p>c</p><div data-page="true">Page 2</div><p>d</p>')
})

test.for([
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](java&Tab;script:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](<javascript:alert(1)>)',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](vbscript:x)',
  '[a](file:///etc/passwd)',
  '[a](//evil.example/)',
  '[a](\\\\evil.example)',
  '<javascript:alert(1)>',
  '[a][x]\n\n[x]: javascript:alert(1)',
  '[a][x]\n\n[x]: https://a.example/"onmouseover="alert(1)',
  '![a](javascript:alert(1))',
  '![a](https://evil.example/count.gif)',
  '![a](https://a.example/p.png"onerror="alert(1))',
  '![" onerror="alert(1)](https://a.example/p.png)',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  'a <script>alert(1)</script> b',
  '<iframe src="https://evil.example/"></iframe>',
  '<a href="javascript:alert(1)">a</a>',
  '<div style="background:url(https://evil.example/)">',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '`<img src=x onerror=alert(1)>`',
  '```html\n<img src=x onerror=alert(1)>\n```',
  '| <img src=x onerror=alert(1)> |\n| - |\n| <script>x</script> |',
  '# <svg onload=alert(1)>'
])('nothing in %j acts when it is drawn', (text) => {
  const drawn = html(text)
  const tags = drawn.match(/<[^>]*>/g) ?? []
  expect(
    tags.filter((tag) =>
      /^<(script|iframe|svg|object|style|form|input|base|meta|link)|\son\w+=|style=/i.test(
        tag.replace(/"[^"]*"/g, '""')
      )
    )
  ).toEqual([])
  const addresses = [...drawn.matchAll(/<[^>]* (?:href|src)="([^"]*)"/g)].map(([, address]) => address)
  expect(addresses.filter((address = '') => !/^(https:\/\/a\.example\/|\/api\/bookmarks\/)/.test(address))).toEqual([])
})
