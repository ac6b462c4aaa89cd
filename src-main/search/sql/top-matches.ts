import { nearPageHash, pageKey } from '../../core/page-key.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readValues } from '../../database/sql.ts'
import type { ParsedQuery } from '../query-nodes.ts'
import { foldWord, spacedWords } from '../segment.ts'
import type { FilterPlan } from './filter-plan.ts'
import { findSitesByName } from './filters.ts'

/** Maximum number of bookmarks with exactly the typed title. The newest are returned. */
const MAX_TITLES = 20

/** The length of the beginning of a title that the SQL index has, in characters. */
const INDEXED_TITLE_LENGTH = 32

/** Maximum number of words of a site name: `stack overflow`. */
const MAX_SITE_WORDS = 3

/** Bookmarks that come before every other match. */
export interface TopMatches {
  ids: number[]
  /** If the query is an address: whether this address is saved, or a nearly equal one, or none. */
  page?: 'same' | 'near' | 'none' | undefined
}

/**
 * Finds the bookmarks that come before every other match, however common the words are: the page whose address was typed;
 * bookmarks whose whole title was typed, then the home pages of a site whose name was typed (`docker`: docker.com).
 *
 * @param typed the words of the query as typed
 * @param isTyping also finds titles that begin with the typed words
 */
export function findTopMatches(
  db: ReadConnection,
  typed: string,
  query: ParsedQuery,
  plan: FilterPlan,
  isTyping: boolean
): TopMatches {
  if (query.nodes.length > 0) return { ids: [] }
  const address = query.all.flatMap((terms) => terms.flatMap((term) => term.address ?? []))[0]
  if (address !== undefined) return matchPage(db, address, plan)
  const terms = query.all.map(([term, other]) => (other ? undefined : term))
  if (query.excludedTerms.length > 0 || terms.some((term) => !term || term.phrase || term.prefix || term.column)) {
    return { ids: matchTitle(db, typed, plan) }
  }
  const words = terms.map((term) => term?.text ?? '').join(' ')
  const name = readSiteName(words)
  const sites = name === undefined ? [] : findSitesByName(db, name).map((host) => `https://${host}/`)
  const titled = [...new Set([typed, words])].flatMap((title) => matchTitle(db, title, plan))
  const begun = isTyping ? matchTitlePrefix(db, typed.trim(), plan) : []
  return { ids: [...new Set([...titled, ...begun, ...matchAddresses(db, sites, plan).map(({ id }) => id)])] }
}

/** Minimum length of the beginning of a title. Too many titles begin with the same letter. */
const MIN_PREFIX_LENGTH = 2
const MAX_TITLE_BEGINNINGS = 3

/** Returns the row ids of bookmarks whose title begins with the typed text, the shortest title first. */
function matchTitlePrefix(db: ReadConnection, typed: string, plan: FilterPlan): number[] {
  const letters = [...typed]
  if (letters.length < MIN_PREFIX_LENGTH || letters.length > INDEXED_TITLE_LENGTH) return []
  const title = `substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, ${INDEXED_TITLE_LENGTH})`
  const sql = `SELECT b.id FROM bookmarks b INDEXED BY bookmarks_by_title
    WHERE ${title} >= @head COLLATE NOCASE AND ${title} < @end COLLATE NOCASE AND b.deleted_at IS NULL${andCondition(plan)}
    ORDER BY length(${title}), b.id DESC LIMIT ${MAX_TITLE_BEGINNINGS}`
  const heads = [...new Set(spellings(typed))]
  const ids = heads.flatMap((head) => readValues<number>(db, sql, { ...plan.values, head, end: `${head}\u{10ffff}` }))
  return [...new Set(ids)].slice(0, MAX_TITLE_BEGINNINGS)
}

/** Finds a page by its address. */
function matchPage(db: ReadConnection, address: string, plan: FilterPlan): TopMatches {
  const near = matchAddresses(db, [address], plan)
  if (near.length === 0) return { ids: [], page: 'none' }
  const key = pageKey(address)
  const same = near.filter((match) => match.key === key)
  return { ids: [...new Set([...same, ...near])].map(({ id }) => id), page: same.length > 0 ? 'same' : 'near' }
}

/** Returns the row ids of bookmarks with exactly this title (folded), the newest first. */
export function matchTitle(db: ReadConnection, typed: string, plan: FilterPlan): number[] {
  const words = spacedWords(typed)
  const heads = new Set(spellings(typed).map((spelling) => [...spelling].slice(0, INDEXED_TITLE_LENGTH).join('')))
  const sql = `SELECT b.id, b.title FROM bookmarks b INDEXED BY bookmarks_by_title
    WHERE substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, ${INDEXED_TITLE_LENGTH}) = @head COLLATE NOCASE
      AND b.deleted_at IS NULL${andCondition(plan)}
    ORDER BY b.id DESC LIMIT ${MAX_TITLES}`
  const rows = [...heads].flatMap((head) => readRows<{ id: number; title: string }>(db, sql, { ...plan.values, head }))
  const ids = rows.filter(({ title }) => spacedWords(title) === words).map(({ id }) => id)
  return [...new Set(ids)].sort((a, b) => b - a)
}

interface AddressMatch {
  id: number
  /** The page key of the bookmark. */
  key: string
  /** The index of its address in the requested ones. */
  index: number
}

/** Finds bookmarks with these addresses or nearly equal ones, in the order of the addresses, and then the newest first. */
function matchAddresses(db: ReadConnection, addresses: string[], plan: FilterPlan): AddressMatch[] {
  const hashes = addresses.filter((address) => URL.canParse(address)).map((address) => nearPageHash(pageKey(address)))
  if (hashes.length === 0) return []
  // Without the plus, SQLite compares with the type affinity of `o.owner` and cannot use the index.
  const rows = readRows<{ id: number; key: string; hash: number }>(
    db,
    `SELECT b.id, b.page_key AS key, b.near_page AS hash FROM (SELECT 0 AS owner UNION ALL SELECT id FROM organizations) o
     CROSS JOIN json_each(@hashes) h CROSS JOIN bookmarks b INDEXED BY bookmarks_by_near_page
       ON ifnull(b.organization_id, 0) = +o.owner AND b.near_page = h.value
     WHERE b.near_page IS NOT NULL AND b.deleted_at IS NULL${andCondition(plan)}`,
    { ...plan.values, hashes: JSON.stringify(hashes) }
  )
  return rows
    .map(({ id, key, hash }) => ({ id, key, index: hashes.indexOf(hash) }))
    .sort((a, b) => a.index - b.index || b.id - a.id)
}

function andCondition({ condition }: FilterPlan): string {
  return condition === '' ? '' : ` AND ${condition}`
}

/** Returns the likely spellings of a title in upper and lower case, because SQLite ignores only the case of ASCII. */
function spellings(text: string): string[] {
  const lower = text.toLowerCase()
  if (/^[\0-\x7f]*$/.test(text)) return [lower]
  return [text, lower, text.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)]
}

/** Returns the words as a site name (`stackoverflow`), or `undefined` if they cannot be one. */
function readSiteName(typed: string): string | undefined {
  const words = typed.split(/\s+/)
  if (words.length > MAX_SITE_WORDS) return undefined
  const name = foldWord(words.join('')).replace(/^www\./, '')
  return /^[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(name) ? name.replace(/\.$/, '') : undefined
}
