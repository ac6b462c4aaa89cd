import { describe, expect, test } from 'vitest'
import { readHtml } from '../../src-main/web/read-html.ts'
import { challengeInHeaders } from '../../src-main/web/walls.ts'

interface Sent {
  html: string
  /** The address of the page, if it is another address than the requested one. */
  url?: string
  refresh?: string
}

const ASKED = 'https://a.example/2024/on-herons'

function read({ html, url = ASKED, refresh = '' }: Sent) {
  const bytes = new Uint8Array(Buffer.from(html))
  return readHtml({ bytes, charset: 'utf-8', contentType: 'text/html', requested: ASKED, url, refresh })
}

/** A title, or why there is none, or where the page leads. */
function outcomeOf(sent: Sent | string): string {
  const page = read(typeof sent === 'string' ? { html: sent } : sent)
  if ('fault' in page) return `fault ${page.fault}`
  return 'refresh' in page ? `to ${page.refresh}` : page.details.title
}

const PARAGRAPH =
  '<p>A heron stood by the water while the verification of its patience took all morning, and no robot, no script and no ' +
  'cookie came between it and the fish; whoever was blocked that day was blocked by the reeds, and nobody was denied a look.</p>'
const STORY = PARAGRAPH.repeat(20)

/** Pages of bot protection as they are met, shortened. Where a public report has the page, it is named. */
const WALLS: [name: string, page: string | Sent][] = [
  [
    'Cloudflare: a challenge (github.com/crunchy-labs/crunchy-cli/issues/386)',
    '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="390"></head><body><div class="main-wrapper"><noscript>Enable JavaScript and cookies to continue</noscript></div><script>(function(){window._cf_chl_opt={cvId:"3"}})()</script></body></html>'
  ],
  [
    'Cloudflare: a block (github.com/linkwarden/linkwarden/issues/961)',
    '<title>Attention Required! | Cloudflare</title><div id="cf-wrapper"><h1>Sorry, you have been blocked</h1><h2>You are unable to access nationalreview.com</h2><p>This website is using a security service to protect itself from online attacks.</p></div>'
  ],
  [
    'Cloudflare: error 1020',
    '<title>Access denied | www.a.example used Cloudflare to restrict access</title><h1>Error 1020</h1><p>You cannot access www.a.example. Ray ID: 7f</p>'
  ],
  [
    'Anubis (github.com/TecharoHQ/anubis)',
    `<html lang="en"><head><title>Making sure you're not a bot!</title><link rel="stylesheet" href="/.within.website/x/xess/xess.min.css"><meta name="robots" content="noindex,nofollow"></head><body><h1>Making sure you're not a bot!</h1><script id="anubis_version" type="application/json">"v1.24.0"</script><p>Loading...</p><details><summary>Why am I seeing this?</summary>${PARAGRAPH.repeat(4)}</details></body></html>`
  ],
  [
    'Anubis with a title of its site’s own, and the page’s link preview',
    '<title>Hold on</title><meta property="og:title" content="On herons"><script id="anubis_challenge" type="application/json">{"rules":{}}</script><p>Wait</p>'
  ],
  [
    'Bloomberg (github.com/sissbruecker/linkding/issues/1013)',
    '<title>Bloomberg - Are you a robot?</title><h2>We’ve detected unusual activity from your computer network</h2><p>To continue, please click the box below to let us know you’re not a robot. Please make sure your browser supports JavaScript and cookies.</p>'
  ],
  [
    'Walmart: HUMAN, formerly PerimeterX',
    '<title>Robot or human?</title><h1>Robot or human?</h1><p>Activate and hold the button to confirm that you’re human. Thank You!</p><div id="px-captcha"></div>'
  ],
  [
    'DataDome: the title is the host',
    `<html lang="en"><head><title>etsy.com</title></head><body><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/c.js"></script></body></html>`
  ],
  [
    'Imperva: a page of one script',
    '<html><head><META NAME="robots" CONTENT="noindex,nofollow"><script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4,719d34d31c8e3a6e6fffd425f7e032f3"></script><body></body></html>'
  ],
  [
    'Imperva: an incident',
    '<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=5-2434707">Request unsuccessful. Incapsula incident ID: 1393</iframe></body></html>'
  ],
  [
    'Imperva: an interruption',
    '<title>Pardon Our Interruption</title><h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you were a bot. You’ve disabled cookies in your web browser.</p>'
  ],
  [
    'Akamai: a stub of 2 KB (github.com/germondai/trawl/pull/33)',
    '<html><head><title>Edmunds</title></head><body><div id="sec-if-cpt-container" data-duration="5"><p>Powered and protected by Akamai</p></div></body></html>'
  ],
  [
    'Akamai: a stub that would lead on for ever',
    `<html><head><meta http-equiv="refresh" content="5; URL='/2024/on-herons?bm-verify=AAQAAAAE'"></head><body><script>var i = 1</script></body></html>`
  ],
  [
    'Akamai: a refusal that says 200',
    '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don’t have permission to access "http://a.example/" on this server.<P>Reference #18.2d351ab8.1557333295</BODY></HTML>'
  ],
  [
    'Akamai: a challenge (github.com/D4Vinci/Scrapling/pull/213)',
    '<html><head><title>Challenge Page</title><script src="/.well-known/sbsd/x.js?v=1"></script></head><body></body></html>'
  ],
  [
    'AWS WAF',
    '<title>Human Verification</title><script>window.gokuProps = {"key":"AQIDAHj"}</script><noscript><h1>JavaScript is disabled</h1></noscript>'
  ],
  [
    'SiteGround (github.com/harlan-zw/unlighthouse/issues/291)',
    '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F2024%2F&y=ipc:192.0.2.1"></head></html>'
  ],
  [
    'SiteGround, behind its redirect',
    { html: '<title>A title of its own</title>', url: 'https://a.example/.well-known/sgcaptcha/?r=%2F' }
  ],
  [
    'Imunify360 (github.com/jon48/webtrees-theme-rural/issues/51)',
    '<html><head><title>One moment, please...</title></head><body><h1>Please wait while your request is being verified...</h1><form id="wsidchk-form" action="/z0f76a1d14fd21a8fb5fd0d03e0fdc3d3cedae52f?wsidchk=1"></form></body></html>'
  ],
  [
    'a host that waits and loads again',
    '<html><head><title>One moment, please...</title><meta http-equiv="refresh" content="3"></head><body><h1>Please wait while your request is being verified...</h1></body></html>'
  ],
  [
    'free hosts: a cookie made with AES',
    `<html><body><script type="text/javascript" src="/aes.js"></script><script>function toNumbers(d){var e=[];return e}document.cookie="__test="+1;location.href="https://a.example/?i=1";</script><noscript>This site requires Javascript to work</noscript></body></html>`
  ],
  [
    'a script without a name that sets a cookie and loads again',
    '<html><body><script>document.cookie="seen=1; path=/"; window.location.reload()</script></body></html>'
  ],
  [
    'Fastly (github.com/pypi/warehouse/issues/17285)',
    '<html lang="en"><head><title>Client Challenge</title><link rel="stylesheet" href="/_fs-ch-1T1wmsGaOgGaSxcX/assets/styles.css"></head><body><noscript>JavaScript is disabled in your browser.</noscript><p>A required part of this site couldn’t load. This may be due to a browser extension.</p></body></html>'
  ],
  [
    'Sucuri',
    `<html><title>You are being redirected...</title><noscript>Javascript is required. Please enable javascript before you are allowed to see this page.</noscript><script>var s={},sucuri_cloudproxy_js='',S='cz0i'</script></html>`
  ],
  [
    'F5',
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 123<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>'
  ],
  [
    'F5: a page of one script',
    `<html><head><script>window["bobcmn"] = "10111"</script></head><body><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 123.</noscript></body></html>`
  ],
  ['DDoS-Guard', '<title>DDoS-Guard</title><h1>Checking your browser before accessing a.example</h1>'],
  [
    'LiteSpeed (github.com/FlareSolverr/FlareSolverrSharp/issues/20)',
    `<html><head><title>Bot Verification</title><script>function onSubmit() { document.getElementById('lsrecaptcha-form').submit() }</script></head><body><h1>Verifying that you are not a robot...</h1></body></html>`
  ],
  [
    'PubMed',
    '<title>Checking your browser - reCAPTCHA</title><h4>Checking your browser before accessing pubmed.ncbi.nlm.nih.gov ...</h4><p>Click here if you are not automatically redirected after 5 seconds.</p>'
  ],
  [
    'Reddit',
    '<title>Reddit - Prove your humanity</title><p>We’re committed to safety and security. But not for bots. Complete the challenge below.</p>'
  ],
  [
    'Reddit: to wait (github.com/n1byn1kt/apitap/pull/68)',
    '<title>Reddit - Please wait for verification</title><script>document.forms</script>'
  ],
  [
    'Codeforces: by its words alone (github.com/Nerovix/kouhai-bot/pull/79)',
    '<title>Codeforces</title><p>Please wait. Your browser is being checked. It may take a few seconds...</p>'
  ],
  [
    'archive.today: by its words alone (github.com/karakeep-app/karakeep/issues/2952)',
    '<title>archive.ph</title><p>Please complete the security check to access archive.ph</p><div class="g-recaptcha"></div>'
  ],
  [
    'Stack Overflow',
    '<title>Human verification - Stack Overflow</title><p>We have detected unusual traffic from your network. Please prove you are not a robot.</p>'
  ],
  ['Vercel', '<title>Vercel Security Checkpoint</title><p>We’re verifying your browser</p>'],
  [
    'Amazon',
    '<title>Amazon.com</title><h4>Click the button below to continue shopping</h4><form method="get" action="/errors/validateCaptcha"><button>Continue shopping</button></form>'
  ],
  ['Weibo', '<title>Sina Visitor System</title><span id="message"></span>'],
  ['Tencent', '<title>请点击按钮开始验证</title><div id="TencentCaptcha"></div>'],
  ['Baidu', '<title>百度安全验证</title><p>网络不给力，请稍后重试</p>'],
  [
    'Google, behind its redirect',
    { html: '<title>https://a.example/</title>', url: 'https://www.google.com/sorry/index?continue=x' }
  ],
  [
    'Bloomberg, behind its redirect',
    { html: '<title>Bloomberg</title>', url: 'https://www.bloomberg.com/tosv2.html?url=L25l' }
  ]
]

