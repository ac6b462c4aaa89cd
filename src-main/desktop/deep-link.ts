import { LIMITS } from '../contract/bookmark.ts'
import type { CaptureFields, LaunchRequest } from '../contract/desktop.ts'
import { parseAddress } from '../core/address.ts'
import { cleanLines, cleanTag, cleanText } from '../core/clean-text.ts'

/**
 * Returns the request of an `earmark://capture?url=&title=&text=&tags=` link, tags separated by commas. Any page may
 * hold one, so it only fills in fields; `undefined` for every other link.
 */
export function captureRequest(link: string): LaunchRequest | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, host, pathname, searchParams } = new URL(link)
  // Written `earmark:capture` the name is the path.
  if (protocol !== 'earmark:' || (host || pathname) !== 'capture') return undefined
  const fields = fieldsIn(searchParams)
  return { kind: 'capture', fields: Object.values(fields).some((one) => one !== undefined) ? fields : undefined }
}

function fieldsIn(params: URLSearchParams): CaptureFields {
  const address = parseAddress(params.get('url') ?? '')
  const tags = (params.get('tags') ?? '').split(',').map((tag) => cleanTag(tag, LIMITS.tag).replaceAll('"', ''))
  const named = tags.filter((tag) => tag !== '').slice(0, LIMITS.tags)
  return {
    url: 'url' in address ? address.url : undefined,
    title: cleanText(params.get('title') ?? '', LIMITS.title) || undefined,
    text: cleanLines(params.get('text') ?? '', LIMITS.content) || undefined,
    tags: named.length > 0 ? named : undefined
  }
}
