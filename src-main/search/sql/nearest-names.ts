import { LIMITS } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { readSite } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readValues } from '../../database/sql.ts'
import { filterToken, parseSiteToken } from '../filter-tokens.ts'
import { oneLetterAway } from '../spelling.ts'
import { wordForms } from '../word-forms.ts'
import { findSitesByName } from './filters.ts'

/** Maximum number of tags with the same beginning, and with the same word, that are compared. */
const MAX_NEAR_TAGS = 100

/** Maximum number of bookmarks of an organization whose tags are read. The newest are read. */
const MAX_READ_BOOKMARKS = 2000

/** Minimum length of a beginning, in letters. Too many tags have a shorter one. */
const MIN_BEGINNING_LENGTH = 3

interface NearTag {
  name: string
  /** How many bookmarks have it. */
  bookmarks: number
}

const BEGINS = `folded >= @folded AND folded < @end AND length(@folded) >= ${MIN_BEGINNING_LENGTH}`

/** Matches `work/client` and `awesome-client` for `client`. */
const HAS_WORD = "instr('/' || replace(replace(folded, '-', '/'), '_', '/') || '/', '/' || @folded || '/') > 0"

/** Minimum length of a name that may be misspelled, in letters. Shorter names are similar by chance: ios, ioc. */
const MIN_MISSPELLED_LENGTH = 4

const NEAR_TAGS = `SELECT t.folded AS name, c.bookmarks FROM (
    SELECT id, folded FROM tags WHERE folded IN (SELECT value FROM json_each(@near))
    UNION SELECT * FROM (SELECT id, folded FROM tags WHERE ${BEGINS} LIMIT ${MAX_NEAR_TAGS})
    UNION SELECT * FROM (SELECT id, folded FROM tags WHERE ${HAS_WORD} LIMIT ${MAX_NEAR_TAGS})
  ) t JOIN filter_counts c ON c.filter = @mark || t.id`

const NEAR_VISIBLE_TAGS = `SELECT t.folded AS name, count(*) AS bookmarks
  FROM (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @visible ORDER BY rowid DESC LIMIT ${MAX_READ_BOOKMARKS}) b
    JOIN bookmark_tags bt ON bt.bookmark_id = b.rowid JOIN tags t ON t.id = bt.tag_id
  WHERE t.folded IN (SELECT value FROM json_each(@near)) OR (${BEGINS}) OR ${HAS_WORD}
  GROUP BY t.id`

/**
 * Finds the tags that are nearest to one that does not exist: tags with a similar spelling, or else tags that begin with it
 * or contain it as a word. The most used come first. Names are folded, because the spelling may be from a bookmark that the
 * caller may not see. For an organization’s key, the limits apply only to bookmarks that it may see.
 */
export function nearestTags(db: ReadConnection, { owner }: Caller, tag: string): string[] {
  const folded = foldName(tag)
  if (folded.length > LIMITS.tagName) return []
  const misspelled = folded.length < MIN_MISSPELLED_LENGTH ? [] : oneLetterAway(folded)
  const spellings = new Set([...misspelled, ...wordForms(folded), ...joinedOtherwise(folded)])
  const values = { near: JSON.stringify([...spellings]), folded, end: `${folded}\uffff` }
  const rows =
    owner === null
      ? readRows<NearTag>(db, NEAR_TAGS, { ...values, mark: filterToken.tagPrefix })
      : readRows<NearTag>(db, NEAR_VISIBLE_TAGS, { ...values, visible: visibleTo(owner) })
  const names = rows
    .filter(({ bookmarks }) => bookmarks > 0)
    .sort((a, b) => b.bookmarks - a.bookmarks || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  const spelled = names.filter((name) => spellings.has(name))
  return spelled.length > 0 ? spelled : names
}

/** Returns the tags that most bookmarks have, of the bookmarks that the caller may see. */
export function mostUsedTags(db: ReadConnection, { owner }: Caller, limit: number): NearTag[] {
  return owner === null
    ? readRows<NearTag>(
        db,
        `SELECT t.name, c.bookmarks FROM tags t JOIN filter_counts c ON c.filter = @mark || t.id
         WHERE c.bookmarks > 0 ORDER BY c.bookmarks DESC, t.folded LIMIT @limit`,
        { mark: filterToken.tagPrefix, limit }
      )
    : readRows<NearTag>(
        db,
        `SELECT t.folded AS name, count(*) AS bookmarks
         FROM (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @visible ORDER BY rowid DESC LIMIT ${MAX_READ_BOOKMARKS}) b
           JOIN bookmark_tags bt ON bt.bookmark_id = b.rowid JOIN tags t ON t.id = bt.tag_id
         GROUP BY t.id ORDER BY bookmarks DESC, t.folded LIMIT @limit`,
        { visible: visibleTo(owner), limit }
      )
}

/** Returns `to-read` as `to read`, `to_read` and `toread`. */
function joinedOtherwise(tag: string): string[] {
  const words = tag.split(/[ _.-]+/)
  return words.length < 2 ? [] : [' ', '-', '_', '.', ''].map((between) => words.join(between))
}

/** Returns the full-text expression for the bookmarks that an organization's key may see. */
function visibleTo(organization: number): string {
  return `filters : ("${filterToken.organization(organization)}" OR "${filterToken.visibility('public')}")`
}

/** Maximum number of bookmarks whose sites are compared. */
const MAX_OF_SITE = 20

interface NearSite {
  site: string
  /** Whether the site’s name is equal or similar to the requested one. */
  isNamed: boolean
}

/**
 * Finds the site that is nearest to one that does not exist: one with the same name (docker.com for `docker.org`), one with
 * a similar name (github.com for `gitub.com`), or else the most frequent site of bookmarks that have the name as a word.
 *
 * @param find runs a search with the caller’s permission
 */
export function nearestSite(
  db: ReadConnection,
  requested: string,
  find: (query: { page: number; limit: number; words?: string; domain?: string }) => { ids: number[]; total: number }
): NearSite | undefined {
  const site = readSite(requested)
  const labels = site.split('.')
  const name = labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? '')
  if (!/^[\p{L}\p{N}-]+$/u.test(name)) return undefined
  const [named] = [...findSitesByName(db, name), ...findMisspelledSites(db, site, name)]
    .map((domain) => ({ domain, bookmarks: find({ page: 1, limit: 1, domain }).total }))
    .filter(({ bookmarks }) => bookmarks > 0)
    .sort((a, b) => b.bookmarks - a.bookmarks)
  if (named) return { site: named.domain, isNamed: true }
  const ids = find({ page: 1, limit: MAX_OF_SITE, words: `"${name}"` }).ids.slice(0, MAX_OF_SITE)
  const domains = readValues<string>(
    db,
    'SELECT domain FROM bookmarks WHERE id IN (SELECT value FROM json_each(?)) AND domain IS NOT NULL',
    JSON.stringify(ids)
  )
  const counts = Map.groupBy(domains, (domain) => domain)
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b.length - a.length)
  return mostFrequent && { site: mostFrequent[0], isNamed: false }
}

/** Returns the sites of the library that are one letter away from a site; none for short names. */
function findMisspelledSites(db: ReadConnection, site: string, name: string): string[] {
  if (name.length < MIN_MISSPELLED_LENGTH || !site.includes('.')) return []
  const tokens = oneLetterAway(name).map((near) => filterToken.site(site.replace(`${name}.`, `${near}.`)))
  const sql = 'SELECT filter FROM filter_counts WHERE filter IN (SELECT value FROM json_each(?)) AND bookmarks > 0'
  return readValues<string>(db, sql, JSON.stringify(tokens)).map(parseSiteToken)
}
