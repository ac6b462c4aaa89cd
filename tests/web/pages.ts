/** A test web of pages as they are met: what each answers and what is to be read from it. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageDetails, PageFault } from '../../src-main/contract/page-details.ts'
import { type Answering, page, redirect } from '../support/test-web.ts'

export interface TestPage {
  name: string
  url: string
  answer: Answering
  /** More addresses of the same test, as `host/path`. */
  more?: Record<string, Answering>
  fault?: PageFault
  details?: Partial<PageDetails>
  /** A phrase that the stored text holds, and one it does not. */
  says?: string
  withholds?: string
}

const WORDS =
  'The quick brown fox jumps over the lazy dog while the patient gardener counts every single apple, pear and quince ' +
  'in the walled orchard behind the old stone house, where nobody has lived since the winter of the great flood.'

function article(title: string, body = '', head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
    <nav><a href="/">Home</a> <a href="/shop">Shop menu</a></nav>
    <article><h1>${title}</h1><p>${WORDS}</p><h2>Later</h2><p>${WORDS}</p>${body}</article>
    <footer>Imprint and cookies</footer></body></html>`
}

const at = (name: string) => `http://${name}.example/`

/** Bytes of a legacy encoding, where each character is one byte of these. */
function bytes(...parts: (string | number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))
  )
}

const plain = { 'content-type': 'text/html' }
const titled = (title: string) => ({ details: { kind: 'page' as const, title } })

const CHARSETS: TestPage[] = (
  [
    ['utf-8 header', page('<title>Größe – 日本</title>'), 'Größe – 日本'],
    ['utf-8 meta', page('<meta charset="utf-8"><title>Größe</title>', plain), 'Größe'],
    ['utf-8 undeclared', page('<title>Größe</title>', plain), 'Größe'],
    [
      'utf-8 bom',
      page(bytes([0xef, 0xbb, 0xbf], Buffer.from('<title>Größe</title>').toString('latin1')), plain),
      'Größe'
    ],
    ['utf-16le bom', page(Buffer.from('\ufeff<title>Größe</title>', 'utf16le'), plain), 'Größe'],
    ['utf-16be bom', page(Buffer.from('\ufeff<title>Größe</title>', 'utf16le').swap16(), plain), 'Größe'],
    [
      'latin-1 header',
      page(bytes('<title>Gr', [0xf6], [0xdf], 'e</title>'), { 'content-type': 'text/html; charset=iso-8859-1' }),
      'Größe'
    ],
    ['latin-1 undeclared', page(bytes('<title>Gr', [0xf6], [0xdf], 'e</title>'), plain), 'Größe'],
    [
      'windows-1252 quotes',
      page(bytes('<meta charset=windows-1252><title>', [0x93], 'so', [0x94], '</title>'), plain),
      '“so”'
    ],
    [
      'windows-1251 meta',
      page(
        bytes(
          '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><title>',
          [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2],
          '</title>'
        ),
        plain
      ),
      'Привет'
    ],
    [
      'koi8-r header',
      page(bytes('<title>', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4], '</title>'), {
        'content-type': 'text/html; charset="koi8-r"'
      }),
      'Привет'
    ],
    [
      'shift_jis meta',
      page(bytes('<meta charset="shift_jis"><title>', [0x93, 0xfa, 0x96, 0x7b], '</title>'), plain),
      '日本'
    ],
    [
      'euc-jp header',
      page(bytes('<title>', [0xc6, 0xfc, 0xcb, 0xdc], '</title>'), { 'content-type': 'text/html;charset=euc-jp' }),
      '日本'
    ],
    [
      'gb18030 meta',
      page(bytes('<meta charset="gb2312"><title>', [0xd6, 0xd0, 0xce, 0xc4], '</title>'), plain),
      '中文'
    ],
    [
      'big5 header',
      page(bytes('<title>', [0xa4, 0xa4, 0xa4, 0xe5], '</title>'), { 'content-type': 'text/html; charset=big5' }),
      '中文'
    ],
    [
      'euc-kr header',
      page(bytes('<title>', [0xc7, 0xd1, 0xb1, 0xdb], '</title>'), { 'content-type': 'text/html; charset=euc-kr' }),
      '한글'
    ],
    ['header over meta', page('<meta charset="koi8-r"><title>Größe</title>'), 'Größe'],
    [
      'an encoding nobody knows',
      page('<title>Größe</title>', { 'content-type': 'text/html; charset=klingon' }),
      'Größe'
    ],
    ['gzip', page(gzipSync('<title>Packed</title>'), { 'content-encoding': 'gzip' }), 'Packed'],
    ['brotli', page(brotliCompressSync('<title>Packed</title>'), { 'content-encoding': 'br' }), 'Packed'],
    [
      'xhtml',
      page(
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Größe</title></head></html>',
        { 'content-type': 'application/xhtml+xml' }
      ),
      'Größe'
    ]
  ] as const
).map(([name, answer, title], index) => ({
  name: `characters: ${name}`,
  url: at(`charset${index}`),
  answer,
  ...titled(title)
}))

