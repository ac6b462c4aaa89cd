/** Addresses without a scheme, as people write them and browsers read them: `www.a.example`, `a.example/x`. */

/** Adds a scheme: `http` for this machine and its network, because certificates are rare there; otherwise `https`. */
export function withScheme(text: string): string | undefined {
  const bare = text.replace(/^\/\//, '')
  return NEARBY.test(bare) ? `http://${bare}` : siteAddress(bare)
}

/** Returns the `https` address of a site on the web, or of a page there; `undefined` for any other text. */
export function siteAddress(text: string): string | undefined {
  const bare = text.replace(/^\/\//, '')
  return SITE.test(bare) && !FILE.test(bare) && !NEARBY.test(bare) ? `https://${bare}` : undefined
}

/** Whether a folder for synchronization is on a WebDAV server. */
export function isOnServer(folder: string): boolean {
  return /^https?:/i.test(folder)
}

const NEARBY =
  /^(?:localhost|(?:[\w-]+\.)*(?:localhost|local)|(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:.]+\])(?::\d+)?(?:[/?#]\S*)?$/i

/**
 * A host whose top-level domain has only letters, with an optional port and path. `Mr.Smith` does not match, because
 * nobody writes a top-level domain as `.Com`.
 */
const SITE = /^(?:[\p{L}\p{M}\p{N}-]+\.)+(?:[\p{Ll}\p{Lo}\p{M}]{2,}|\p{Lu}{2,})(?::\d+)?(?:[/?#]\S*)?$/u

/**
 * A file name. Some endings are also top-level domains (`md`, `py`, `rs`), so a name with `www.` or a slash is a site.
 */
const FILE =
  /^(?!www\.)[^/?#]*\.(?:css|csv|db|docx?|exe|gif|gz|html?|jpe?g|js|jsonl?|log|md|opml|pdf|png|py|rs|sqlite|svg|toml|tsx?|txt|webp|xml|ya?ml|zip)$/i
