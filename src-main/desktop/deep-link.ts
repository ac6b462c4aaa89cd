import type { LaunchRequest } from '../contract/desktop.ts'
import { parseAddress } from '../core/address.ts'

/**
 * What an `earmark://capture?url=` link asks for. Any page may hold one, so it only fills in the field; `undefined` for
 * everything else.
 */
export function captureRequest(link: string): LaunchRequest | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(link)
  // Written `earmark:capture` the name is the path.
  if (protocol !== 'earmark:' || (host || pathname) !== 'capture') return undefined
  const address = parseAddress(searchParams.get('url') ?? '')
  return { kind: 'capture', url: 'url' in address ? address.url : undefined }
}
