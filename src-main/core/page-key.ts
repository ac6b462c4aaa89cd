/** The version of the rules for page keys. Increase it with every change, so that stored bookmarks get new keys. */
export const PAGE_KEY_RULES = 2

/**
 * Returns the key under which two addresses count as the same page. Fragment, default port, trailing slash, needless
 * percent-encoding, tracking parameters and the order of parameters make no difference. A fragment that selects the page
 * (`#/inbox`, `#!forum/e`, `#inbox/A`) does. So do `www.` and the scheme: a site may send other content for them.
 *
 * @param address an absolute http or https URL
 * @throws TypeError if the address is no URL
 */
export function pageKey(address: string): string {
  return urlPageKey(new URL(address))
}

/** The page key of a picture that is stored in the library, so that the same picture is one bookmark. */
export function pictureKey(hash: string): string {
  return `picture:${hash}`
}

/**
 * Returns the page key of a parsed address, and changes that address. Parts that need no change are not set, because
 * setting a part of a URL takes as long as parsing it.
 */
export function urlPageKey(url: URL): string {
  const { hostname } = url
  if (hostname.endsWith('.')) url.hostname = hostname.slice(0, -1)
  if (url.hash !== '' ? !ROUTE.test(url.hash) : url.href.includes('#')) url.hash = ''
  const site = SITES.find(({ host }) => host.test(url.hostname))
  if (url.href.includes('?')) {
    const isTracking = (name: string) => ANYWHERE.test(name) || site?.parameters.test(name)
    // Set once, because each change of `url.searchParams` serializes the whole address.
    const parameters = new URLSearchParams([...url.searchParams].filter(([name]) => !isTracking(name)))
    parameters.sort()
    url.search = parameters.toString() // an empty text also removes a lone `?`
  }
  const path = withoutSlash(decodeUnreserved(site?.path ? url.pathname.replace(site.path, '') : url.pathname))
  if (path !== url.pathname) url.pathname = path
  return url.href
}

/** Single-page applications keep their route in the fragment. Plain anchors contain no slash; `:~:` selects text. */
const ROUTE = /^#(?:!|(?!:~:).*\/)/

/** Removes slashes at the end. A regular expression would take quadratic time for a path of many slashes. */
function withoutSlash(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** Normalizes percent-encoding by RFC 3986, section 6.2.2: unreserved characters are decoded, other codes in capitals. */
function decodeUnreserved(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code.toUpperCase()
  })
}

// Without the dot, because the URL parser has already decoded `%2e` in the path segments `.` and `..`.
const UNRESERVED = /^[A-Za-z0-9_~-]$/

// Parameters that select content on no site. `ref` does on GitHub, `source` and `si` do elsewhere, so they are not listed.
const ANYWHERE = new RegExp(
  `^(${[
    'utm_\\w+|mtm_\\w+|matomo_\\w+|pk_(campaign|kwd|keyword|source|medium|content)|hsa_\\w+|_hsenc|_hsmi|hsctatracking',
    'fbclid|fb_(action_ids|action_types|source|ref)|mibextid|igshid|igsh|gclid|gclsrc|dclid|gbraid|wbraid|srsltid',
    '_ga|_gl|msclkid|yclid|ysclid|_openstat|twclid|__twitter_impression|ttclid|li_fat_id|epik|irclickid|rb_clickid',
    'mc_cid|mc_eid|mkt_tok|vero_id|vero_conv|oly_anon_id|oly_enc_id|ml_subscriber(_hash)?|s_cid|wickedid|cmpid',
    'smid|smtyp|guccounter|guce_referrer(_sig)?|_branch_match_id|elqtrackid|elqtrack|spm|wt_z?mc',
    'at_(medium|campaign|custom\\d|link_\\w+|ptr_name|bbc_team|format)'
  ].join('|')})$`,
  'i'
)

/**
 * Tracking parameters of single sites. On other sites these names may select content. A position in a video (`t`)
 * selects content, so it is not removed.
 */
