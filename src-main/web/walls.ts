import type { PageFault } from '../contract/page-details.ts'
import type { PageFacts } from './page-facts.ts'

/**
 * Recognizes pages that a site sends instead of the requested page: logins, questions about cookies, and bot protection.
 * Bot protection changes often, so several kinds of evidence are used: headers, addresses, code that only such pages
 * contain, and titles. A title alone is no proof, because there are articles about these pages.
 */

/**
 * Headers and values by which a service for bot protection marks its own answers:
 * developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response,
 * docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html,
 * vercel.com/docs/vercel-firewall; SiteGround’s from its answers.
 */
const CHALLENGE_HEADERS: [name: string, value: RegExp][] = [
  ['cf-mitigated', /./],
  ['x-amzn-waf-action', /^(challenge|captcha)$/],
  ['x-vercel-mitigated', /^(challenge|deny)$/],
  ['sg-captcha', /^challenge$/]
]

/** Anubis sets cookies only for visitors that have not passed its check. */
const CHALLENGE_COOKIE = /^\S*anubis\S*=/i

/** Headers of services for bot protection. A 403 with such a header is mostly from the service, not from the site. */
const PROTECTION_HEADERS: [name: string, value: RegExp][] = [
  ['server', /^(cloudflare|cloudproxy|sucuri|ddos-guard|akamaighost|qrator|imperva|datadome|reblaze)/i],
  ['x-cdn', /^(incapsula|imperva)/i],
  ...['x-iinfo', 'x-datadome', 'x-dd-b', 'x-sucuri-id', 'x-sucuri-block', 'x-kpsdk-ct', 'x-px-authorization'].map(
    (name): [string, RegExp] => [name, /./]
  )
]

/** Cookies of DataDome, HUMAN (PerimeterX), Imperva, Akamai, AWS WAF, Reblaze and DDoS-Guard. */
const PROTECTION_COOKIES =
  /^(datadome|_px\w*|visid_incap_\w+|incap_ses_\w+|reese84|_abck|ak_bmsc|bm_sz|aws-waf-token|rbzid|__ddg\w+)=/i

/** Statuses that refuse robots. 401 is not included, because the site itself may require a password. */
const REFUSED = new Set([403, 405, 406, 418])

/** LinkedIn’s status for robots. */
const LINKEDIN = 999

/** Whether bot protection sent an answer, by its status and headers. */
export function challengeInHeaders(status: number, header: (name: string) => string, setCookies: string[]): boolean {
  const hasHeader = ([name, value]: [string, RegExp]) => value.test(header(name).trim())
  const hasCookie = (name: RegExp) => setCookies.some((cookie) => name.test(cookie.trim()))
  if (status === LINKEDIN || CHALLENGE_HEADERS.some(hasHeader) || hasCookie(CHALLENGE_COOKIE)) return true
  return REFUSED.has(status) && (PROTECTION_HEADERS.some(hasHeader) || hasCookie(PROTECTION_COOKIES))
}

/** Returns the fault if a redirect led to bot protection or a login instead of the page, by the addresses alone. */
export function detectRedirectToWall(requested: string, url: string): PageFault | undefined {
  const [from, to] = [new URL(requested), new URL(url)]
  if (isWall(to) && !isWall(from)) return 'wall'
  const moved = from.hostname !== to.hostname || from.pathname !== to.pathname
  return moved && isLogin(to) && !isLogin(from) ? 'login' : undefined
}

function isWall({ pathname, hostname }: URL): boolean {
  return WALL_PATH.test(pathname) || WALL_HOST.test(hostname)
}

function isLogin({ pathname, hostname }: URL): boolean {
  return LOGIN_PATH.test(pathname) || LOGIN_HOST.test(hostname)
}

// Google, Yandex, Bloomberg, Walmart, SiteGround, Alibaba, and pages with the name `captcha`.
const WALL_PATH =
  /^\/sorry\/index|^\/showcaptcha|^\/tosv2\.html$|^\/blocked$|\/\.well-known\/sgcaptcha\/|\/_____tmd_____\/punish|\/(re)?captcha(\.\w+)?\/?$/i
const WALL_HOST = /^consent\.|(^|\.)(captcha-delivery\.com|perfdrive\.com|queue-it\.net)$|^wappass\.baidu\.com$/i

