/** Pages as the browser extension sends them: archives, and hostile ones. */

/** A picture of one red pixel, as PNG. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64'
)

type Part = readonly [type: string, address: string, content: string | Uint8Array]

/** An archive (MHTML) of these files, as Chromium writes it; an address that begins with `cid:` is a name within it. */
export function archive(...parts: Part[]): Buffer {
  const boundary = '----MultipartBoundary--x7Yk----'
  const head = `From: <Saved by Blink>\r\nSubject: A page\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="${boundary}"\r\n\r\n`
  const written = parts.map(([type, address, content]) => {
    const place = address.startsWith('cid:') ? `Content-ID: <${address.slice(4)}>` : `Content-Location: ${address}`
    const isText = typeof content === 'string'
    const body = isText ? quoted(content) : Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n')
    const encoding = isText ? 'quoted-printable' : 'base64'
    return `\r\n--${boundary}\r\nContent-Type: ${type}\r\n${place}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
  })
  return Buffer.from(`${head}${written.join('')}\r\n--${boundary}--\r\n`)
}

function quoted(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte === 61 || byte > 126 ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte)
  )
  return bytes.join('').replace(/[^\n]{70}(?<!=.?)/g, '$&=\r\n')
}

const LONG = 'x'.repeat(50_000)

/**
 * Returns hostile pages by what they try.
 *
 * @param evil the origin that they try to reach
 */
export const hostileCopies = (evil: string): Record<string, string | Buffer> => ({
  'a refresh': `<p>x</p><meta http-equiv="refresh" content="0;url=${evil}/1"><noscript><meta http-equiv=refresh content="0;${evil}/2"></noscript>`,
  'prefetch and other hints': [
    'prefetch',
    'preload',
    'dns-prefetch',
    'preconnect',
    'modulepreload',
    'prerender',
    'icon',
    'manifest',
    'stylesheet',
    'import'
  ]
    .map((rel) => `<link rel="${rel}" as="image" href="${evil}/${rel}">`)
    .join(''),
  'links in the body': `<body><p>x<link rel=stylesheet href="${evil}/a"><a id=click href="${evil}/b" ping="${evil}/c" target=_top>Click me</a><map name=m><area href="${evil}/d"></map>`,
  'a form': `<form action="${evil}/a" method=post target=_top><input name=q autofocus><button id=click formaction="${evil}/b">Click me</button><input type=image src="${evil}/c"></form>`,
  'addresses in styles': `<style>body{background:url(${evil}/a)}p{background:u\\72l("${evil}/b");cursor:image-set("${evil}/c" 1x),auto;content:url( '${evil}/d' )}@font-face{font-family:f;src:url(${evil}/e)}*{font-family:f}</style><p style="list-style:\\75\\72\\6c(${evil}/f)">x</p>`,
  'imported styles': `<style>@import "${evil}/a";@import url(${evil}/b) print;@\\69mport '${evil}/c';@namespace url(${evil}/d);</style><p>x`,
  'a drawing': `<svg width=99 height=99><script>fetch('${evil}/a')</script><image href="${evil}/b"/><use href="${evil}/c#d"/><a id=click href="${evil}/e" xlink:href="${evil}/f"><rect width=99 height=99 fill="url(${evil}/g#h)"/><set attributeName=href to="${evil}/i"/></a><style>@import "${evil}/j";</style><foreignObject><iframe src="${evil}/k"></iframe></foreignObject></svg>`,
  'choices of pictures': `<picture><source srcset="${evil}/a 1x, ${evil}/b 2x"><img src="${evil}/c" srcset="${evil}/d 2x" lowsrc="${evil}/e" onerror="fetch('${evil}/f')"></picture><video src="${evil}/g" poster="${evil}/h" autoplay><source src="${evil}/i"><track src="${evil}/j" default></video><audio src="${evil}/k"></audio><table background="${evil}/l"><tr><td background="${evil}/m">`,
  frames: `<iframe src="${evil}/a"></iframe><iframe srcdoc="<script>parent.ran=1;fetch('${evil}/b')</script><img src=${evil}/c>"></iframe><iframe src="javascript:top.ran=1"></iframe><frameset><frame src="${evil}/d"></frameset>`,
  objects: `<object data="${evil}/a"><param name=x value="${evil}/b"><img src="${evil}/c"></object><embed src="${evil}/d"><applet code="${evil}/e" archive="${evil}/f"></applet><portal src="${evil}/g"></portal><fencedframe src="${evil}/h"></fencedframe>`,
  'event handlers': `<body onload="ran=1" onpageshow=ran=1><img src=x onerror="ran=1"><details open ontoggle="ran=1"><div id=click onclick="ran=1" onmouseover=ran=1 style="position:fixed;inset:0">Click me</div><svg onload=ran=1><animate onbegin=ran=1 attributeName=x dur=1s></svg><input autofocus onfocus=ran=1><marquee onstart=ran=1>x`,
  'a base': `<base href="${evil}/" target=_top><a id=click href="a">Click me</a><img src=b><style>p{background:url(c)}</style><p>x`,
  'a manifest': `<html manifest="${evil}/a"><head profile="${evil}/b"><link rel=manifest href="${evil}/c"><body>x`,
  'rules of speculation': `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${evil}/a"]}],"prerender":[{"urls":["${evil}/b"]}]}</script><script type=importmap>{}</script><p>x`,
  'text that ends its element': `<title></title><img src=${evil}/a></title><textarea></textarea><img src=${evil}/b></textarea><xmp></xmp><img src=${evil}/c><style></style><img src=${evil}/d onerror=ran=1></style><noscript></noscript><img src=${evil}/e></noscript><plaintext><img src=${evil}/f>`,
  'text that is read twice': `<noscript><p title="</noscript><img src=${evil}/a onerror=ran=1>">x</noscript><svg></p><style><a title="</style><img src=${evil}/b onerror=ran=1>"></style></svg><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=${evil}/c onerror=ran=1&gt;"><p>&lt;/style&gt;<!-- --!><img src=${evil}/d> --><![CDATA[<img src=${evil}/e>]]>`,
  templates: `<template><script>ran=1</script><img src=${evil}/a></template><div><template shadowrootmode=open><script>ran=1</script><style>@import "${evil}/b";</style><a id=click href="${evil}/c">Click me</a><img src="${evil}/d" onerror=ran=1></template></div>`,
  'an archive with two pages at one address': archive(
    [
      'text/html',
      'https://a.example/',
      `<p>x</p><iframe src="https://a.example/"></iframe><iframe src="cid:f@x"></iframe>`
    ],
    ['text/html', 'https://a.example/', `<script>ran=1</script><img src="${evil}/a">`],
    [
      'text/html',
      'cid:f@x',
      `<script>top.ran=1</script><a id=click href="${evil}/b" target=_top>Click me</a><meta http-equiv=refresh content="0;${evil}/c">`
    ]
  ),
  'an archive whose pictures are pages': archive(
    [
      'text/html',
      'https://a.example/',
      '<img src=p><object data=p></object><link rel=stylesheet href=p><embed src=p><iframe src=q></iframe>'
    ],
    ['text/html', 'https://a.example/p', `<script>ran=1;fetch('${evil}/a')</script>`],
    [
      'image/svg+xml',
      'https://a.example/q',
      `<svg xmlns="http://www.w3.org/2000/svg"><script>fetch('${evil}/b')</script></svg>`
    ]
  ),
  'a picture that is a page': `<img src="data:text/html,<script>ran=1</script>"><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><script>fetch('${evil}/a')</script><image href='${evil}/b'/></svg>"><style>p{background:url(data:text/html,x);list-style:url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${evil}/c'/></svg>")}</style><p>x`,
  'a wrong charset': archive([
    'text/html; charset=utf-7',
    'https://a.example/',
    `<p>+ADw-script+AD4-ran=1+ADw-/script+AD4-</p><img src="${evil}/a">`
  ]),
  'another charset': archive([
    'text/html; charset=iso-2022-jp',
    'https://a.example/',
    `<p title="\u001b$B"><img src=${evil}/a onerror=ran=1>\u001b(B">x`
  ]),
  'bytes of UTF-16': Buffer.from(`\ufeff<p>x</p><script>ran=1</script><img src="${evil}/a">`, 'utf16le'),
  'names and values that are no names': `<p __proto__=x constructor=y onx="1" "onclick=ran=1 style=x:expression(ran=1) =a>x</p><constructor>y</constructor><__proto__ onload=ran=1>z<img/src=${evil}/a/onerror=ran=1><a/href="${evil}/b"id=click>Click me</a>`,
  'deep elements': `${'<div>'.repeat(5000)}<script>ran=1</script><a id=click href="${evil}/a">Click me</a>`,
  'long names and unfinished tags': `<p ${LONG}=x>x</p><${LONG}>y<!-- <img src=${evil}/a> --><img src="${evil}/b" onerror=ran=1 ${LONG}`
})