test.for(WALLS)('a bot-protection page yields no title: %s', ([, page]) => {
  expect(outcomeOf(page)).toBe('fault wall')
})

/** Pages that look like walls and are none. */
const PAGES: [name: string, html: string, title: string][] = [
  [
    'an article about them, with their code',
    `<title>How Cloudflare's "Just a moment" works</title><h1>Just a moment...</h1>${STORY}<pre>window._cf_chl_opt = {}; px-captcha</pre>`,
    `How Cloudflare's "Just a moment" works`
  ],
  ['a story that is called so', `<title>Just a moment...</title>${STORY}`, 'Just a moment...'],
  ['a story by that name on a site', `<title>Are you a robot? | Tales</title>${STORY}`, 'Are you a robot? | Tales'],
  [
    'a short page that names its own address',
    `<title>Access denied | The manual</title><link rel="canonical" href="${ASKED}"><p>What to do if your request was denied.</p>`,
    'Access denied | The manual'
  ],
  [
    'a short post with a link preview',
    '<title>Are you human?</title><meta property="og:title" content="Are you human?"><p>A robot asked me this.</p>',
    'Are you human?'
  ],
  [
    'a short page that begins like one',
    '<title>Access Denied: A novel</title><p>The verification, a thriller.</p>',
    'Access Denied: A novel'
  ],
  [
    'a page that needs scripts, with a script of Cloudflare’s',
    '<title>App</title><div id="root"></div><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
    'App'
  ],
  [
    'a short page with a script of Imperva’s',
    '<title>Opening hours</title><p>Daily</p><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=2&cb=1"></script>',
    'Opening hours'
  ],
  [
    'a short page with scripts of DataDome, HUMAN and AWS WAF',
    '<title>Shoes</title><p>Red</p><script src="https://js.datadome.co/tags.js"></script><script src="//client.px-cdn.net/PXabc/main.min.js"></script><script>window._pxAppId="PXabc"</script><script src="https://a.edge.sdk.awswaf.com/a/challenge.js"></script>',
    'Shoes'
  ],
  [
    'a short page with a script of Fastly’s',
    '<title>Pivot tables</title><p>Hide errors</p><script src="/_fs-ch-1T1wmsGaOgGaSxcX/assets/script.js"></script>',
    'Pivot tables'
  ],
  [
    'a form that asks for a proof',
    '<title>Contact</title><form><textarea></textarea><div class="cf-turnstile"></div><div class="g-recaptcha"></div><div class="h-captcha"></div></form>',
    'Contact'
  ],
  [
    'a page without a name that sets a cookie',
    '<script>document.cookie="seen=1"; if (location.hash) go()</script><p>Hello</p>',
    ''
  ],
  ['what is loading for long', `<title>Loading</title><h1>Loading</h1>${STORY}`, 'Loading'],
  ['a page about redirects', '<title>Redirecting to HTTPS</title><p>How to</p>', 'Redirecting to HTTPS'],
  [
    'a page that is loaded again every five minutes',
    `<meta http-equiv="refresh" content="300"><title>News</title>`,
    'News'
  ]
]