const TITLES: TestPage[] = (
  [
    ['title only', '<title>One</title>', 'One'],
    ['og over title', '<meta property="og:title" content="Two"><title>Two | Site</title>', 'Two'],
    ['twitter', '<meta name="twitter:title" content="Three"><title>x</title>', 'Three'],
    ['heading for want of a title', '<body><h1>Four <b>and</b> more</h1>', 'Four and more'],
    [
      'JSON-LD for want of a title',
      '<script type="application/ld+json">{"@graph":[{"@type":"Article","headline":"Five"}]}</script>',
      'Five'
    ],
    ['broken JSON-LD', '<script type="application/ld+json">{"headline":</script><title>Six</title>', 'Six'],
    ['entities and line breaks', '<title>\n Tom &amp; Jerry &#8212;\n\t7 </title>', 'Tom & Jerry — 7'],
    ['a drawing’s title is not the page’s', '<body><svg><title>Menu</title></svg><h1>Eight</h1>', 'Eight'],
    ['never closed', '<html><head><title>Nine</title><body><div><p><b><i>text', 'Nine'],
    ['upside down', '</html></body><p></title><TITLE>Ten</TITLE></p><head>', 'Ten'],
    ['script payload', '<title><script>alert(1)</script></title>', '<script>alert(1)</script>'],
    [
      'img payload',
      '<meta property="og:title" content="&quot;><img src=x onerror=alert(1)>">',
      '"><img src=x onerror=alert(1)>'
    ],
    ['control and bidirectional characters', '<title>a\u0007b\u202Ec</title>', 'abc'],
    ['nothing at all', '', ''],
    ['no title, no words', '<html><body><div id="root"></div><script src="/app.js"></script>', ''],
    ['SPA shell with a title', '<title>App</title><div id="root"></div><noscript>Turn on JavaScript</noscript>', 'App'],
    ['bytes that are no text', '\0\0\x01\x02<title>Eleven</title>\0', 'Eleven']
  ] as const
).map(([name, html, title], index) => ({
  name: `title: ${name}`,
  url: at(`title${index}`),
  answer: page(html),
  ...titled(title)
}))

const REDIRECTS: TestPage[] = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `redirect ${status}`,
    url: `http://moved.example/${status}`,
    answer: redirect('/new', status),
    more: { 'moved.example/new': page('<title>New</title><link rel=canonical href="/">') },
    details: { title: 'New', canonicalUrl: 'http://moved.example/' }
  })),
  {
    name: 'redirect to another host',
    url: at('short'),
    answer: redirect('https://long.example/a?b=1'),
    more: { 'long.example/a?b=1': page('<title>Long</title>') },
    ...titled('Long')
  },
  { name: 'redirects in a circle', url: at('circle'), answer: redirect('/'), fault: 'redirects' },
  {
    name: 'redirect to a private address',
    url: at('inward'),
    answer: redirect('http://192.168.0.1/admin'),
    fault: 'address'
  },
  { name: 'redirect to nothing', url: at('astray'), answer: redirect('http://'), fault: 'address' },
  {
    name: 'a page that sends its reader on is none, and so with the next',
    url: at('onward'),
    answer: page('<title>Redirecting…</title><meta http-equiv="refresh" content="0; url=/second">'),
    more: {
      'onward.example/second': page('<title>Wait</title>', { refresh: '3; url=http://there.example/' }),
      'there.example/': page('<title>There</title><link rel=canonical href="/it">')
    },
    details: { title: 'There', canonicalUrl: 'http://there.example/it' }
  },
  {
    name: 'a page that sends its reader on to one that is gone',
    url: at('onward-gone'),
    answer: page('<meta http-equiv="refresh" content="0; url=/none">'),
    fault: 'gone'
  },
  {
    name: 'a page that sends its reader on to a private address',
    url: at('onward-inward'),
    answer: page('<meta http-equiv="refresh" content="0; url=http://192.168.0.1/">'),
    fault: 'address'
  },
  {
    name: 'a page that sends its reader on to a login',
    url: at('onward-login'),
    answer: page('<meta http-equiv="refresh" content="0; url=/login">'),
    more: { 'onward-login.example/login': page('<title>Hello</title>') },
    fault: 'login'
  },
  {
    name: 'a page that sends its reader on to a picture',
    url: at('onward-picture'),
    answer: page('<meta http-equiv="refresh" content="0; url=/a.png">'),
    more: { 'onward-picture.example/a.png': page('', { 'content-type': 'image/png' }) },
    details: { kind: 'image', title: 'a.png' }
  }
]

