import type { BookmarkFilter, BookmarkType } from '../../contract/bookmark.ts'
import { parseTagFilter, STATES, tagsBelow } from '../../contract/tag-names.ts'
import { readSite } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRow, readValue, readValues } from '../../database/sql.ts'
import { filterToken, parseSiteToken, periodTokens, siteTokenRange } from '../filter-tokens.ts'

/** One filter in the forms that the full-text index and rows can check. */
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
  /** The SQL parameter of its value, unique in a query. */
  name: string
  value: string | number
  /** SQL on `bookmarks b`. */
  condition: string
  /** Tokens of the index: bookmarks that match have at least one. Empty if only the row can be checked. */
  tokens: string[]
  /** Whether bookmarks that do not match can have one of the tokens too. */
  isInexact?: boolean | undefined
  /** How many bookmarks have a token, or were imported; `Infinity` if it is not counted. */
  bookmarks: number
}

/** A row id that no tag has. */
export const NO_TAG = 0

/**
 * Converts one filter object of a query.
 *
 * @param suffix added to the names of SQL parameters; a different one for each filter object of a query
 * @param unknownTag the id to use for a tag that does not exist
 * @returns `undefined` if no bookmark can match, because a tag does not exist and there is no `unknownTag`
 */
export function readFilters(
  db: ReadConnection,
  requested: BookmarkFilter,
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
    const bookmarks = tokens.length === 0 ? Infinity : countWithTokens(db, tokens)
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
  } = requested
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
    const sites = [siteName, ...findSitesByName(db, siteName)]
    add('domain', 'siteName', JSON.stringify(sites), isOfSites, sites.map(filterToken.site))
  }
  if (is) add('link', 'is', JSON.stringify(is), hasMark, is.map(filterToken.link))
  if (before !== undefined) add('date', 'createdBefore', before, (name) => `b.created_at < @${name}`)
  if (after !== undefined) add('date', 'createdAfter', after, (name) => `b.created_at >= @${name}`)
  const [date] = filters.filter(({ kind }) => kind === 'date')
  if (date) {
    const dates = periodTokens(after, before)
    // An empty period, such as `after:2027 before:2026`, has no tokens, and is checked on the rows.
    Object.assign(date, {
      tokens: dates,
      isInexact: true,
      bookmarks: dates.length === 0 ? Infinity : countWithTokens(db, dates)
    })
  }
  if (highlighted) {
    // Highlights belong to the profile: an organization's key finds none.
    if (unknownTag !== undefined) return undefined
    add('highlighted', 'highlighted', 1, (name) => `@${name} = 1 AND ${IS_HIGHLIGHTED}`, [filterToken.highlighted])
  }
  if (opened) add('opened', 'opened', 1, (name) => `@${name} = 1 AND ${WAS_OPENED}`)
  if (importId !== undefined) {
    // Imports belong to the profile: an organization's key finds none.
    const row = unknownTag === undefined ? findImport(db, importId) : undefined
    if (!row) return undefined
    const name = `import${suffix}`
    const { step, imported } = row
    filters.push({
      kind: 'import',
      name,
      value: step,
      condition: wasImported(name),
      tokens: [],
      bookmarks: imported
    })
  }
  if (untagged) add('untagged', 'untagged', 1, (name) => `@${name} = 1 AND ${IS_UNTAGGED}`)
  if (anyTag) {
    const any = anyTag.flatMap((tag) => readTag(db, tag, unknownTag) ?? [])
    if (any.length === 0) return undefined
    const names = any.flatMap((match) => match.names)
    const tokens = any.flatMap((match) => match.tokens)
    add('tag', 'anyTag', JSON.stringify(names), hasTagNamed, tokens)
  }
  for (const [index, tag] of tags.entries()) {
    const match = readTag(db, tag, unknownTag)
    if (!match) return undefined
    const { id, names, tokens } = match
    if (id === undefined) add('tag', `tag${index}`, JSON.stringify(names), hasTagNamed, tokens)
    else add('tag', `tag${index}`, id, hasTag, tokens)
  }
  return filters
}

/** Sums how many bookmarks have each token. A bookmark with two of them counts twice. */
export function countWithTokens(db: ReadConnection, tokens: string[]): number {
  return tokens.reduce((sum, token) => sum + countWithToken(db, token), 0)
}

/** The tags that a tag filter matches: a tag, the tags nested in it, or both. */
interface TagMatch {
  /** The row id, if only one tag matches. */
  id?: number
  /** Ranges of folded names. */
  names: [first: string, last: string][]
  tokens: string[]
}

