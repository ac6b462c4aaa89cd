import { cleanText } from '../core/clean-text.ts'

/** The details of a page that a site states in its own way. */
interface TitleAndDescription {
  title: string
  description: string
}

/** A site's words about itself taken out of what it says of a page. */
export function cleanSiteTexts(url: string, { title, description }: TitleAndDescription): TitleAndDescription {
  if (isOf(url, 'github.com')) {
    const named = /^GitHub - ([^:]+): (.*)$/s.exec(title)
    return {
      title: (named?.[1] ?? title).replace(/ · GitHub$/, ''),
      description: description
        .replace(/\s*Contribute to \S+ development by creating an account on GitHub\.?$/, '')
        .replace(/ - \S+\/\S+$/, '')
    }
  }
  return { title, description }
}

/** Where a video's site says in JSON what its page says in a megabyte, or hides behind a question about cookies. */
export function embedAddress(address: string): string | undefined {
  if (!isOf(address, 'youtube.com') && !isOf(address, 'youtu.be')) return undefined
  const url = new URL(address)
  const video = url.hostname.endsWith('youtu.be') ? url.pathname.length > 1 : VIDEO.test(url.pathname + url.search)
  return video ? `https://www.youtube.com/oembed?format=json&url=${encodeURIComponent(address)}` : undefined
}

const VIDEO = /^\/(watch\?.*\bv=|shorts\/.|live\/.|playlist\?)/

/** Reads an oEmbed answer; `undefined` if it is none. */
export function readEmbed(json: string): { title: string; author: string; picture: string | null } | undefined {
  try {
    const { title, author_name: author, thumbnail_url: picture } = JSON.parse(json) as Record<string, unknown>
    if (typeof title !== 'string' || title === '') return undefined
    return {
      title,
      author: typeof author === 'string' ? cleanText(author, 100) : '',
      picture: typeof picture === 'string' && /^https?:/.test(picture) ? picture : null
    }
  } catch {
    return undefined
  }
}

function isOf(address: string, site: string): boolean {
  const { hostname } = new URL(address)
  return hostname === site || hostname.endsWith(`.${site}`)
}