const SITES: { host: RegExp; parameters: RegExp; path?: RegExp }[] = [
  { host: /(^|\.)(youtube\.com|youtu\.be)$/, parameters: /^(si|feature|pp|ab_channel)$/ },
  { host: /(^|\.)(twitter|x)\.com$/, parameters: /^(s|t|ref_src|ref_url)$/ },
  { host: /(^|\.)reddit\.com$/, parameters: /^(share_id|rdt|ref|ref_source|ref_share)$/ },
  { host: /(^|\.)spotify\.com$/, parameters: /^(si|nd)$/ },
  { host: /(^|\.)medium\.com$/, parameters: /^source$/ },
  { host: /(^|\.)linkedin\.com$/, parameters: /^(trk|trackingid|refid|lipi|rcm)$/i },
  {
    host: /(^|\.)facebook\.com$/,
    parameters: /^(__cft__(\[\d+\])?|__tn__|__xts__(\[\d+\])?|refsrc|fref|hc_ref|rdid)$/
  },
  { host: /(^|\.)tiktok\.com$/, parameters: /^(_r|_t|is_from_webapp|sender_device|is_copy_url)$/ },
  { host: /(^|\.)ebay\.[a-z.]{2,6}$/, parameters: /^(_trkparms|_trksid|amdata|itmmeta)$/ },
  {
    host: /(^|\.)google\.[a-z.]{2,6}$/,
    parameters: /^(ved|ei|sxsrf|sca_esv|gs_lcp|gs_lcrp|sclient|oq|aqs|uact|biw|bih|sourceid|rlz)$/
  },
  {
    host: /(^|\.)amazon\.[a-z.]{2,6}$/,
    parameters: /^(ref_?|qid|sr|crid|sprefix|dib|dib_tag|tag|linkcode|linkid|pd_rd_\w+|pf_rd_\w+)$/i,
    path: /\/ref=.*$/
  }
]

/**
 * Returns a text that is equal for addresses which most likely show the same page: their page key without scheme,
 * `www.` and the name of an index file. Some sites show different pages at such addresses, so a person decides.
 *
 * @param address an absolute http or https URL
 * @throws TypeError if the address is no URL
 */
export function nearPage(address: string): string {
  return nearKey(pageKey(address))
}

function nearKey(key: string): string {
  const { host, pathname, search, hash } = new URL(key)
  const path = withoutSlash(pathname.replace(INDEX_FILE, ''))
  return host.replace(/^www\./, '') + path + search + withoutSlash(hash)
}

/** The file that a server sends for a folder (`DirectoryIndex`, default documents). */
const INDEX_FILE = /\/(index\.(html?|xhtml|php|aspx?|jsp|cgi)|default\.(html?|aspx?))$/i

/**
 * Hashes a near page to 53 bits. The library indexes hashes, because an index of texts would store every address twice.
 *
 * @param key a page key
 */
export function nearPageHash(key: string | null): number | null {
  return key === null ? null : hashText(nearKey(key))
}

export function hashText(text: string): number {
  // cyrb53 (github.com/bryc/code, public domain): two multiplicative hashes, mixed at the end.
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}

/**
 * Hashes the near page of the canonical address that a page names. Returns `null` if that is the page itself, or the
 * front page of the site, which many sites name as canonical on every page.
 */
export function ownPageHash(url: string, canonicalUrl: string | null): number | null {
  if (canonicalUrl === null || !URL.canParse(canonicalUrl)) return null
  if (nearPage(url) === nearPage(canonicalUrl) || isFrontPageInstead(url, canonicalUrl)) return null
  return nearPageHash(pageKey(canonicalUrl))
}

/** Whether a canonical address has this page key. */
export function isItsOwn(canonicalUrl: string, key: string): boolean {
  return URL.canParse(canonicalUrl) && pageKey(canonicalUrl) === key
}

/** Whether only the second address is a front page. Many sites redirect there when a page is gone. */
export function isFrontPageInstead(url: string, other: string): boolean {
  return isFrontPage(other) && !isFrontPage(url)
}

/** Whether an address has no path, or only a language as its path. */
function isFrontPage(address: string): boolean {
  const { pathname, search } = new URL(address)
  return search === '' && /^\/([a-z]{2}(-[a-z]{2})?\/?)?$/i.test(pathname)
}
