/**
 * The same page saved twice gets the same key: without fragment, default port and tracking parameters, its parameters
 * sorted. Only a fragment that chooses the page (`#/inbox`, `#!/inbox`) stays.
 *
 * @param address an absolute http or https URL
 * @throws TypeError when the address is no URL
 */
export function pageKey(address: string): string {
  const url = new URL(address)
  if (!ROUTE.test(url.hash)) url.hash = ''
  for (const name of [...url.searchParams.keys()]) {
    if (TRACKING.test(name)) url.searchParams.delete(name)
  }
  url.searchParams.sort()
  if (url.search === '') url.search = '' // drops a lone `?`
  return url.href
}

/** Single-page applications keep their route here; a plain anchor never starts like this. */
const ROUTE = /^#!?\//

// Only names that never choose the content. `ref` does on GitHub, so it stays.
const TRACKING =
  /^(utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok|vero_id|oly_anon_id|oly_enc_id)$/i