const LOGIN_PATH = /\/(log-?in|sign-?in|signup|sign-up|sso|authwall|oauth2?|authorize)(\b|\/|\.|$)/i
const LOGIN_HOST = /^(login|accounts?|auth|sso|signin)\./i
const LOGIN_TITLE = /^(log ?in|sign ?in|anmelden|connexion)\b|\b(log ?in|sign ?in)$/i

/**
 * Maximum lengths of visible text, in UTF-16 code units: of a page with a mark of bot protection (Anubis has 1,300), of
 * a page with a title of bot protection, of a notice to wait, and of a page that only shows a name, a spinner or a
 * button.
 */
const MAX_WALL_TEXT = 3000
const MAX_TITLED_WALL_TEXT = 1500
const MAX_NOTICE = 500
const MAX_EMPTY_TEXT = 120

/** Maximum length of a page that only sets a cookie and reloads, in UTF-16 code units. */
const MAX_COOKIE_SCRIPT = 20_000

interface Page extends Pick<PageFacts, 'title' | 'heading' | 'text' | 'asksPassword'> {
  html: string
  /** Whether the page has a canonical address, an Open Graph title or a headline in JSON-LD. */
  isDescribed: boolean
  redirects: boolean
  /** The requested address, and the last one after redirects. */
  requested: string
  url: string
}

/**
 * Returns the fault of a page that was sent instead of the requested one. If it redirects, its title proves nothing.
 */
export function detectWall(page: Page): PageFault | undefined {
  const { title, html, text, redirects, requested, url } = page
  const led = detectRedirectToWall(requested, url)
  if (led) return led
  if (text.length < MAX_WALL_TEXT && MARKS.test(html)) return 'wall'
  if (title + text === '' && html.length < MAX_COOKIE_SCRIPT && SETS_A_COOKIE.test(html)) return 'wall'
  if (redirects) return undefined
  if (hasWallTitle(page)) return 'wall'
  return !isLogin(new URL(requested)) && page.asksPassword && LOGIN_TITLE.test(title) ? 'login' : undefined
}

function hasWallTitle({ title, heading, text, isDescribed }: Page): boolean {
  if (isDescribed || text.length >= MAX_TITLED_WALL_TEXT) return false
  if (text.length < MAX_NOTICE && NOTICE.test(text)) return true
  const explains = text.length < MAX_EMPTY_TEXT || SPEAKS_OF_ROBOTS.test(text)
  return explains && [...partsOf(title), ...partsOf(heading)].some((part) => WALL_TITLE.test(part))
}

// Code that is in the pages of bot protection but not in the pages behind it. Scripts that services also put into the
// latter are left out: `/cdn-cgi/challenge-platform/scripts/jsd/`, `_Incapsula_Resource?SWJIYLWA=` with one value,
// `js.datadome.co`, `client.px-cdn.net`, `challenge.js` of AWS WAF, `script.js` of Fastly. Sources: pages that were
// fetched, github.com/microlinkhq/is-antibot (src/providers.json) and github.com/0xInfection/Awesome-WAF.
const MARKS = new RegExp(
  [
    // Cloudflare: a challenge, and its error and block pages.
    '_cf_chl_opt|id="cf-(?:error-details|wrapper)"',
    // Anubis, go-away, Basedflare, Bunny Shield.
    String.raw`/\.within\.website/x/|id="anubis_challenge"|/\.well-known/\.git\.gammaspectra\.live/|/\.basedflare/|/\.bunny-shield/`,
    // HUMAN (PerimeterX), DataDome, Kasada.
    String.raw`px-captcha|_pxAction|//(?:ct|geo)\.captcha-delivery\.com|/149e9513-01fa-4fb0-aad4-566afd725d1b/[^"']{0,200}/ips\.js`,
    // Imperva: a block, a challenge.
    String.raw`Incapsula incident ID|_Incapsula_Resource\?SWUDNSAI=|_Incapsula_Resource\?\w{1,20}=[0-9a-f]{8,40},[0-9a-f]{8}`,
    // Akamai, AWS WAF, F5, Fastly, Vercel.
    String.raw`sec-if-cpt-container|[?&;]bm-verify=|\bgokuProps\b|view the page content\.(?:<br ?/?>)?\s{0,9}Your support ID is|The requested URL was rejected\. Please consult|/_fs-ch-\w+/assets/styles\.css|/\.well-known/vercel/security/`,
    // Sucuri, SiteGround, Imunify360.
    String.raw`sucuri_cloudproxy_|cloudproxy@sucuri\.net|/\.well-known/sgcaptcha/|[?&;]wsidchk=`,
    // Google, Amazon, Alibaba, Baidu.
    String.raw`id="captcha-form"|/errors/validateCaptcha|_____tmd_____/punish|wappass\.baidu\.com/static/captcha`
  ].join('|'),
  'i'
)

