import type { Decoder } from './decoder.ts'
import type { Answer } from './fetch-guarded.ts'
import { WebFault } from './web-fault.ts'

/** Icons remembered: a site's pages share theirs. */
const MOST_KEPT = 500

const ROOM = { width: 64, height: 64 }

/**
 * Fetches sites' icons, each once as long as it is remembered, and only for pages of the site that had it fetched: a page
 * that names another site's icon could otherwise tell, by whether it was fetched, which sites somebody saved.
 */
export function createIcons(get: (url: string, signal: AbortSignal) => Promise<Answer>, decoder: Decoder) {
  const kept = new Map<string, Uint8Array | null>()

  async function one(site: string, url: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const key = `${site} ${url}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const icon = await get(url, signal).then(
      ({ bytes, truncated }) => (truncated ? null : decoder.shrinkPicture(bytes, ROOM, false)),
      (error) => {
        // Most sites that have none at its usual place say so at every page.
        if (error instanceof WebFault && !error.again) return null
        throw error
      }
    )
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(key, icon)
    return icon
  }

  return {
    /** The first of these that is a picture, for a page of this site. */
    async first(site: string, urls: string[], signal: AbortSignal): Promise<Uint8Array | null> {
      for (const url of urls) {
        const icon = await one(site, url, signal).catch((error) => {
          if (error instanceof WebFault) return null
          throw error
        })
        if (icon) return icon
      }
      return null
    }
  }
}
