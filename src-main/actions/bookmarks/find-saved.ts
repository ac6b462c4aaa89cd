import type { Bookmark } from '../../contract/bookmark.ts'
import { parseAddress } from '../../core/address.ts'
import type { Ports } from '../ports.ts'

/** The bookmark that is the page at an address: the profile's, else an organization's. The trash does not count. */
export async function findSaved({ library }: Ports, url: string): Promise<Bookmark | undefined> {
  const address = parseAddress(url)
  return 'url' in address ? library.findSaved(address.pageKey) : undefined
}