/** A script of a page without text that sets a cookie and reloads. */
const SETS_A_COOKIE = /document\.cookie\s*=.*\blocation\b/s

/** Sentences on pages of bot protection that have no other mark. */
const NOTICE =
  /your browser is being checked|checking your browser|verifying (that )?you are (a )?human|(javascript|js) and cookies to continue|complete the (security check|captcha) to (access|continue|proceed)/i

const SPEAKS_OF_ROBOTS =
  /\b(javascript|cookies?|(ro)?bots?|humans?|captchas?|verif(y|ying|ied|ication)|blocked|denied|rejected|security (service|check|solution)|automat\w+|unusual|suspicious|your (browser|connection|network|request)|ray id|(incident|support|request|reference) (id|#|number)|permission)\b|робот|проверк|安全|验证|驗證|ロボット|로봇/i

/** Splits titles such as `Bloomberg - Are you a robot?` and `Attention Required! | Cloudflare`. */
function partsOf(title: string): string[] {
  return title.split(/\s[-–—·•»]\s|\|/).map((part) => part.replace(/[\s.…!?。]+$/u, '').trim())
}

const WALL_TITLE = new RegExp(
  `^(?:${[
    'just a moment|one moment,? please|please wait(?: (?:a|one) moment| for verification)?',
    'attention required',
    '(?:access|request)(?: to this (?:page|site|website))? (?:has been |is |was )?(?:temporarily )?(?:denied|blocked|restricted|rejected|limited)',
    '(?:web ?)?page blocked|blocked|forbidden|403(?: forbidden)?',
    "(?:sorry,? )?you(?: ha|[’']?)ve been blocked",
    'are you (?:a |not a )?(?:human|robot|bot)(?:,? or .*)?|robot or human',
    "(?:making|let[’']?s make) sure you[’']?re (?:not a (?:ro)?bot|(?:a )?human)",
    "(?:please )?(?:confirm|prove|verify|verifying|checking)(?: that)? (?:you(?:[’']re| are) (?:a )?(?:human|not a (?:ro)?bot)|your humanity|your (?:browser|connection)(?: before .*)?|if the site connection is secure)",
    '(?:human|bot|robot) (?:verification|check|challenge)(?: screen| page)?|robot check|browser check',
    'security (?:verification|check|checkpoint)|vercel security checkpoint|captcha|challenge page|client challenge',
    'ddos-guard|ddos protection by .*|pardon our interruption|one more step',
    'your (?:browsing activity|access|request).*(?:paused|limited|blocked)(?: by .*)?',
    'too many requests|the request could not be satisfied|waiting room powered by .*|sina visitor system|you are now in line',
    'доступ (?:ограничен|запрещ[её]н)|проверка браузера|вы не робот|ой',
    '(?:百度)?安全验证|人机验证|请点击按钮开始验证|请稍候|安全检查|アクセスが制限されています'
  ].join('|')})$`,
  'iu'
)

/** Whether a title is only shown while a page loads: `Loading…`, `Redirecting`. */
export function isPlaceholder(title: string): boolean {
  return PLACEHOLDER.test(title.replace(/^[\s.…]+|[\s.…!。]+$/gu, ''))
}

const PLACEHOLDER = new RegExp(
  `^(?:${[
    '(?:page |now )?loading|please wait|just a moment|one moment(?:,? please)?',
    '(?:you are (?:now )?being )?redirect(?:ing|ed)(?: you)?(?: to https?:\\S+)?',
    'wird geladen|weiterleitung|bitte warten|chargement(?: en cours)?|redirection(?: en cours)?|veuillez patienter',
    'cargando|redirigiendo|espere por favor|carregando|redirecionando|aguarde|caricamento(?: in corso)?|yükleniyor',
    'загрузка|перенаправление|подождите|加载中|載入中|正在加载|跳转中|正在跳转|読み込み中|로딩 ?중'
  ].join('|')})$`,
  'iu'
)
