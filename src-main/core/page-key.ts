/** Moves on with every change of the rules, so that bookmarks saved under older ones are given their keys anew. */
export const PAGE_KEY_RULES = 2

/**
 * A page saved twice gets one key: without fragment, default port, trailing slash, needless
 * percent-encoding and what only says where a visitor came from; its parameters sorted. Only a fragment that chooses
 * the page (`#/inbox`, `#!forum/e`, `#inbox/A`) stays: it names what no other part of the address does. `www.` and the
 * scheme stay too: that both answer alike is the site's choice.
 *
 * @param address an absolute http or https URL
 * @throws TypeError when the address is no URL
 */
export function pageKey(address: string): string {
  return keyOf(new URL(address))
}

/**
 * The key of an address that was taken apart, which is changed on the way. Every change of a part costs as much as
 * taking it apart, so what is right already is left alone.
 */
export function keyOf(url: URL): string {
  const { hostname } = url
  if (hostname.endsWith('.')) url.hostname = hostname.slice(0, -1)
  if (url.hash !== '' ? !ROUTE.test(url.hash) : url.href.includes('#')) url.hash = ''
  const { inParameter, inPath } = chosenByTracking(url.hostname)
  if (url.href.includes('?')) {
    // Written once: each change of `url.searchParams` writes the whole address anew.
    const kept = new URLSearchParams([...url.searchParams].filter(([name]) => !inParameter(name)))
    kept.sort()
    url.search = kept.toString() // empty, it drops a lone `?`, too
  }
  const path = withoutSlash(plainly(inPath ? url.pathname.replace(inPath, '') : url.pathname))
  if (path !== url.pathname) url.pathname = path
  return url.href
}

/** Single-page applications keep their route here; plain anchors hold no slash, and `:~:` points at words of a page. */
const ROUTE = /^#(?:!|(?!:~:).*\/)/

/** Without slashes at the end. A pattern would try every slash of a path full of them. */
export function withoutSlash(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

/** As RFC 3986, section 6.2.2, has it: what needs no percent-encoding without, the rest in capitals. */
function plainly(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code.toUpperCase()
  })
}

// A dot is left alone: the URL parser reads `%2e` as one where it matters.
const UNRESERVED = /^[A-Za-z0-9_~-]$/

/** Parts of an address that only say how a visitor arrived. */
interface Tracking {
  /** Whether a query parameter of this name does. */
  inParameter(name: string): boolean
  /** The part of the path that does. */
  inPath?: RegExp
}

/** The tracking parts of addresses on this site: those of all sites, and its own. */
function chosenByTracking(hostname: string): Tracking {
  const site = SITES.find(({ host }) => host.test(hostname))
  return {
    inParameter: (name) => ANYWHERE.test(name) || (site?.parameters.test(name) ?? false),
    inPath: site?.path
  }
}

// Only names that never choose the content. `ref` does on GitHub, `source` and `si` do on others: they are no part of it.
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

/** Names that would mean something elsewhere. A position in a video (`t`) chooses what is seen, so it stays. */
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

/** The page key of an image that is kept in the library, so that the same picture is one bookmark. */
export function pictureKey(hash: string): string {
  return `picture:${hash}`
}
