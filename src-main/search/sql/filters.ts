import type { BookmarkFilter, BookmarkType } from '../../contract/bookmark.ts'
import { parseTagFilter, STATES, tagsBelow } from '../../contract/tag-names.ts'
import { readSite } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRow, readValue, readValues } from '../../database/sql.ts'
import { anySite, filterToken, siteOfToken, tokensOfTime } from '../filter-tokens.ts'

/** One filter, as the full-text index and as the rows know it. */
export interface Filter {
  kind:
    | 'permission'
    | 'type'
    | 'visibility'
    | 'organization'
    | 'domain'
    | 'tag'
    | 'link'
    | 'date'
    | 'untagged'
    | 'highlighted'
    | 'import'
    | 'opened'
  /** The name its value is bound to. No two filters of a query share one. */
  name: string
  value: string | number
  /** SQL on `bookmarks b`. */
  condition: string
  /** The index's tokens: a bookmark passes that has one of them. Empty where only the row tells. */
  tokens: string[]
  /** Whether bookmarks that do not pass may have one of the tokens too. */
  isInexact?: boolean | undefined
  /** How many bookmarks have a token, or were imported; `Infinity` where that is not counted. */
  bookmarks: number
}

/** The id of no tag. */
export const NO_TAG = 0

/**
 * Reads the filters that a query has in one place.
 *
 * @param suffix of the names that values are bound to, a different one for each place of a query
 * @param unknownTag the id that stands for a tag that does not exist
 * @returns `undefined` where no bookmark can pass, because a tag does not exist and nothing stands for it
 */
export function readFilters(
  db: ReadConnection,
  asked: BookmarkFilter,
  suffix = '',
  unknownTag?: number
): Filter[] | undefined {
  const filters: Filter[] = []
  const add = (
    kind: Filter['kind'],
    key: string,
    value: string | number,
    condition: (name: string) => string,
    tokens: string[] = []
  ) => {
    const name = `${key}${suffix}`
    const bookmarks = tokens.length === 0 ? Infinity : countAny(db, tokens)
    filters.push({ kind, name, value, condition: condition(name), tokens, bookmarks })
  }
  const {
    type,
    visibility,
    organization,
    domain,
    siteName,
    tags = [],
    anyTag,
    is,
    before,
    after,
    untagged,
    highlighted,
    import: importId,
    opened
  } = asked
  if (type) add('type', 'type', type, (name) => `b.type = @${name}`, [filterToken.type(type)])
  if (visibility) {
    add('visibility', 'visibility', visibility, (name) => `b.visibility = @${name}`, [
      filterToken.visibility(visibility)
    ])
  }
  if (organization !== undefined) {
    const token = filterToken.organization(organization)
    add('organization', 'organization', organization, (name) => `b.organization_id = @${name}`, [token])
  }
  if (domain) add('domain', 'domain', readSite(domain), isOfSite, [filterToken.site(readSite(domain))])
  if (siteName !== undefined) {
    const sites = [siteName, ...hostsNamed(db, siteName)]
    add('domain', 'siteName', JSON.stringify(sites), isOfSites, sites.map(filterToken.site))
  }
  if (is) add('link', 'is', JSON.stringify(is), hasMark, is.map(filterToken.link))
  if (before !== undefined) add('date', 'createdBefore', before, (name) => `b.created_at < @${name}`)
  if (after !== undefined) add('date', 'createdAfter', after, (name) => `b.created_at >= @${name}`)
  const [date] = filters.filter(({ kind }) => kind === 'date')
  if (date) {
    const dates = tokensOfTime(after, before)
    // A time without a month, such as after tomorrow, has no token, and is checked on the rows.
    Object.assign(date, {
      tokens: dates,
      isInexact: true,
      bookmarks: dates.length === 0 ? Infinity : countAny(db, dates)
    })
  }
  if (highlighted) {
    // Highlights are the profile's: an organization's key finds none.
    if (unknownTag !== undefined) return undefined
    add('highlighted', 'highlighted', 1, (name) => `@${name} = 1 AND ${IS_HIGHLIGHTED}`, [filterToken.highlighted])
  }
  if (opened) add('opened', 'opened', 1, (name) => `@${name} = 1 AND ${WAS_OPENED}`)
  if (importId !== undefined) {
    const found = unknownTag === undefined ? findImport(db, importId) : undefined
    if (!found) return undefined
    const name = `import${suffix}`
    filters.push({
      kind: 'import',
      name,
      value: found.step,
      condition: wasImported(name),
      tokens: [],
      bookmarks: found.imported
    })
  }
  if (untagged) add('untagged', 'untagged', 1, (name) => `@${name} = 1 AND ${IS_UNTAGGED}`)
  if (anyTag) {
    const any = anyTag.flatMap((tag) => readTag(db, tag, unknownTag) ?? [])
    if (any.length === 0) return undefined
    const names = any.flatMap((one) => one.names)
    add(
      'tag',
      'anyTag',
      JSON.stringify(names),
      hasTagNamed,
      any.flatMap((one) => one.tokens)
    )
  }
  for (const [index, tag] of tags.entries()) {
    const one = readTag(db, tag, unknownTag)
    if (!one) return undefined
    const { id, names, tokens } = one
    if (id === undefined) add('tag', `tag${index}`, JSON.stringify(names), hasTagNamed, tokens)
    else add('tag', `tag${index}`, id, hasTag, tokens)
  }
  return filters
}

