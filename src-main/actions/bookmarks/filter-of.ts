import type { BookmarkFilter } from '../../contract/bookmark.ts'
import type { FilterQuery, ListedQuery } from '../../contract/bookmark-filter.ts'
import { PROFILE } from '../../contract/caller.ts'
import type { WalkChoice } from '../../contract/library-export.ts'
import { findOrganization } from '../organizations/find-organization.ts'
import type { Ports } from '../ports.ts'
import { readTime } from './read-time.ts'

/**
 * The filters that somebody named.
 *
 * @throws Problem `not-found` when there is no such organization
 */
export async function filterOf(
  ports: Ports,
  { tag, domain, type, visibility, organization, is, days, from, to, untagged, opened }: FilterQuery
): Promise<BookmarkFilter> {
  const owner = organization === undefined ? undefined : (await findOrganization(ports, organization)).rowId
  const first = days === undefined ? dayNamed(from) : new Date(ports.now())
  const last = dayNamed(to)
  return {
    tags: tag,
    domain: domain || undefined,
    type,
    visibility,
    organization: owner,
    is,
    untagged,
    opened,
    after: first && startOfDay(first, 1 - (days ?? 1)),
    before: last && startOfDay(last, 1)
  }
}

function dayNamed(day: string | undefined): Date | undefined {
  return day === undefined ? undefined : new Date(`${day}T00:00`)
}

/** Returns when a day begins that is some days after another, by this computer's clock, in milliseconds since 1970. */
function startOfDay(day: Date, later: number): number {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).getTime()
}

/**
 * A walk along all that a list shows.
 *
 * @throws Problem `not-found` when there is no such organization
 */
export async function walkOf(ports: Ports, { words, typing, trash, ...filters }: ListedQuery): Promise<WalkChoice> {
  const filter = await filterOf(ports, filters)
  const choice: WalkChoice = { ...filter, trash: trash ? 'only' : 'without' }
  if (words.trim() === '') return choice
  const { note: _, ...read } = await readTime(ports, PROFILE, { ...filter, words, typing })
  return { ...choice, ...read }
}
