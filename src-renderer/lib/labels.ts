/// <reference path="./punycode.d.ts" />
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { decode } from 'punycode/punycode.es6.js'
import type { BookmarkType, Visibility } from '../../src-main/contract/bookmark.ts'
import type { LinkMark } from '../../src-main/contract/link-check.ts'
import type { State } from '../../src-main/contract/tag-names.ts'
import { i18n } from './locale.ts'

export const TYPE_NAMES = {
  link: msg`Link`,
  image: msg`Image`,
  color: msg`Color`,
  text: msg`Text`
} satisfies Record<BookmarkType, MessageDescriptor>

/** Names of the lists with all bookmarks of a type. */
export const TYPE_LISTS = {
  link: msg`Links`,
  image: msg`Images`,
  color: msg`Colors`,
  text: msg`Texts`
} satisfies Record<BookmarkType, MessageDescriptor>

export const VISIBILITY_NAMES = {
  private: msg`Private`,
  organization: msg`Organization`,
  public: msg`Public`
} satisfies Record<Visibility, MessageDescriptor>

export const STATE_NAMES = {
  favorite: msg`Favorite`,
  unread: msg`Unread`,
  archived: msg`Archived`
} satisfies Record<State, MessageDescriptor>

export const LINK_MARKS = { broken: msg`Broken`, moved: msg`Moved` } satisfies Record<LinkMark, MessageDescriptor>

/** Names of the lists with all bookmarks that have a mark. */
export const LINK_PLACES = {
  broken: msg`Broken links`,
  moved: msg`Moved pages`
} satisfies Record<LinkMark, MessageDescriptor>

/** Returns these names as the options of a select field. */
export function optionsOf(names: Record<string, MessageDescriptor>) {
  return Object.entries(names).map(([value, label]) => ({ value, label: i18n._(label) }))
}

/** A name in the language's quotation marks. */
export function quoted(name: string): string {
  return t`“${name}”`
}

/** Returns the start of a name that is longer than 60 characters. */
export function shorten(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`
}

interface Titled {
  title: string
  url: string | null
  content: string
}

/** Returns the title of a bookmark. If it has none: its address, or the first line of its text or color. */
export function titleOf({ title, url, content }: Titled): string {
  return addressInLetters(title || url || /\S.{0,199}/u.exec(content)?.[0] || t`Untitled`)
}

/** Returns a note without a repeated title: if a text begins with its title, the rest of the text. */
export function besideTitle(note: string, bookmark: Titled): string {
  const [name, trimmed] = [titleOf(bookmark), note.trim()]
  if (trimmed === name) return ''
  const beginning = name.replace(/…$/, '')
  if (!trimmed.startsWith(beginning)) return note
  const rest = trimmed.slice(beginning.length)
  const isItsTitle = bookmark.title === '' || (bookmark.url === null && (beginning !== name || rest.startsWith('\n')))
  return isItsTitle ? rest : note
}

/** Decodes a site for reading: `xn--bcher-kva.example` becomes `bücher.example`. A name like another site's stays. */
export function siteInLetters(host: string): string {
  return host.split('.').map(labelInLetters).join('.')
}

/** Decodes an address for reading. It is not meant to be opened. */
export function addressInLetters(address: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/(?:[^/?#@]*@)?)([^/?#]*)(.*)$/is.exec(address) ?? []
  return scheme === '' ? address : `${scheme}${siteInLetters(host)}${decoded(rest)}`
}

function decoded(path: string): string {
  try {
    // Other characters stay encoded, because they may be invisible or end the address.
    return path.replace(/(?:%[\da-f]{2})+/gi, (run) => {
      const text = decodeURIComponent(run)
      return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : run
    })
  } catch {
    return path
  }
}

function labelInLetters(label: string): string {
  if (!/^xn--/i.test(label)) return label
  const text = fromPunycode(label.slice(4).toLowerCase())
  return text === undefined || isMisleading(text) ? label : text
}

/** Whether a name mixes Latin letters with similar ones, or has only letters that look Latin. */
function isMisleading(text: string): boolean {
  const latin = /\p{Script=Latin}/u.test(text)
  const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(text)
  return !/^[\p{L}\p{M}\p{N}-]+$/u.test(text) || (latin && alike) || /^[аеіјорсухѕԁһӏԛԝ\d-]+$/u.test(text)
}

function fromPunycode(text: string): string | undefined {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}

/** Sites whose addresses begin with an owner and a repository. */
const CODE_HOSTS = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org', 'huggingface.co'])

/** Names that are pages of the site, not owners. */
const OWN_PAGES = new Set(['about', 'collections', 'explore', 'features', 'marketplace', 'orgs', 'search', 'topics'])

/** Returns a repository as `owner/name`, if an address leads to one or into one. */
export function repositoryOf(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  const [owner = '', name = ''] = pathname.split('/').filter(Boolean)
  if (!CODE_HOSTS.has(hostname.replace(/^www\./, '')) || name === '' || OWN_PAGES.has(owner)) return undefined
  return `${owner}/${name.replace(/\.git$/, '')}`
}

/** Returns the site of a bookmark as a list shows it, or its repository on a site with many repositories. */
export function siteLabel({ url, domain }: { url: string | null; domain: string | null }): string {
  return repositoryOf(url) ?? siteInLetters(domain ?? '')
}

/** The keys that turn states on and off. */
export const STATE_KEYS: Record<State, string> = { favorite: 'F', unread: 'U', archived: 'A' }

/** Whether a bookmark has a state. */
export function hasState({ tags }: { tags: string[] }, state: State): boolean {
  return tags.some((tag) => tag.toLowerCase() === state)
}

/** Returns the label of the command that sets a state of a bookmark, or removes it. */
export function stateLabel(bookmark: { tags: string[] }, state: State): string {
  return i18n._((hasState(bookmark, state) ? TURN_OFF : TURN_ON)[state])
}

const TURN_ON = {
  favorite: msg`Add to favorites`,
  unread: msg`Mark as unread`,
  archived: msg({ context: 'verb', message: 'Archive' })
}
const TURN_OFF = { favorite: msg`Remove from favorites`, unread: msg`Mark as read`, archived: msg`Unarchive` }

/** Returns the address if it can be opened as a page: only with http or https. */
export function openable(url: string | null): string | undefined {
  return url !== null && /^https?:\/\//i.test(url) ? url : undefined
}
