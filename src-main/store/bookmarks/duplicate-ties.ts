import { nearPageHash } from '../../core/near-page.ts'
import { ownPageHash } from '../../core/own-page.ts'
import { pageKey } from '../../core/page-key.ts'

/** A bookmark's address, the one its page gives as its own, and the one it moved to. */
export interface Addresses {
  url: string | null
  canonicalUrl: string | null
  movedTo: string | null
}

/** Whether all of these are nearly the same page, by their addresses or by what their pages say, step by step. */
export function areTied(all: Addresses[]): boolean {
  const [first, ...rest] = all.map(pagesOf)
  const known = new Set(first)
  let left = rest
  for (;;) {
    const next = left.filter((pages) => !pages.some((page) => known.has(page)))
    if (next.length === left.length) return left.length === 0
    for (const pages of left) if (!next.includes(pages)) for (const page of pages) known.add(page)
    left = next
  }
}

function pagesOf({ url, canonicalUrl, movedTo }: Addresses): number[] {
  if (url === null) return []
  const moved = movedTo === null ? null : nearPageHash(pageKey(movedTo))
  return [nearPageHash(pageKey(url)), ownPageHash(url, canonicalUrl), moved].filter((page) => page !== null)
}
