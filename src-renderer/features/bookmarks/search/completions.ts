import { msg } from '@lingui/core/macro'
import { formatTagFilter, isState } from '../../../../src-main/contract/tag-names.ts'
import { FILTERS, type OwnFilterName, readFilter, writeFilter } from '../../../lib/filters.ts'
import { i18n } from '../../../lib/locale.ts'
import { matchNames, matchTags } from '../../../lib/match-names.ts'
import { chipLabel } from './chips.ts'

/** A filter that can replace the word before the caret. */
export interface Completion {
  /** The whole word: `tag:rust`, or `tag:` before a value is typed. */
  source: string
  /** A description of the filter. */
  label: string
  beside?: string | undefined
}

/** The names that can complete values. */
interface Names {
  /** Most used first. */
  tags: { name: string; bookmarks: number }[]
  sites: string[]
  organizations: { name: string }[]
}

/** Maximum number of completions of a value. */
const MAX_VALUES = 8

/** Returns all filters with their descriptions, as the help of an empty field. */
export function allFilters(): Completion[] {
  return FILTER_NAMES.map(completeName)
}

function completeName(name: HelpName): Completion {
  return { source: `${name}:`, label: i18n._(HELP[name]), beside: FILTERS[name].example }
}

/** Returns completions of a word: names of filters, values of a filter, or tags after `#`. */
export function completionsOf(word: string, names: Names): Completion[] {
  const [, minus = '', typed = '', colon, value = ''] = /^(-?)([a-z]*)(:?)"?(.*?)"?$/i.exec(word) ?? []
  const name = typed.toLowerCase()
  if (word === '') return []
  if (word.startsWith('#')) return completeValue('tag', word.slice(1), '', names)
  if (colon && name in FILTERS) return completeValue(name as OwnFilterName, value, minus, names)
  const hasStart = !colon && value === '' && name.length > 1
  const filters = FILTER_NAMES.filter((filter) => hasStart && filter.startsWith(name))
  return filters.map(completeName).map((completion) => ({ ...completion, source: minus + completion.source }))
}

function completeValue(name: OwnFilterName, value: string, minus: string, names: Names): Completion[] {
  if (name === 'tag') {
    const tags = names.tags.filter((tag) => !isState(tag.name) && !tag.name.includes('"'))
    return matchTags(tags, value)
      .slice(0, MAX_VALUES)
      .map((tag) => ({ ...createCompletion(minus, name, formatTagFilter(tag.name)), beside: String(tag.bookmarks) }))
  }
  const values = listValues(name, names).map((choice) => ({ name: choice }))
  return matchNames(values, value)
    .slice(0, MAX_VALUES)
    .map((choice) => createCompletion(minus, name, choice.name))
}

function createCompletion(minus: string, name: OwnFilterName, value: string): Completion {
  const source = minus + writeFilter(name, value)
  const filter = readFilter(source)
  return { source, label: filter ? chipLabel(filter) : source }
}

function listValues(name: OwnFilterName, { sites, organizations }: Names): readonly string[] {
  if (name === 'site') return sites
  if (name === 'organization') return organizations.map((organization) => organization.name)
  if (name === 'last') return ['7d', '30d', '3m', '1y']
  if (name === 'title' || name === 'import') return []
  return FILTERS[name].values ?? dates()
}

/** Frequent dates: today, yesterday, this day, this month, this year and the last one. */
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

/** Without `import:`, because its number is not typed: Settings links to the list of each import. */
const FILTER_NAMES = Object.keys(HELP) as HelpName[]