const WALLS: TestPage[] = (
  [
    ['a challenge that says 200', page('<title>Just a moment...</title>'), 'wall'],
    [
      'a challenge that says 403',
      page('<title>Just a moment...</title>', { 'cf-mitigated': 'challenge' }, 403),
      'wall'
    ],
    ['attention required', page('<title>Attention Required! | Cloudflare</title>'), 'wall'],
    ['access denied', page('<title>Access Denied</title>'), 'wall'],
    ['are you a robot', page('<title>Are you a robot?</title>'), 'wall'],
    ['403', page('<title>Forbidden</title>', {}, 403), 'refused'],
    ['401', page('', {}, 401), 'login'],
    ['404', page('<title>Not found</title>', {}, 404), 'gone'],
    ['410', page('', {}, 410), 'gone'],
    ['429', page('', {}, 429), 'busy'],
    ['503', page('', {}, 503), 'busy'],
    ['a login in the page’s place', page('<title>Sign in</title><form><input type="password"></form>'), 'login'],
    ['a redirect to a login', redirect('https://login.example/?next=1'), 'login'],
    ['a redirect to a question about cookies', redirect('https://consent.other.example/'), 'wall']
  ] as const
).map(([name, answer, fault], index) => ({
  name: `wall: ${name}`,
  url: at(`wall${index}`),
  answer,
  more: {
    'login.example/?next=1': page('<title>Hello</title>'),
    'consent.other.example/': page('<title>Before you go on</title>')
  },
  fault
}))

const TEXTS: TestPage[] = [
  {
    name: 'an article without what stands around it',
    url: at('text1'),
    answer: page(article('Orchards')),
    details: { title: 'Orchards', language: 'en' },
    says: 'counts every single apple',
    withholds: 'Shop menu'
  },
  { name: 'headings stand out', url: at('text2'), answer: page(article('Orchards')), says: '## Later' },
  {
    name: 'scripts and styles are no text',
    url: at('text3'),
    answer: page(article('X', '<script>var secret = 1</script><style>.secret{}</style>')),
    says: 'walled orchard',
    withholds: 'secret'
  },
  {
    name: 'markup in a text is text',
    url: at('text4'),
    answer: page(article('X', `<p>Write &lt;img src=x onerror=alert(1)&gt; ${WORDS}</p>`)),
    says: '<img src=x onerror=alert(1)>'
  },
  {
    name: 'a page that is no article keeps its words',
    url: at('text5'),
    answer: page('<title>List</title><ul><li>Zanzibar<li>Quito</ul>'),
    says: 'Zanzibar'
  },
  {
    name: 'ten thousand nested elements',
    url: at('text6'),
    answer: page(`<title>Deep</title>${'<div>'.repeat(10_000)}bottom`),
    ...titled('Deep'),
    says: 'bottom'
  },
  {
    name: 'forty thousand elements',
    url: at('text7'),
    answer: page(`<title>Wide</title>${'<p>many</p>'.repeat(40_000)}`),
    ...titled('Wide'),
    says: 'many'
  },
  {
    name: 'ten thousand open formattings',
    url: at('text8'),
    answer: page(`<title>Loud</title>${'<b><i><a href=x>'.repeat(3500)}loud`),
    ...titled('Loud'),
    says: 'loud'
  },
  {
    name: 'a page of 5 MB',
    url: at('text9'),
    answer: page(`<title>Huge</title><p>begins here</p>${'<!-- -->x '.repeat(550_000)}`),
    ...titled('Huge'),
    says: 'begins here'
  },
  {
    name: 'a bomb',
    url: at('text10'),
    answer: page(gzipSync(`<title>Bomb</title>${' '.repeat(60_000_000)}`), { 'content-encoding': 'gzip' }),
    ...titled('Bomb')
  },
  {
    name: 'plain text',
    url: 'http://text11.example/notes.txt',
    answer: page('Just notes\nof mine', { 'content-type': 'text/plain' }),
    details: { kind: 'file', title: 'notes.txt' },
    says: 'of mine'
  }
]

