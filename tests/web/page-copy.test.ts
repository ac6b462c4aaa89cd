import { describe, expect, test } from 'vitest'
import { MAX_COPY_BYTES } from '../../src-main/contract/page-copy.ts'
import { convertCopy } from '../../src-main/web/page-copy.ts'
import { archive, hostileCopies, PIXEL } from '../support/copies.ts'

/** The copy without its beginning. */
function converted(source: string | Uint8Array): string {
  const copy = convertCopy(typeof source === 'string' ? new TextEncoder().encode(source) : source)
  if ('fault' in copy) return `fault: ${copy.fault}`
  return new TextDecoder().decode(copy).replace(/<meta charset="utf-8"><meta name[^>]*><meta http-equiv[^>]*>/g, '')
}

test('a page of an archive has its pictures, styles, fonts and frames in it', () => {
  const copy = converted(
    archive(
      [
        'text/html',
        'https://a.example/b/page.html',
        `<!DOCTYPE html><html lang="de"><head><link rel="stylesheet" href="cid:css-1@mhtml.blink" media="print">
        <link rel="alternate stylesheet" href="/a.css"></head><body style="background: url(p.png)"><p class="x">Grüße</p>
        <img src="p.png" srcset="q.png 2x" alt="A &quot;picture&quot;"><img src="missing.png">
        <iframe src="cid:frame-1@mhtml.blink" width="9"></iframe></body></html>`
      ],
      ['text/css', 'cid:css-1@mhtml.blink', '@import "/a.css" screen; p { color: red } @font-face { src: url("f") }'],
      ['text/css', 'https://a.example/a.css', 'b { background: url(b/p.png#x) }'],
      ['image/png', 'https://a.example/b/p.png', PIXEL],
      ['font/woff2', 'https://a.example/b/f', 'font'],
      ['text/html', 'cid:frame-1@mhtml.blink', '<p>In the frame</p><script>1</script>']
    )
  )
  const data = `data:image/png;base64,${PIXEL.toString('base64')}`
  expect(copy.replace(/\s+/g, ' ')).toBe(
    `<!DOCTYPE html><html lang="de"><head><style media="print">@media screen {b { background: url("${data}") }} ` +
      'p { color: red } @font-face { src: url("data:font/woff2;base64,Zm9udA==") }</style> </head>' +
      `<body style="background: url(&quot;${data}&quot;)"><p class="x">Grüße</p> ` +
      `<img src="${data}" alt="A &quot;picture&quot;"><img> ` +
      '<iframe sandbox="" srcdoc="&lt;p&gt;In the frame&lt;/p&gt;" width="9"></iframe></body></html>'
  )
})

test('the first of two files at one address counts', () => {
  const page = ['text/html', 'https://a.example/', '<img src="p">'] as const
  const copy = converted(
    archive(page, ['image/png', 'https://a.example/p', 'one'], ['image/png', 'https://a.example/p', 'two'])
  )
  expect(copy).toBe(`<img src="data:image/png;base64,${btoa('one')}">`)
})

test('a link says where it led, and opens nothing', () => {
  expect(
    converted('<a href="https://b.example/?a&amp;b" class="x" ping="/p">To <b>B</b></a><a href="javascript:1">x</a>')
  ).toBe('<a class="x" title="https://b.example/?a&amp;b">To <b>B</b></a><a>x</a>')
})

test('a page without a doctype has none in the copy, because browsers draw it otherwise', () => {
  expect(converted('<p>Old')).toBe('<p>Old</p>')
  expect(converted('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd"><p>X')).toBe(
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd"><p>X</p>'
  )
})

test('shadow roots stay, other templates and hidden fields do not, and a password is not kept', () => {
  expect(
    converted(`<x-y><template shadowrootmode="closed"><slot></slot></template></x-y><template><b>x</b></template>
      <input type="hidden" value="token"><input type="PASSWORD" value="secret"><input value="words">`).replace(
      /\s+</g,
      '<'
    )
  ).toBe(
    '<x-y><template shadowrootmode="open"><slot></slot></template></x-y><input type="PASSWORD"><input value="words">'
  )
})

