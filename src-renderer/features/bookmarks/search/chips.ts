import { msg, plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { BookmarkType, Visibility } from '../../../../src-main/contract/bookmark.ts'
import type { LinkMark } from '../../../../src-main/contract/link-check.ts'
import type { State } from '../../../../src-main/contract/tag-names.ts'
import { organizationsOptions } from '../../../api/queries.ts'
import { importsOptions } from '../../../api/service-queries.ts'
import { longDate } from '../../../lib/dates.ts'
import { daysIn, type OwnFilterName, readFilter, type TextFilter } from '../../../lib/filters.ts'
import { LINK_PLACES, STATE_NAMES, siteInLetters, TYPE_LISTS, VISIBILITY_NAMES } from '../../../lib/labels.ts'
import { i18n } from '../../../lib/locale.ts'

/** The values of `is:`, as chips and completions show them. */
const IS_NAMES: Record<string, (typeof TYPE_LISTS)[BookmarkType]> = {
  ...(STATE_NAMES satisfies Record<State, unknown>),
  ...(LINK_PLACES satisfies Record<LinkMark, unknown>),
  untagged: msg`Without tags`,
  highlighted: msg`Highlighted`,
  opened: msg`Recently opened`
}

const ORDER_NAMES: Record<string, (typeof TYPE_LISTS)[BookmarkType]> = {
  newest: msg`Newest first`,
  oldest: msg`Oldest first`
}

const UNITS: Record<string, (count: number) => string> = {
  d: (count) => (count === 1 ? t`Today` : plural(count, { one: 'Last day', other: 'Last # days' })),
  w: (count) => plural(count, { one: 'Last week', other: 'Last # weeks' }),
  m: (count) => plural(count, { one: 'Last month', other: 'Last # months' }),
  y: (count) => plural(count, { one: 'Last year', other: 'Last # years' })
}

const LABELS: Record<OwnFilterName, (value: string) => string> = {
  tag: (value) => `#${value.replace(/^[=#]/, '')}`,
  site: siteInLetters,
  type: (value) => i18n._(TYPE_LISTS[value as BookmarkType]),
  is: (value) => i18n._(IS_NAMES[value] ?? msg`Link`),
  title: (value) => t`Title: ${value}`,
  in: () => t`In the title`,
  after: (value) => t`Since ${dateOf(value, 'first')}`,
  before: (value) => t`Before ${dateOf(value, 'first')}`,
  until: (value) => t`Until ${dateOf(value, 'last')}`,
  on: (value) => dateOf(value),
  last: (value) => UNITS[value.slice(-1).toLowerCase()]?.(Number.parseInt(value, 10)) ?? value,
  order: (value) => i18n._(ORDER_NAMES[value] ?? msg`Newest first`),
  visibility: (value) => i18n._(VISIBILITY_NAMES[value as Visibility]),
  import: (value) => t`Import ${value}`,
  organization: (value) => value
}

/** Formats a day. A month, a year, and a word such as `yesterday` stay as they are typed. */
function dateOf(value: string, end?: 'first' | 'last'): string {
  const days = daysIn(value)
  if (!days || (!end && days.first !== days.last)) return value.replaceAll('-', ' ')
  return longDate(`${days[end ?? 'first']}T00:00`)
}

interface Names {
  organizations?: { id: string; name: string }[] | undefined
  imports?: { id: number; file: string | null; joined: boolean; at: string }[] | undefined
}

/** Returns the label of a filter's chip. */
export function chipLabel(
  { name, value, minus }: TextFilter,
  { organizations = [], imports = [] }: Names = {}
): string {
  const organization = name === 'organization' ? organizations.find(({ id }) => id === value)?.name : undefined
  const batch = name === 'import' ? imports.find(({ id }) => String(id) === value) : undefined
  const source = batch?.joined ? t`your other machines` : (batch?.file ?? t`a file`)
  const shownName = organization ?? (batch && t`Imported from ${source} on ${longDate(batch.at)}`)
  const hasList = ['type', 'is', 'order', 'visibility'].includes(name)
  const label = shownName ?? LABELS[name](hasList ? value.toLowerCase() : value)
  return minus ? t`Not ${label}` : label
}

/** Returns the chip labels of filters, given as they are written. */
export function useChipLabels(sources: string[]): string[] {
  const organizations = useQuery(organizationsOptions).data
  const filters = sources.map(readFilter)
  const hasImport = filters.some((filter) => filter?.name === 'import')
  const imports = useQuery({ ...importsOptions, enabled: hasImport }).data
  return filters.map((filter, index) =>
    filter ? chipLabel(filter, { organizations, imports }) : (sources[index] ?? '')
  )
}
