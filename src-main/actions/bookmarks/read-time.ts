import type { BookmarkQuery } from '../../contract/bookmark.ts'
import type { Caller } from '../../contract/caller.ts'
import { spacedWords } from '../../search/segment.ts'
import { readTimePhrase } from '../../search/time-phrase.ts'
import type { Ports } from '../ports.ts'

/**
 * A query with what its words say of time as filters (`core/time-phrase.ts`), unless they are the words of a title, or
 * nothing saved then has the rest of them. What acts on all that a search shows reads its words as the search did.
 *
 * @returns the query, with a note where something was read
 */
export async function readTime<Query extends Asked>(
  ports: Ports,
  caller: Caller,
  query: Query
): Promise<Query & { note?: string }> {
  const time = query.words === undefined ? undefined : readTimePhrase(query.words, ports.now())
  if (!time || (await isTitle(ports, caller, query, time.alone))) return query
  const read = { ...query, words: time.words }
  if (!time.alone && (await ports.library.searchBookmarks(caller, { ...read, ...ONE })).total === 0) return query
  return { ...read, note: time.note }
}

type Asked = Omit<BookmarkQuery, 'page' | 'limit'>

const ONE = { page: 1, limit: 1 }

/** Whether a title holds the words as they stand; where all of them are of time, whether one is nothing else. */
async function isTitle(ports: Ports, caller: Caller, query: Asked, whole: boolean): Promise<boolean> {
  const words = query.words ?? ''
  const titled = { ...query, words: `title:"${words}"`, typing: false, page: 1, limit: MOST_TITLES }
  const { bookmarks } = await ports.library.searchBookmarks(caller, titled)
  const wanted = spacedWords(words)
  const titles = bookmarks.map(({ title }) => spacedWords(title))
  return titles.some((title) => (whole ? title === wanted : title.includes(wanted)))
}

/** The shortest titles come first. */
const MOST_TITLES = 20
