import { LIMITS } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { readSite } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readValues } from '../../database/sql.ts'
import { filterToken, siteOfToken } from '../filter-tokens.ts'
import { oneLetterAway } from '../spelling.ts'
import { wordForms } from '../word-forms.ts'
import { hostsNamed } from './filters.ts'

/** Maximum number of tags with the same beginning that are compared. */
const MAX_NEAR_TAGS = 100

/** Maximum number of an organization’s bookmarks whose tags are read, the newest first. */
const MAX_READ = 2000

/** Minimum length of a beginning, in letters. Shorter ones are the beginning of too many tags. */
const MIN_BEGINNING_LENGTH = 3

interface NearTag {
  name: string
  /** How many bookmarks have it. */
  held: number
}

const BEGINS = `folded >= @folded AND folded < @end AND length(@folded) >= ${MIN_BEGINNING_LENGTH}`

/** `work/client` and `awesome-client` for `client`. */
const HAS_WORD = "instr('/' || replace(replace(folded, '-', '/'), '_', '/') || '/', '/' || @folded || '/') > 0"

/** Minimum length of a name that may be misspelled, in letters. Shorter ones are other names by chance: ios, ioc. */
const MIN_MISSPELLED_LENGTH = 4

const NEAR_TAGS = `SELECT t.folded AS name, c.bookmarks AS held FROM (
    SELECT id, folded FROM tags WHERE folded IN (SELECT value FROM json_each(@near))
    UNION SELECT * FROM (SELECT id, folded FROM tags WHERE ${BEGINS} LIMIT ${MAX_NEAR_TAGS})
    UNION SELECT * FROM (SELECT id, folded FROM tags WHERE ${HAS_WORD} LIMIT ${MAX_NEAR_TAGS})
  ) t JOIN filter_counts c ON c.filter = @mark || t.id`

const NEAR_VISIBLE_TAGS = `SELECT t.folded AS name, count(*) AS held
  FROM (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @visible ORDER BY rowid DESC LIMIT ${MAX_READ}) b
    JOIN bookmark_tags bt ON bt.bookmark_id = b.rowid JOIN tags t ON t.id = bt.tag_id
  WHERE t.folded IN (SELECT value FROM json_each(@near)) OR (${BEGINS}) OR ${HAS_WORD}
  GROUP BY t.id`

/**
 * Returns the tags near one that does not exist, among tags of bookmarks that the caller may see, the nearest first: those
 * that are spelled nearly so, or else those that begin so. They are folded: their spelling may be somebody else's. Only tags
 * of bookmarks that the caller may see are read, before their number is limited.
 */
export function nearestTags(db: ReadConnection, { owner }: Caller, tag: string): string[] {
  const folded = foldName(tag)
  if (folded.length > LIMITS.tagName) return []
  const misspelled = folded.length < MIN_MISSPELLED_LENGTH ? [] : oneLetterAway(folded)
  const spellings = new Set([...misspelled, ...wordForms(folded), ...otherwiseJoined(folded)])
  const values = { near: JSON.stringify([...spellings]), folded, end: `${folded}\uffff` }
  const found =
    owner === null
      ? readRows<NearTag>(db, NEAR_TAGS, { ...values, mark: filterToken.anyTag })
      : readRows<NearTag>(db, NEAR_VISIBLE_TAGS, { ...values, visible: visibleTo(owner) })
  const names = found
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  const spelled = names.filter((name) => spellings.has(name))
  return spelled.length > 0 ? spelled : names
}

/** Returns the tags that most bookmarks have, among those that the caller may see. */
export function mostUsedTags(db: ReadConnection, { owner }: Caller, most: number): NearTag[] {
  return owner === null
    ? readRows<NearTag>(
        db,
        `SELECT t.name, c.bookmarks AS held FROM tags t JOIN filter_counts c ON c.filter = @mark || t.id
         WHERE c.bookmarks > 0 ORDER BY c.bookmarks DESC, t.folded LIMIT @most`,
        { mark: filterToken.anyTag, most }
      )
    : readRows<NearTag>(
        db,
        `SELECT t.folded AS name, count(*) AS held
         FROM (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @visible ORDER BY rowid DESC LIMIT ${MAX_READ}) b
           JOIN bookmark_tags bt ON bt.bookmark_id = b.rowid JOIN tags t ON t.id = bt.tag_id
         GROUP BY t.id ORDER BY held DESC, t.folded LIMIT @most`,
        { visible: visibleTo(owner), most }
      )
}

/** Returns `to-read` as `to read`, `to_read` and `toread`. */
function otherwiseJoined(tag: string): string[] {
  const words = tag.split(/[ _.-]+/)
  return words.length < 2 ? [] : [' ', '-', '_', '.', ''].map((between) => words.join(between))
}

/** Returns the full-text expression for the bookmarks that an organization's key may see. */
function visibleTo(organization: number): string {
  return `filters : ("${filterToken.organization(organization)}" OR "${filterToken.visibility('public')}")`
}

/** Maximum number of bookmarks that are read to find the site that was meant. */
const MAX_OF_SITE = 20

interface NearSite {
  site: string
  /** Whether its host has the name, or one that is spelled nearly so. */
  isNamed: boolean
}

/**
 * Returns the site that was meant by a part of its name (`docker.org`: docker.com), by a misspelled one (`gitub.com`), or by
 * what its pages are called: the one that most of the first bookmarks are of that hold the name as a word.
 *
 * @param find returns row ids of a search that the caller may see, and their number
 */
export function nearestSite(
  db: ReadConnection,
  asked: string,
  find: (query: { page: number; limit: number; words?: string; domain?: string }) => { ids: number[]; total: number }
): NearSite | undefined {
  const site = readSite(asked)
  const labels = site.split('.')
  const name = labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? '')
  if (!/^[\p{L}\p{N}-]+$/u.test(name)) return undefined
  const [named] = [...hostsNamed(db, name), ...spelledNearly(db, site, name)]
    .map((domain) => ({ domain, held: find({ page: 1, limit: 1, domain }).total }))
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held)
  if (named) return { site: named.domain, isNamed: true }
  const ids = find({ page: 1, limit: MAX_OF_SITE, words: `"${name}"` }).ids.slice(0, MAX_OF_SITE)
  const domains = readValues<string>(
    db,
    'SELECT domain FROM bookmarks WHERE id IN (SELECT value FROM json_each(?)) AND domain IS NOT NULL',
    JSON.stringify(ids)
  )
  const counts = Map.groupBy(domains, (domain) => domain)
  const [best] = [...counts].sort(([, one], [, other]) => other.length - one.length)
  return best && { site: best[0], isNamed: false }
}

/** Returns the sites of the library that are one letter away from a site; none for short names. */
function spelledNearly(db: ReadConnection, site: string, name: string): string[] {
  if (name.length < MIN_MISSPELLED_LENGTH || !site.includes('.')) return []
  const tokens = oneLetterAway(name).map((near) => filterToken.site(site.replace(`${name}.`, `${near}.`)))
  const sql = 'SELECT filter FROM filter_counts WHERE filter IN (SELECT value FROM json_each(?)) AND bookmarks > 0'
  return readValues<string>(db, sql, JSON.stringify(tokens)).map(siteOfToken)
}
