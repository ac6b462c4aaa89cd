/** The texts of the service's problems and of the hints of a search. */
import { msg, t } from '@lingui/core/macro'
import type { BookmarkType, NamedFilter, Visibility } from '../../src-main/contract/bookmark.ts'
import type { LinkMark } from '../../src-main/contract/link-check.ts'
import type { AddressFault, FieldFault } from '../../src-main/contract/problem.ts'
import { LINK_PLACES, quoted, TYPE_NAMES, VISIBILITY_NAMES } from './labels.ts'
import { i18n } from './locale.ts'

/** Returns the message of an error. */
export function errorText(error: unknown): string {
  return (error instanceof Error && error.message) || t`Something went wrong that should not have.`
}

const FIELD_NAMES = {
  url: msg`Address`,
  title: msg`Title`,
  description: msg`Description`,
  tags: msg`Tags`,
  tag: msg`Tag`,
  visibility: msg`Visibility`,
  organization: msg`Organization`,
  type: msg`Type`,
  domain: msg`Site`,
  name: msg`Name`
}

/** Returns why a value was refused, after the name of its field. `content` has no name, because it is the only field. */
export function fieldText({ path, message, address }: FieldFault): string {
  const [field] = path
  const reason = address ? addressText(address) : message
  if (field === 'content') return reason.charAt(0).toUpperCase() + reason.slice(1)
  const name = Object.entries(FIELD_NAMES).find(([key]) => key === field)?.[1]
  return name ? `${i18n._(name)}: ${reason}` : [...path, message].join(': ')
}

function addressText({ kind, meant }: AddressFault): string {
  switch (kind) {
    case 'spaces':
      return t`an address has no spaces in it`
    case 'control':
      return t`it contains an invisible character`
    case 'several':
      return t`these are several addresses`
    case 'not-alone':
      return meant === undefined
        ? t`this is more than an address`
        : t`this is more than an address. Did you mean ${meant}?`
    case 'incomplete':
      return meant === undefined ? t`not a complete address` : t`not a complete address. Did you mean ${meant}?`
    case 'no-scheme':
      return t`not an address: it must start with http:// or https://`
    case 'not-valid':
      return t`not a valid address`
  }
}

/** Replaces the service's names of filters in a hint with those of the window. */
export function hintText(hint: string, filters: NamedFilter[]): string {
  return filters.reduce((text, { name, kind, value }) => {
    switch (kind) {
      case 'type':
        return text.replaceAll(name, () => t`type ${i18n._(TYPE_NAMES[value as BookmarkType])}`)
      case 'visibility':
        return text.replaceAll(name, () => t`visibility ${i18n._(VISIBILITY_NAMES[value as Visibility])}`)
      case 'site':
        return text.replaceAll(name, () => t`site “${value}”`)
      case 'date':
        return text.replaceAll(name, () => t`this date`)
      case 'is':
        return replaceInFilterList(text, name, quoted(i18n._(LINK_PLACES[value as LinkMark])))
      case 'highlighted':
        return replaceInFilterList(text, name, quoted(t`Highlighted`))
      default:
        return replaceInFilterList(text, name, quoted(t`Without tags`))
    }
  }, hint)
}

/** Replaces a name only in the part that lists filters without a match. Elsewhere a hint may show how to write one. */
function replaceInFilterList(hint: string, name: string, by: string): string {
  const start = hint.indexOf('Nothing matches with ')
  return start < 0 ? hint : hint.slice(0, start) + hint.slice(start).replace(name, () => by)
}
