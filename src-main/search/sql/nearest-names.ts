import { LIMITS } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { readSite } from '../../core/address.ts'
import { foldName } from '../../core/clean-text.ts'
import type { ReadConnection } from '../../database/connection.ts'
import { readRows, readValues } from '../../database/sql.ts'
import { filterToken } from '../filter-tokens.ts'
import { oneLetterAway } from '../spelling.ts'
import { wordForms } from '../word-forms.ts'

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

/** `work/client` for `client`. */
const BELOW_ANOTHER = "substr(folded, -length('/' || @folded)) = '/' || @folded"

const NEAR_TAGS = `SELECT t.folded AS name, c.bookmarks AS held FROM (
    SELECT id, folded FROM tags WHERE folded IN (SELECT value FROM json_each(@near))
    UNION SELECT * FROM (SELECT id, folded FROM tags WHERE ${BEGINS} LIMIT ${MAX_NEAR_TAGS})
    UNION SELECT * FROM (SELECT id, folded FROM tags WHERE ${BELOW_ANOTHER} LIMIT ${MAX_NEAR_TAGS})
  ) t JOIN filter_counts c ON c.filter = @mark || t.id`

const NEAR_VISIBLE_TAGS = `SELECT t.folded AS name, count(*) AS held
  FROM (SELECT rowid FROM bookmark_texts WHERE bookmark_texts MATCH @visible ORDER BY rowid DESC LIMIT ${MAX_READ}) b
    JOIN bookmark_tags bt ON bt.bookmark_id = b.rowid JOIN tags t ON t.id = bt.tag_id
  WHERE t.folded IN (SELECT value FROM json_each(@near)) OR (${BEGINS}) OR ${BELOW_ANOTHER}
  GROUP BY t.id`

/**
 * Returns the tags near one that does not exist, among tags of bookmarks that the caller may see, the nearest first: those
 * that are spelled nearly so, or else those that begin so. They are folded: their spelling may be somebody else's. Only tags
 * of bookmarks that the caller may see are read, before their number is limited.
 */
export function nearestTags(db: ReadConnection, { owner }: Caller, tag: string): string[] {
  const folded = foldName(tag)
  if (folded.length > LIMITS.tagName) return []
  const spellings = new Set([...oneLetterAway(folded), ...wordForms(folded), ...otherwiseJoined(folded)])
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

/**
 * Returns the site that was meant by a part of its name, or by what its pages are called: the one that most of the first
 * bookmarks are of that hold the name as a word. `isNamed`: whether the name is a part of its host.
 *
 * @param find returns the first row ids of a search that the caller may see
 */
export function nearestSite(
  db: ReadConnection,
  asked: string,
  find: (query: { page: number; limit: number; words: string }) => number[]
): { site: string; isNamed: boolean } | undefined {
  const labels = readSite(asked).split('.')
  const name = labels.length > 1 ? (labels.at(-2) ?? '') : (labels[0] ?? '')
  if (!/^[\p{L}\p{N}-]+$/u.test(name)) return undefined
  const ids = find({ page: 1, limit: MAX_OF_SITE, words: `"${name}"` })
  const domains = readValues<string>(
    db,
    'SELECT domain FROM bookmarks WHERE id IN (SELECT value FROM json_each(?)) AND domain IS NOT NULL',
    JSON.stringify(ids)
  )
  const sites = new Map<string, number>()
  for (const domain of domains) {
    const parts = domain.split('.')
    const at = parts.indexOf(name)
    const isNamed = at >= 0 && at < parts.length - 1
    const site = isNamed ? parts.slice(at).join('.') : domain
    // A site of that name comes before any that only has pages about it.
    sites.set(site, (sites.get(site) ?? 0) + (isNamed ? MAX_OF_SITE : 1))
  }
  const [best] = [...sites].sort(([, one], [, other]) => other - one)
  return best && { site: best[0], isNamed: best[1] >= MAX_OF_SITE }
}
