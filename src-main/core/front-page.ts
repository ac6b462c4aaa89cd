/** Many sites lead what they no longer have, or do not know to name, to their front page. */
export function isFrontPageInstead(url: string, other: string): boolean {
  return isFrontPage(other) && !isFrontPage(url)
}

/** Without a path, but for a language. */
function isFrontPage(address: string): boolean {
  const { pathname, search } = new URL(address)
  return search === '' && /^\/([a-z]{2}(-[a-z]{2})?\/?)?$/i.test(pathname)
}
