import type { CommonWords } from '../search/sql/common-words.ts'
import { calls } from './access/calls.ts'
import { keys } from './access/keys.ts'
import { organizations } from './access/organizations.ts'
import { savedSearches } from './access/saved-searches.ts'
import { sessions } from './access/sessions.ts'
import { settings } from './access/settings.ts'
import { edits } from './bookmarks/bookmark-edits.ts'
import { lists } from './bookmarks/bookmark-lists.ts'
import { lookups } from './bookmarks/bookmark-lookups.ts'
import { walks } from './bookmarks/bookmark-walks.ts'
import { bookmarkSaves } from './bookmarks/bookmark-writes.ts'
import { duplicates } from './bookmarks/duplicates.ts'
import { imports } from './bookmarks/imports.ts'
import { tags } from './bookmarks/tags.ts'
import { trash } from './bookmarks/trash.ts'
import { undo } from './bookmarks/undo.ts'
import { watchedPages } from './bookmarks/watched-pages.ts'
import type { ReadConnection, WriteConnection } from './connection.ts'
import type { Family } from './family.ts'
import { backupCopies } from './files/backup-copies.ts'
import { backups } from './files/backups.ts'
import { colors } from './pages/colors.ts'
import { linkRounds } from './pages/link-rounds.ts'
import { links } from './pages/links.ts'
import { pages } from './pages/pages.ts'
import { pictures } from './pages/pictures.ts'
import type { Memoize } from './read-memo.ts'
import { indexing } from './search/indexing.ts'
import { searches } from './search/searches.ts'

/** All families of the library's calls. No two calls have one name. */
const FAMILIES = [
  searches,
  indexing,
  bookmarkSaves,
  edits,
  lookups,
  lists,
  tags,
  duplicates,
  trash,
  undo,
  imports,
  watchedPages,
  walks,
  pages,
  pictures,
  colors,
  links,
  linkRounds,
  calls,
  keys,
  organizations,
  sessions,
  settings,
  savedSearches,
  backups,
  backupCopies
]

type All<Kind extends 'here' | 'slow' | 'writes'> = Together<ReturnType<(typeof FAMILIES)[number][Kind]>>

/** All of them in one object. */
type Together<One> = (One extends unknown ? (one: One) => void : never) extends (all: infer Every) => void
  ? { [Name in keyof Every]: Every[Name] }
  : never

/** The quick reads of all families. */
export type QuickReads = All<'here'>
/** The reads of all families that may take long. */
export type SlowReads = All<'slow'>
/** The writes of all families. */
export type Writes = All<'writes'>

export function quickReads(db: ReadConnection, folder: string, memoize: Memoize): QuickReads {
  return together(FAMILIES.map(({ here }) => here(db, folder, memoize)))
}

/** @param common what is known of the library's usual words by now */
export function slowReads(db: ReadConnection, common: () => CommonWords | undefined = () => undefined): SlowReads {
  return together(FAMILIES.map(({ slow }) => slow(db, common)))
}

export function allWrites(db: WriteConnection): Writes {
  return together(FAMILIES.map(({ writes }) => writes(db)))
}

/** The events of each write, by its name: there is an entry for every write. */
export const EMITS: Family<object, object, Writes>['emits'] = together(FAMILIES.map(({ emits }) => emits))

/** The slow reads that are never answered by the main thread. */
export const NEVER_HERE = new Set<string>(FAMILIES.flatMap(({ neverHere }) => neverHere))

/** The writes that are made in a damaged library too. */
export const DESPITE_DAMAGE = new Set<string>(FAMILIES.flatMap(({ despiteDamage }) => despiteDamage))

function together<All>(parts: object[]): All {
  return Object.assign({}, ...parts) as All
}
