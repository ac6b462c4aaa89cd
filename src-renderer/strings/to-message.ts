import { bookmarks } from './bookmarks.ts'
import { linkChecks } from './links.ts'

/** Names of fields in the service's messages, which programs read too, and their names for people. */
const FIELDS: Record<string, string> = {
  url: bookmarks.url,
  content: '',
  title: bookmarks.title,
  description: bookmarks.description,
  tags: bookmarks.tags,
  tag: bookmarks.tag,
  visibility: bookmarks.visibility,
  organization: bookmarks.organization,
  type: bookmarks.addType,
  domain: bookmarks.domain,
  name: 'Name'
}

/** Returns the service's message in words for people: no names of fields, no places in lists. */
export function toMessage(message: string): string {
  return message
    .split('; ')
    .map(withoutField)
    .join('; ')
    .replace(
      /\btype “(link|image|color|text)”/g,
      (_, type: keyof typeof bookmarks.types) => `type ${bookmarks.types[type]}`
    )
    .replace(
      /\bvisibility “(private|organization|public)”/g,
      (_, visibility: keyof typeof bookmarks.visibilities) => `visibility ${bookmarks.visibilities[visibility]}`
    )
    .replace(/\bdomain “/g, 'site “')
    .replace(/\b(?:before|after):\d{4}-\d\d-\d\d/g, 'this date')
    .replace(/(Nothing matches with .*?)is:untagged/, `$1“${bookmarks.untagged}”`)
    .replace(
      /(Nothing matches with .*?)is:(broken|moved)/,
      (_, before: string, mark: keyof typeof linkChecks.places) => `${before}“${linkChecks.places[mark]}”`
    )
    .replace(/: .*/s, (rest) => PEOPLE.reduce((text, [said, told]) => text.replace(said, told), rest))
}

/** Advice to programs, and what people read instead. */
const PEOPLE: [RegExp, string][] = [
  [/white space inside the URL: send .*/s, 'an address has no spaces in it'],
  [/a control character inside the URL: leave it out/, 'it contains an invisible character'],
  [/several URLs in one string: send a list/, 'these are several addresses'],
  [/not a URL by itself: send the URL alone/, 'this is more than an address'],
  [/not a URL by itself: send (\S+)/, 'this is more than an address. Did you mean $1?'],
  [/not a URL: send (\S+)/, 'not a complete address. Did you mean $1?'],
  [/not a URL: it must start/, 'not an address: it must start'],
  [/(ends in \S+): send (\S+), or add # at the end if that is part of the URL/, '$1. Did you mean $2?'],
  [/\bURL\b/g, 'address']
]

/** `tags: 0: too long` is `Tags: too long`; what was typed into the one field there is needs no name. */
function withoutField(message: string): string {
  const [, field = '', rest = ''] = /^([a-z]+):(?: \d+:)* (.+)$/s.exec(message) ?? []
  const name = FIELDS[field]
  if (name === undefined) return message
  return name === '' ? rest.charAt(0).toUpperCase() + rest.slice(1) : `${name}: ${rest}`
}
