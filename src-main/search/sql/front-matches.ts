import { nearPageHash, pageKey } from '../../core/page-key.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readValues } from '../../database/sql.ts'
import type { ParsedQuery } from '../query-nodes.ts'
import { foldWord, spacedWords } from '../segment.ts'
import type { FilterPlan } from './filter-plan.ts'
import { hostsNamed } from './filters.ts'

/** Maximum number of bookmarks with exactly the typed title: the newest. */
const MAX_TITLES = 20

/** As much of a title as its index holds, in characters. */
const INDEXED = 32

/** Maximum number of words that may name a site. */
const MAX_SITE_WORDS = 3

/** Bookmarks that stand in front of every other match. */
export interface Front {
  ids: number[]
  /** Of an address that was asked for: whether it is saved as it is, under a nearly equal address, or not. */
  page?: 'same' | 'near' | 'none' | undefined
}

/**
 * Finds what stands in front of every other match, however common the words: the page whose address was typed, bookmarks
 * whose whole title was typed, then the front pages of the site that was named (`docker`: docker.com).
 *
 * @param typed all of it, as typed
 * @param isTyping also finds titles that begin with it
 */
export function matchFront(
  db: ReadConnection,
  typed: string,
  query: ParsedQuery,
  plan: FilterPlan,
  isTyping: boolean
): Front {
  if (query.nodes.length > 0) return { ids: [] }
  const address = query.all.flatMap((terms) => terms.flatMap((term) => term.address ?? []))[0]
  if (address !== undefined) return matchPage(db, address, plan)
  const terms = query.all.map(([term, other]) => (other ? undefined : term))
  if (query.none.length > 0 || terms.some((term) => !term || term.phrase || term.prefix || term.column)) {
    return { ids: matchTitle(db, typed, plan) }
  }
  const words = terms.map((term) => term?.text ?? '').join(' ')
  const name = siteName(words)
  const sites = name === undefined ? [] : hostsNamed(db, name).map((host) => `https://${host}/`)
  const titled = [...new Set([typed, words])].flatMap((title) => matchTitle(db, title, plan))
  const begun = isTyping ? matchTitleBeginning(db, typed.trim(), plan) : []
  return { ids: [...new Set([...titled, ...begun, ...matchAddresses(db, sites, plan).map(({ id }) => id)])] }
}

/** Limits of titles that begin with what was typed so far. A single letter begins too many. */
const MIN_BEGINNING_LENGTH = 2
const MAX_BEGUN = 3

/** Returns the row ids of bookmarks whose title begins so, the shortest title first. */
function matchTitleBeginning(db: ReadConnection, typed: string, plan: FilterPlan): number[] {
  const letters = [...typed]
  if (letters.length < MIN_BEGINNING_LENGTH || letters.length > INDEXED) return []
  const title = `substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, ${INDEXED})`
  const sql = `SELECT b.id FROM bookmarks b INDEXED BY bookmarks_by_title
    WHERE ${title} >= @head COLLATE NOCASE AND ${title} < @end COLLATE NOCASE AND b.deleted_at IS NULL${andPasses(plan)}
    ORDER BY length(${title}), b.id DESC LIMIT ${MAX_BEGUN}`
  const heads = [...new Set(spellings(typed))]
  const found = heads.flatMap((head) => readValues<number>(db, sql, { ...plan.values, head, end: `${head}\u{10ffff}` }))
  return [...new Set(found)].slice(0, MAX_BEGUN)
}

/** Finds a page by its address. */
function matchPage(db: ReadConnection, address: string, plan: FilterPlan): Front {
  const near = matchAddresses(db, [address], plan)
  if (near.length === 0) return { ids: [], page: 'none' }
  const key = pageKey(address)
  const same = near.filter((one) => one.key === key)
  return { ids: [...new Set([...same, ...near])].map(({ id }) => id), page: same.length > 0 ? 'same' : 'near' }
}

/** Returns the row ids of bookmarks with exactly this title, the newest first. */
export function matchTitle(db: ReadConnection, typed: string, plan: FilterPlan): number[] {
  const wanted = spacedWords(typed)
  const heads = new Set(spellings(typed).map((spelling) => [...spelling].slice(0, INDEXED).join('')))
  const sql = `SELECT b.id, b.title FROM bookmarks b INDEXED BY bookmarks_by_title
    WHERE substr(coalesce(nullif(b.title, ''), b.domain, ''), 1, ${INDEXED}) = @head COLLATE NOCASE
      AND b.deleted_at IS NULL${andPasses(plan)}
    ORDER BY b.id DESC LIMIT ${MAX_TITLES}`
  const rows = [...heads].flatMap((head) => readRows<{ id: number; title: string }>(db, sql, { ...plan.values, head }))
  const ids = rows.filter(({ title }) => spacedWords(title) === wanted).map(({ id }) => id)
  return [...new Set(ids)].sort((a, b) => b - a)
}

interface AtAddress {
  id: number
  key: string
  /** The place of its address among those asked for. */
  at: number
}

/** Returns the bookmarks of these pages or nearly the same ones, in the order of the addresses, newest first. */
function matchAddresses(db: ReadConnection, addresses: string[], plan: FilterPlan): AtAddress[] {
  const hashes = addresses.filter((address) => URL.canParse(address)).map((address) => nearPageHash(pageKey(address)))
  if (hashes.length === 0) return []
  // The plus keeps the owner's affinity from the comparison, which could not use the index otherwise.
  const rows = readRows<{ id: number; key: string; hash: number }>(
    db,
    `SELECT b.id, b.page_key AS key, b.near_page AS hash FROM (SELECT 0 AS owner UNION ALL SELECT id FROM organizations) o
     CROSS JOIN json_each(@hashes) h CROSS JOIN bookmarks b INDEXED BY bookmarks_by_near_page
       ON ifnull(b.organization_id, 0) = +o.owner AND b.near_page = h.value
     WHERE b.near_page IS NOT NULL AND b.deleted_at IS NULL${andPasses(plan)}`,
    { ...plan.values, hashes: JSON.stringify(hashes) }
  )
  return rows
    .map(({ id, key, hash }) => ({ id, key, at: hashes.indexOf(hash) }))
    .sort((a, b) => a.at - b.at || b.id - a.id)
}

function andPasses({ condition }: FilterPlan): string {
  return condition === '' ? '' : ` AND ${condition}`
}

/** Returns the cases a title may be typed in: SQLite compares only ASCII without case. */
function spellings(text: string): string[] {
  const lower = text.toLowerCase()
  if (/^[\0-\x7f]*$/.test(text)) return [lower]
  return [text, lower, text.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)]
}

/** Returns the words as a part of a host name; `undefined` where they can't be one. */
function siteName(typed: string): string | undefined {
  const words = typed.split(/\s+/)
  if (words.length > MAX_SITE_WORDS) return undefined
  const name = foldWord(words.join('')).replace(/^www\./, '')
  return /^[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(name) ? name.replace(/\.$/, '') : undefined
}