/** Returns how many bookmarks have the tokens, where one that has two of them counts twice. */
export function countAny(db: ReadConnection, tokens: string[]): number {
  return tokens.reduce((sum, token) => sum + countOf(db, token), 0)
}

/** A tag that is asked for. */
interface WantedTag {
  /** Where it alone is meant. */
  id?: number
  /** The first and the last name of each range of tags that are meant. */
  names: [first: string, last: string][]
  tokens: string[]
}

/** Returns `undefined` where neither the tag nor one that belongs to it exists, and nothing stands for it. */
function readTag(db: ReadConnection, asked: string, unknownTag: number | undefined): WantedTag | undefined {
  const { name, itself, below } = parseTagFilter(asked)
  const folded = foldName(name)
  const children = tagsBelow(folded)
  const id = findTag(db, name) ?? unknownTag
  // What others than the profile may not see must not decide how their search is made.
  const anyBelow = below && (unknownTag !== undefined || anyTagIn(db, children))
  const own = itself && id !== undefined ? [filterToken.tag(id)] : []
  if (anyBelow) {
    const names: WantedTag['names'] = itself ? [[folded, folded], children] : [children]
    return { names, tokens: [...own, filterToken.tagsBelow(folded)] }
  }
  return itself && id !== undefined ? { id, names: [[folded, folded]], tokens: own } : undefined
}

function findTag(db: ReadConnection, name: string): number | undefined {
  return readValue(db, 'SELECT id FROM tags WHERE folded = ?', foldName(name))
}

function anyTagIn(db: ReadConnection, [first, last]: [string, string]): boolean {
  return readValue(db, 'SELECT EXISTS (SELECT 1 FROM tags WHERE folded BETWEEN ? AND ?)', first, last) === 1
}

function hasMark(name: string): string {
  return `EXISTS (SELECT 1 FROM link_checks l
    WHERE l.bookmark_id = b.id AND l.mark IN (SELECT value FROM json_each(@${name})))`
}

function hasTag(name: string): string {
  return `EXISTS (SELECT 1 FROM bookmark_tags bt WHERE bt.bookmark_id = b.id AND bt.tag_id = @${name})`
}

function hasTagNamed(name: string): string {
  return `EXISTS (SELECT 1 FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id JOIN json_each(@${name}) n
    WHERE bt.bookmark_id = b.id AND t.folded BETWEEN n.value ->> 0 AND n.value ->> 1)`
}

