import { msg } from '@lingui/core/macro'
import { formatTagFilter, isState } from '../../../../src-main/contract/tag-names.ts'
import { FILTERS, type OwnFilterName, readFilter, writeFilter } from '../../../lib/filters.ts'
import { i18n } from '../../../lib/locale.ts'
import { matchNames, matchTags } from '../../../lib/match-names.ts'
import { chipLabel } from './chips.ts'

/** Something that can be typed in the place of the word before the caret. */
export interface Completion {
  /** The whole word: `tag:rust`, or `tag:`, after which a value is typed. */
  source: string
  /** A description of the filter. */
  label: string
  beside?: string | undefined
}

/** The names that values are completed from. */
interface Known {
  /** The most used first. */
  tags: { name: string; bookmarks: number }[]
  sites: string[]
  organizations: { name: string }[]
}

/** Maximum number of completions of a value. */
const MAX_VALUES = 8

/** Returns the filters, each with what it does: the help of an empty field. */
export function allFilters(): Completion[] {
  return NAMES.map(completionOf)
}

function completionOf(name: HelpName): Completion {
  return { source: `${name}:`, label: i18n._(HELP[name]), beside: FILTERS[name].example }
}

/** Returns completions of a word: names of filters, values of one, or tags after `#`. */
export function completionsOf(word: string, known: Known): Completion[] {
  const [, minus = '', typed = '', colon, value = ''] = /^(-?)([a-z]*)(:?)"?(.*?)"?$/i.exec(word) ?? []
  const name = typed.toLowerCase()
  if (word === '') return []
  if (word.startsWith('#')) return valuesFor('tag', word.slice(1), '', known)
  if (colon && name in FILTERS) return valuesFor(name as OwnFilterName, value, minus, known)
  const hasStart = !colon && value === '' && name.length > 1
  const names = NAMES.filter((one) => hasStart && one.startsWith(name))
  return names.map(completionOf).map((one) => ({ ...one, source: minus + one.source }))
}

function valuesFor(name: OwnFilterName, value: string, minus: string, known: Known): Completion[] {
  if (name === 'tag') {
    const tags = known.tags.filter((tag) => !isState(tag.name) && !tag.name.includes('"'))
    return matchTags(tags, value)
      .slice(0, MAX_VALUES)
      .map((tag) => ({ ...labelled(minus, name, formatTagFilter(tag.name)), beside: String(tag.bookmarks) }))
  }
  return matchNames(
    choices(name, known).map((one) => ({ name: one })),
    value
  )
    .slice(0, MAX_VALUES)
    .map((one) => labelled(minus, name, one.name))
}

function labelled(minus: string, name: OwnFilterName, value: string): Completion {
  const source = minus + writeFilter(name, value)
  const filter = readFilter(source)
  return { source, label: filter ? chipLabel(filter) : source }
}

function choices(name: OwnFilterName, { sites, organizations }: Known): readonly string[] {
  if (name === 'site') return sites
  if (name === 'organization') return organizations.map((one) => one.name)
  if (name === 'last') return ['7d', '30d', '3m', '1y']
  if (name === 'title' || name === 'import') return []
  return FILTERS[name].values ?? dates()
}

/** Dates that are often meant: days by their names, then this month and year. */
function dates(now = new Date()): string[] {
  const month = String(now.getMonth() + 1).padStart(2, '0')
  const day = String(now.getDate()).padStart(2, '0')
  const year = now.getFullYear()
  return ['today', 'yesterday', `${year}-${month}-${day}`, `${year}-${month}`, `${year}`, `${year - 1}`]
}

const HELP = {
  tag: msg`Tag`,
  site: msg`Site`,
  type: msg`Link, image, color or text`,
  is: msg`Favorite, unread, archived, broken, without tags …`,
  title: msg`Word of the title`,
  in: msg`All words in the title`,
  after: msg`Saved on this day or later`,
  before: msg`Saved before this day`,
  until: msg`Saved on this day or earlier`,
  on: msg`Saved on a day, in a month or a year`,
  last: msg`Saved in the last days, weeks or months`,
  order: msg`Newest or oldest first`,
  visibility: msg`Private, organization or public`,
  organization: msg`Organization`
} satisfies Record<Exclude<OwnFilterName, 'import'>, unknown>

type HelpName = keyof typeof HELP

/** Nobody types the number of an import: its list is opened from Settings. */
const NAMES = Object.keys(HELP) as HelpName[]