const DETAILS: TestPage[] = [
  {
    name: 'everything there is to say',
    url: 'http://full.example/page?x=1',
    answer: page(`<html lang="de-AT"><head><title>T</title>
      <meta name="description" content="Plain words"><meta property="og:description" content="Better words">
      <meta property="og:site_name" content="The Site"><link rel="canonical" href="/page">
      <meta property="article:published_time" content="2024-05-06T07:08:09Z"></head></html>`),
    details: {
      description: 'Better words',
      siteName: 'The Site',
      canonicalUrl: 'http://full.example/page',
      language: 'de-AT',
      publishedAt: Date.UTC(2024, 4, 6, 7, 8, 9)
    }
  },
  {
    name: 'a date in JSON-LD',
    url: at('date1'),
    answer: page('<title>T</title><script type="application/ld+json">[{"datePublished":"2020-01-02"}]</script>'),
    details: { publishedAt: Date.UTC(2020, 0, 2) }
  },
  {
    name: 'a date in the page',
    url: at('date2'),
    answer: page('<title>T</title><time pubdate datetime="2019-12-31">then</time>'),
    details: { publishedAt: Date.UTC(2019, 11, 31) }
  },
  {
    name: 'dates that cannot be',
    url: at('date3'),
    answer: page('<title>T</title><meta property="article:published_time" content="3019-01-01">'),
    details: { publishedAt: null }
  },
  {
    name: 'a canonical address that leads nowhere',
    url: at('canon1'),
    answer: page('<title>T</title><link rel="canonical" href="javascript:alert(1)">'),
    details: { canonicalUrl: null }
  },
  {
    name: 'a base of its own',
    url: at('canon2'),
    answer: page('<base href="https://other.example/dir/"><title>T</title><link rel="canonical" href="x">'),
    details: { canonicalUrl: 'https://other.example/dir/x' }
  },
  {
    name: 'a language that is none',
    url: at('lang'),
    answer: page('<html lang="<script>"><title>T</title>'),
    details: { language: null }
  },
  {
    name: 'GitHub',
    url: 'https://github.com/owner/project',
    answer: page(
      '<title>GitHub - owner/project: Does things</title><meta property="og:title" content="GitHub - owner/project: Does things"><meta property="og:description" content="Does things. Contribute to owner/project development by creating an account on GitHub."><meta property="og:site_name" content="GitHub">'
    ),
    details: { title: 'owner/project', description: 'Does things.', siteName: 'GitHub' }
  },
  {
    name: 'YouTube',
    url: 'https://www.youtube.com/watch?v=abc123',
    answer: page('<title>Before you continue to YouTube</title>'),
    more: {
      'www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Dabc123': page(
        '{"title":"A video","author_name":"Somebody","thumbnail_url":"https://i.ytimg.com/none.jpg"}',
        { 'content-type': 'application/json' }
      )
    },
    details: { title: 'A video', description: 'Somebody', siteName: 'YouTube' }
  },
  {
    name: 'YouTube without its answer',
    url: 'https://youtu.be/xyz',
    answer: page('<title>Another video - YouTube</title>'),
    ...titled('Another video - YouTube')
  },
  {
    name: 'PDF',
    url: 'http://papers.example/2024/On%20Bookmarks.pdf',
    answer: page('%PDF-1.7', { 'content-type': 'application/pdf' }),
    details: { kind: 'file', title: 'On Bookmarks.pdf', text: '' }
  },
  {
    name: 'an archive',
    url: 'http://files.example/a.zip',
    answer: page('PK', { 'content-type': 'application/zip' }),
    details: { kind: 'file', title: 'a.zip' }
  },
  {
    name: 'HTML that does not say so',
    url: at('untyped'),
    answer: (_, response) => void response.end('<!doctype html><title>Untyped</title>'),
    ...titled('Untyped')
  }
]

export const PAGES: TestPage[] = [...CHARSETS, ...TITLES, ...REDIRECTS, ...WALLS, ...TEXTS, ...DETAILS]

/** The answer of the page at `host/path?query`. */
export function pageAt(target: string): Answering | undefined {
  return ANSWERS.get(target)
}

const ANSWERS = new Map<string, Answering>(
  PAGES.flatMap(({ url, answer, more = {} }) => {
    const { host, pathname, search } = new URL(url)
    return [[`${host}${pathname}${search}`, answer] as const, ...Object.entries(more)]
  })
)