const IS_HIGHLIGHTED = 'EXISTS (SELECT 1 FROM highlights h WHERE h.bookmark_id = b.id)'

const WAS_OPENED = 'EXISTS (SELECT 1 FROM openings o WHERE o.bookmark_id = b.id)'

/** @returns the import's step, and how many bookmarks it added, of which some may be deleted */
function findImport(db: ReadConnection, id: number): { step: number; imported: number } | undefined {
  return readRow<{ step: number; imported: number }>(db)`SELECT step_id AS step, imported FROM imports WHERE id = ${id}`
}

function wasImported(step: string): string {
  return `(EXISTS (SELECT 1 FROM undo_ranges r WHERE r.step_id = @${step} AND b.id BETWEEN r.first AND r.last)
    OR EXISTS (SELECT 1 FROM undo_bookmarks u WHERE u.step_id = @${step} AND u.bookmark_id = b.id))`
}

const IS_STATE = `t.folded IN (${STATES.map((state) => `'${state}'`).join(', ')})`

/** A tag that is a state says nothing of what a bookmark is about. */
const IS_UNTAGGED = `NOT EXISTS (SELECT 1 FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
  WHERE bt.bookmark_id = b.id AND NOT ${IS_STATE})`

/** Returns SQL that matches a domain and its subdomains. */
function isOfSite(name: string): string {
  return `(b.domain = @${name} OR substr(b.domain, -length(@${name}) - 1) = '.' || @${name})`
}

function isOfSites(name: string): string {
  return `EXISTS (SELECT 1 FROM json_each(@${name}) one
    WHERE b.domain = one.value OR substr(b.domain, -length(one.value) - 1) = '.' || one.value)`
}

/** Returns all sites with this name, including those that the caller may not see: the permission filters their rows. */
export function hostsNamed(db: ReadConnection, name: string): string[] {
  if (name.includes('.')) return [name]
  const { from, to } = anySite(`${name}.`)
  return readValues<string>(db, 'SELECT filter FROM filter_counts WHERE filter >= ? AND filter < ?', from, to)
    .map(siteOfToken)
    .filter((site) => isWholeName(name, site))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** Ends of host names under which a country gives names, as in `bbc.co.uk`. */
const SECOND_LEVEL = /^(co|com|org|net|gov|edu|ac|go|or|ne)$/

/** `docker` is docker.com and docker.co.uk, not docker.example.com; `docker.com` is docker.com. */
function isWholeName(name: string, site: string): boolean {
  if (name.includes('.') && site === name) return true
  const [end = '', second] = site.slice(name.length + 1).split('.')
  return second === undefined || (SECOND_LEVEL.test(end) && site.split('.').length === 3)
}

/** Returns how many bookmarks outside the trash have a filter's token, as the index keeps count. */
export function countOf(db: ReadConnection, token: string): number {
  return readValue(db, 'SELECT bookmarks FROM filter_counts WHERE filter = ?', token) ?? 0
}

/** Returns how many bookmarks are outside the trash. */
export function countAll(db: ReadConnection): number {
  return countByType(db).all
}

/** All counts but `trash` are without the trash. */
interface BookmarkCounts {
  all: number
  link: number
  image: number
  color: number
  text: number
  trash: number
  broken: number
  moved: number
}

/** Returns how many bookmarks there are of each kind that the dashboard lists. */
export function countByKind(db: ReadConnection): BookmarkCounts {
  return {
    ...countByType(db),
    trash: readValue(db, 'SELECT bookmarks FROM trash_size') ?? 0,
    broken: countOf(db, filterToken.link('broken')),
    moved: countOf(db, filterToken.link('moved'))
  }
}

function countByType(db: ReadConnection): Record<BookmarkType, number> & { all: number } {
  const link = countOf(db, filterToken.type('link'))
  const image = countOf(db, filterToken.type('image'))
  const color = countOf(db, filterToken.type('color'))
  const text = countOf(db, filterToken.type('text'))
  return { all: link + image + color + text, link, image, color, text }
}