/** Returns `undefined` if neither the tag nor a nested tag exists, and there is no `unknownTag`. */
function readTag(db: ReadConnection, requested: string, unknownTag: number | undefined): TagMatch | undefined {
  const { name, itself, below } = parseTagFilter(requested)
  const folded = foldName(name)
  const children = tagsBelow(folded)
  const id = findTag(db, name) ?? unknownTag
  // For an organization's key, always true: whether a tag exists on other bookmarks must not change its search.
  const anyBelow = below && (unknownTag !== undefined || anyTagIn(db, children))
  const tagTokens = itself && id !== undefined ? [filterToken.tag(id)] : []
  if (anyBelow) {
    const names: TagMatch['names'] = itself ? [[folded, folded], children] : [children]
    return { names, tokens: [...tagTokens, filterToken.tagsBelow(folded)] }
  }
  return itself && id !== undefined ? { id, names: [[folded, folded]], tokens: tagTokens } : undefined
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

/** Returns the import's undo step, and how many bookmarks it added. Some of them may be deleted. */
function findImport(db: ReadConnection, id: number): { step: number; imported: number } | undefined {
  return readRow<{ step: number; imported: number }>(db)`SELECT step_id AS step, imported FROM imports WHERE id = ${id}`
}

function wasImported(step: string): string {
  return `(EXISTS (SELECT 1 FROM undo_ranges r WHERE r.step_id = @${step} AND b.id BETWEEN r.first AND r.last)
    OR EXISTS (SELECT 1 FROM undo_bookmarks u WHERE u.step_id = @${step} AND u.bookmark_id = b.id))`
}

const IS_STATE = `t.folded IN (${STATES.map((state) => `'${state}'`).join(', ')})`

/** A bookmark whose only tags are states counts as untagged. */
const IS_UNTAGGED = `NOT EXISTS (SELECT 1 FROM bookmark_tags bt JOIN tags t ON t.id = bt.tag_id
  WHERE bt.bookmark_id = b.id AND NOT ${IS_STATE})`

/** SQL that matches a site and its subdomains. */
function isOfSite(name: string): string {
  return `(b.domain = @${name} OR substr(b.domain, -length(@${name}) - 1) = '.' || @${name})`
}

function isOfSites(name: string): string {
  return `EXISTS (SELECT 1 FROM json_each(@${name}) site
    WHERE b.domain = site.value OR substr(b.domain, -length(site.value) - 1) = '.' || site.value)`
}

/**
 * Returns the sites with a name (`github`: `github.com`, `github.io`), the shortest first. Also sites that the caller may
 * not see: the search must check its permission.
 */
export function findSitesByName(db: ReadConnection, name: string): string[] {
  if (name.includes('.')) return [name]
  const { from, to } = siteTokenRange(`${name}.`)
  return readValues<string>(db, 'SELECT filter FROM filter_counts WHERE filter >= ? AND filter < ?', from, to)
    .map(parseSiteToken)
    .filter((site) => isWholeName(name, site))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** Second-level domains of countries, as in `bbc.co.uk`. */
const SECOND_LEVEL = /^(co|com|org|net|gov|edu|ac|go|or|ne)$/

/** `docker` matches docker.com and docker.co.uk, but not docker.example.com. */
function isWholeName(name: string, site: string): boolean {
  if (name.includes('.') && site === name) return true
  const [end = '', second] = site.slice(name.length + 1).split('.')
  return second === undefined || (SECOND_LEVEL.test(end) && site.split('.').length === 3)
}

/** Returns how many bookmarks outside the trash have a token. */
export function countWithToken(db: ReadConnection, token: string): number {
  return readValue(db, 'SELECT bookmarks FROM filter_counts WHERE filter = ?', token) ?? 0
}

/** Returns how many bookmarks are outside the trash. */
export function countAll(db: ReadConnection): number {
  return countByType(db).all
}

/** All counts except `trash` are without the trash. */
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

/** Counts the bookmarks of each kind that the dashboard lists. */
export function countByKind(db: ReadConnection): BookmarkCounts {
  return {
    ...countByType(db),
    trash: readValue(db, 'SELECT bookmarks FROM trash_size') ?? 0,
    broken: countWithToken(db, filterToken.link('broken')),
    moved: countWithToken(db, filterToken.link('moved'))
  }
}

function countByType(db: ReadConnection): Record<BookmarkType, number> & { all: number } {
  const link = countWithToken(db, filterToken.type('link'))
  const image = countWithToken(db, filterToken.type('image'))
  const color = countWithToken(db, filterToken.type('color'))
  const text = countWithToken(db, filterToken.type('text'))
  return { all: link + image + color + text, link, image, color, text }
}