test.for(PAGES)('an ordinary page keeps its title: %s', ([, html, title]) => {
  expect(outcomeOf(html)).toBe(title)
})

test.for([
  ['<title>Loading…</title>', ''],
  ['<title>Loading...</title><h1>Herons</h1>', 'Herons'],
  ['<title>Please wait</title><meta property="og:title" content="Herons">', 'Herons'],
  ['<meta property="og:title" content="Redirecting..."><title>Herons</title>', 'Herons'],
  ['<title>Redirecting to https://b.example/</title><p>Click here</p>', ''],
  ['<title>You are being redirected</title>', ''],
  ['<title>Загрузка…</title>', ''],
  ['<title>加载中...</title>', '']
])('a title that says only that a page is being made is none: %s', ([html = '', title]) => {
  expect(outcomeOf(html)).toBe(title)
})

describe('meta refresh', () => {
  const meta = (content: string, more = '') => `<title>T</title><meta http-equiv="refresh" content="${content}">${more}`

  test.for([
    ['0; url=/new', 'to https://a.example/new'],
    ['0;URL=/new', 'to https://a.example/new'],
    [' 5 , url = &quot;/new&quot; ignored', 'to https://a.example/new'],
    ["0; url='new'", 'to https://a.example/2024/new'],
    ['0; /new', 'to https://a.example/new'],
    ['0.9;url=//b.example/x#part', 'to https://b.example/x#part'],
    ['.5;url=/new', 'to https://a.example/new'],
    ['0 https://b.example/', 'to https://b.example/'],
    ['10; url=/новое', 'to https://a.example/%D0%BD%D0%BE%D0%B2%D0%BE%D0%B5'],
    ['11; url=/new', 'T'],
    ['0', 'T'],
    ['0; url=', 'T'],
    ['url=/new', 'T'],
    ['0url=/new', 'T'],
    ['-1; url=/new', 'T'],
    [`0; url=${ASKED}#top`, 'T'],
    ['0; url=javascript:alert(1)', 'T'],
    ['0; url=itms-apps://store/', 'T']
  ])('%s leads %s', ([content = '', outcome]) => {
    expect(outcomeOf(meta(content))).toBe(outcome)
  })

  test('the Refresh header is followed like the tag', () => {
    expect(outcomeOf({ html: '<title>T</title>', refresh: '0; url=/new' })).toBe('to https://a.example/new')
  })

  test('its address is relative to the page’s base', () => {
    expect(outcomeOf(meta('0; url=new', '<base href="https://b.example/dir/">'))).toBe('to https://b.example/dir/new')
  })

  test('a bot-protection title does not prevent it', () => {
    expect(outcomeOf('<title>Just a moment...</title><meta http-equiv=refresh content="1; url=/new">')).toBe(
      'to https://a.example/new'
    )
  })

  test('a page with text is followed only at a delay too short to read', () => {
    expect(outcomeOf(meta('5; url=/next', STORY))).toBe('T')
    expect(outcomeOf(meta('0; url=/next', STORY))).toBe('to https://a.example/next')
  })

  test.for([
    '<noscript><meta http-equiv="refresh" content="0; url=/without-scripts"></noscript>',
    '<!--[if lt IE 9]><meta http-equiv="refresh" content="0; url=/old"><![endif]-->',
    '<template><meta http-equiv="refresh" content="0; url=/x"></template>',
    '<textarea><meta http-equiv="refresh" content="0; url=/x"></textarea>'
  ])('a tag that does not count in a browser is not followed: %s', (html) => {
    expect(outcomeOf(`<title>T</title>${html}`)).toBe('T')
  })
})