test('styles keep queries, icons and gradients, and escapes hide nothing', () => {
  const css = (text: string) => converted(`<style>${text}</style>`).slice('<style>'.length, -'</style>'.length)
  expect(css('@media (width <= 60em) { a::before { content: "\\f101 \\"x" } }')).toBe(
    '@media (width <= 60em) { a::before { content: "\\f101 \\"x" } }'
  )
  expect(css('a { fill: url(#g); b: u\\72l(http://x.example/) }')).toBe('a { fill: url("#g"); b: url("data:,") }')
  expect(css('a { b: \\url("http://x.example/\\") c") } /* d')).toBe('a { b: url("data:,") }  ')
  expect(css('@\\69mport "http://x.example/"; @import url(//x.example/a;b) print; a{}')).toBe('  a{}')
  expect(css('a { b: image-set("http://x.example/;" 1x, url(c) 2x, \'d\') }')).toBe(
    'a { b: image-set(url("data:,") 1x, url("data:,") 2x, url("data:,")) }'
  )
  expect(css('@import {} a { b: url(http://x.example/')).toBe('@- {} a { b: url("data:,")')
  expect(css('<!-- a { c: "<b>" } <<!--/style -->')).toBe(
    '  a { c: "\\3c b>" } < \\3c /style  '.replace('< \\3c ', '< ')
  )
})

describe('what is hostile in a page is not in its copy', () => {
  test.for(Object.entries(hostileCopies('http://evil.example')))('%s', ([, source]) => {
    const copy = converted(source)
    // Whatever a browser takes for text here, these are all tags that it can find.
    for (const [tag] of copy.replace(/srcdoc="[^"]*"/g, '').matchAll(/<[a-z!/?][^>]*>?/gi)) {
      const bare = tag.replace(/"[^"]*"/g, '""')
      expect(tag).not.toMatch(/^<\/?(script|noscript|object|embed|base|meta|link|frame|portal|applet|xmp|plaintext)\b/i)
      expect(bare).not.toMatch(/\s(on\w+|srcset|action|formaction|ping|http-equiv|data|manifest)=/i)
      if (!/^<(use|linearGradient)\b/.test(tag)) expect(bare).not.toMatch(/\s(xlink:)?href=/i)
      expect(tag).not.toMatch(/\ssrc="(?!data:image\/)/i)
    }
    expect(copy.replace(/ title="[^"]*"/g, '')).not.toMatch(/url\((?!("|&quot;)(data:|#))|@import/i)
  })
})

test('what is neither an archive nor a page is unreadable, also if it is cut off', () => {
  const whole = archive(['text/html', 'https://a.example/', '<p>x</p>'], ['image/png', 'https://a.example/p', PIXEL])
  expect(converted('')).toBe('fault: unreadable')
  expect(converted('<b>'.repeat(1_000_000))).toBe('fault: unreadable')
  expect(converted(`<object>${'<b>'.repeat(1_000_000)}`)).toBe('fault: unreadable')
  expect(converted('no elements')).toBe('fault: unreadable')
  expect(converted(archive(['text/plain', 'https://a.example/', 'x']))).toBe('fault: unreadable')
  expect(converted(whole.slice(0, whole.indexOf('<p>')))).toBe('fault: unreadable')
})

test('a copy that grows too large is refused before it is made', () => {
  const picture = Buffer.alloc(1024 * 1024)
  const html = `<p>${'<img src="p">'.repeat(30)}`
  const css = 'a { b: url(p) } '.repeat(30)
  const sheets = (depth: number): [string, string, string][] =>
    Array.from({ length: depth }, (_, level) => [
      'text/css',
      `https://a.example/${level}.css`,
      level === depth - 1 ? 'a{}'.repeat(1000) : `@import "${level + 1}.css";`.repeat(1000)
    ])
  const link = '<link rel="stylesheet" href="0.css">'
  const page = (body: string): [string, string, string] => ['text/html', 'https://a.example/', body]
  const p: [string, string, Buffer] = ['image/png', 'https://a.example/p', picture]
  const frames: [string, string, string] = [
    'text/html',
    'https://a.example/f',
    '<iframe src="f"></iframe>'.repeat(2000)
  ]
  expect(converted(archive(page(html), p))).toBe('fault: too-large')
  expect(converted(archive(page(`<style>${css}</style>`), p))).toBe('fault: too-large')
  expect(converted(archive(page(link), ...sheets(4)))).toBe('fault: too-large')
  expect(converted(archive(page('<iframe src="f"></iframe>'), frames))).toBe('fault: too-large')
  expect(converted(`<p>${'&'.repeat(MAX_COPY_BYTES / 4)}`)).toBe('fault: too-large')
})