test.for([
  ['a challenge of Cloudflare’s', 200, { 'cf-mitigated': 'challenge' }, [], true],
  ['a challenge of AWS WAF’s', 202, { 'x-amzn-waf-action': 'challenge' }, [], true],
  ['a question of AWS WAF’s', 405, { 'x-amzn-waf-action': 'captcha' }, [], true],
  ['a challenge of Vercel’s', 429, { 'x-vercel-mitigated': 'challenge' }, [], true],
  ['a challenge of SiteGround’s', 202, { 'sg-captcha': 'challenge' }, [], true],
  ['a challenge of Anubis’', 401, {}, ['techaro.lol-anubis-auth=; Path=/; Max-Age=0'], true],
  ['LinkedIn’s refusal', 999, {}, [], true],
  ['a refusal by Cloudflare', 403, { server: 'cloudflare' }, [], true],
  ['a refusal by Sucuri', 403, { 'x-sucuri-id': '11005' }, [], true],
  ['a refusal by Akamai', 403, { server: 'AkamaiGHost' }, [], true],
  ['a refusal by DataDome', 403, { 'x-datadome': 'protected' }, ['datadome=abc; Path=/'], true],
  ['a refusal by Imperva', 403, { 'x-iinfo': '5-2434707-0' }, ['visid_incap_1=2'], true],
  ['a refusal by HUMAN', 403, {}, ['_pxhd=def; Path=/'], true],
  ['a page by way of Cloudflare', 200, { server: 'cloudflare' }, ['__cf_bm=1'], false],
  ['a page with cookies of DataDome, HUMAN and Imperva', 200, {}, ['datadome=1', '_px3=1', 'incap_ses_1=1'], false],
  ['a password by way of Cloudflare', 401, { server: 'cloudflare' }, [], false],
  ['a page that is gone, by way of Cloudflare', 404, { server: 'cloudflare' }, [], false],
  ['a site’s own refusal', 403, { server: 'nginx' }, ['session=1'], false],
  ['a page that AWS WAF let pass', 200, { 'x-amzn-waf-action': 'allow' }, [], false]
] as const)('the headers of %s are told apart', ([, status, headers, cookies, isChallenge]) => {
  const sent = new Map(Object.entries(headers))
  expect(challengeInHeaders(status, (name) => sent.get(name) ?? '', [...cookies])).toBe(isChallenge)
})
