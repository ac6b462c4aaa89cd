/**
 * Queries of the library and its bookmarks; service-queries.ts has those of API keys, imports, backups and other programs.
 * The table in events.ts lists which queries each change makes stale.
 */
import { type dataTagSymbol, keepPreviousData, queryOptions, replaceEqualDeep } from '@tanstack/react-query'
import { tagTree } from '../lib/tag-tree.ts'
import { pause } from '../lib/waiting.ts'
import { api, ask, askBookmarks, type BookmarksPage, type BookmarksQuery, type ShownBookmark } from './client.ts'
import { queryClient } from './events.ts'

/** The data of a query, by its options. */
export type DataOf<Options extends { queryKey: { [dataTagSymbol]: unknown } }> =
  Options['queryKey'][typeof dataTagSymbol]

// The service.

/** The service's state. Fetched now and then, so that a service that stopped is noticed. */
export const statusOptions = queryOptions({
  queryKey: ['status'],
  queryFn: () => ask(api.status.$get()),
  refetchInterval: 15_000
})

export const settingsOptions = queryOptions({ queryKey: ['settings'], queryFn: () => ask(api.settings.$get()) })

/** The state of the last link check. */
export const linkChecksOptions = queryOptions({
  queryKey: ['links'],
  queryFn: ({ signal }) => ask(api['link-checks'].$get({}, { init: { signal } }))
})

/** The number of links that were never checked. Counting them takes a while, so it is not repeated with each check. */
export const uncheckedOptions = queryOptions({
  queryKey: ['unchecked'],
  queryFn: ({ signal }) => ask(api['link-checks'].unchecked.$get({}, { init: { signal } })),
  refetchInterval: 30_000
})

// Bookmarks.

/** Bookmarks in a page of a list. A screen shows a quarter of them. */
export const LIST_PAGE = 100

export type ListQuery = Omit<BookmarksQuery, 'page' | 'limit'>

/** @param page counted from 1 */
export const listOptions = (query: ListQuery, page: number) =>
  queryOptions({
    queryKey: ['bookmarks', 'list', query, page],
    queryFn: ({ signal }) => askBookmarks({ ...query, page: String(page), limit: String(LIST_PAGE) }, signal),
    gcTime: 60_000
  })

/**
 * One bookmark. Until it is fetched, the bookmark of a list is used. If the fetched one is equal, the object stays the
 * same, so that the panel does not render twice.
 */
export const bookmarkOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'one', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].$get({ param: { id } }, { init: { signal } })),
    staleTime: 0,
    placeholderData: () => findInLists(id),
    structuralSharing: (before, now) => replaceEqualDeep(before ?? findInLists(id), now)
  })

/** Finds a bookmark in the lists that were fetched. */
export function findInLists(id: string): ShownBookmark | undefined {
  const pages = queryClient.getQueriesData<BookmarksPage>({ queryKey: ['bookmarks', 'list'] })
  for (const [, page] of pages) {
    const bookmark = page?.bookmarks.find((other) => other.id === id)
    if (bookmark) return bookmark
  }
  return undefined
}

/** The numbers of bookmarks of each type and in the trash. */
export const countsOptions = queryOptions({ queryKey: ['counts'], queryFn: () => ask(api.bookmarks.counts.$get()) })

/** The few bookmarks whose web pages were opened last. */
export const openedOptions = queryOptions({
  queryKey: ['opened'],
  queryFn: ({ signal }) => askBookmarks({ opened: 'true', limit: '5' }, signal)
})

const PAST_KEY = 'earmark-past'

/** A few old bookmarks: others each time that the palette is opened. */
export const pastOptions = (openedAt: number) =>
  queryOptions({
    queryKey: ['past', openedAt],
    queryFn: async () => {
      const { bookmarks } = await ask(
        api.bookmarks.past.$get({ query: { except: localStorage.getItem(PAST_KEY) ?? '' } })
      )
      localStorage.setItem(PAST_KEY, bookmarks.map(({ id }) => id).join())
      return bookmarks
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY
  })

/** The few bookmarks that the palette offers for what is typed. */
export const paletteOptions = (words: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'palette', words],
    queryFn: ({ signal }) => askBookmarks({ words, typing: 'true', limit: '6' }, signal),
    enabled: words !== '',
    placeholderData: keepPreviousData
  })

/** The number of bookmarks that match a query. */
export const totalOptions = (query: ListQuery | undefined) =>
  queryOptions({
    queryKey: ['bookmarks', 'total', query],
    queryFn: ({ signal }) => askBookmarks({ ...query, page: '1', limit: '1' }, signal),
    enabled: query !== undefined
  })

/** The bookmark that has this address already. */
export const savedOptions = (url: string | undefined) =>
  queryOptions({
    queryKey: ['bookmarks', 'saved', url],
    queryFn: () => ask(api.bookmarks.saved.$get({ query: { url: url ?? '' } })),
    enabled: url !== undefined,
    retry: false
  })

export type Chosen = Parameters<typeof api.bookmarks.selections.$post>[0]['json']

/** The number of selected bookmarks, and their tags. */
export const selectionOptions = (chosen: Chosen) =>
  queryOptions({
    queryKey: ['bookmarks', 'selection', chosen],
    queryFn: ({ signal }) => ask(api.bookmarks.selections.$post({ json: chosen }, { init: { signal } })),
    placeholderData: keepPreviousData
  })

/** How long a bookmark is open before its related ones are fetched, in ms. J and K pass many. */
const RELATED_PAUSE_MS = 200

/** The bookmarks that are most similar to this one. */
export const relatedOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'related', id],
    queryFn: async ({ signal }) => {
      await pause(RELATED_PAUSE_MS, signal)
      return ask(api.bookmarks[':id'].related.$get({ param: { id }, query: {} }, { init: { signal } }))
    }
  })

/** Colors and images like a color, nearest first, without the bookmark itself. */
export const similarOptions = (id: string, color: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'similar', id, color],
    queryFn: ({ signal }) => ask(api.colors.similar.$get({ query: { to: color, except: id } }, { init: { signal } }))
  })

/** An image's main colors, and the size of its original if that is stored. */
export const pictureOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'picture', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].picture.$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })

/** The stored facts about a bookmark's web page, and how far fetching it is. */
export const pageOptions = (id: string) =>
  queryOptions({
    queryKey: ['page', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.$get({ param: { id } }, { init: { signal } })),
    staleTime: 0
  })

/** The stored text of a bookmark's web page. */
export const pageTextOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'text', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.text.$get({ param: { id } }, { init: { signal } }))
  })

/** Poll interval while pictures of a text are being fetched, in ms. */
const PICTURES_MS = 800

/** The positions of a text's stored pictures, and whether more are being fetched. */
export const textPicturesOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'text-pictures', id],
    queryFn: ({ signal }) => ask(api.bookmarks[':id'].page.pictures.$get({ param: { id } }, { init: { signal } })),
    refetchInterval: ({ state }) => (state.data?.pending ? PICTURES_MS : false)
  })

/** Poll interval while bookmarks are being compared, in ms. */
const DUPLICATES_MS = 2000

/** A page of the groups of bookmarks that are nearly the same web page. */
export const duplicatesOptions = (page: number) =>
  queryOptions({
    queryKey: ['bookmarks', 'duplicates', page],
    queryFn: ({ signal }) => ask(api.duplicates.$get({ query: { page: String(page) } }, { init: { signal } })),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.settled === false ? DUPLICATES_MS : false)
  })

// Tags, organizations, searches and rules.

/** All tags, most used first. */
export const tagsOptions = queryOptions({
  queryKey: ['tags'],
  queryFn: async () => {
    const tags = await ask(api.tags.$get())
    return tags.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name))
  }
})

/** All tags as a tree: `work/client` is below `work`, even if `work` is not a tag. */
export const tagTreeOptions = queryOptions({
  queryKey: ['tags', 'tree'],
  queryFn: async () => tagTree(await ask(api.tags.$get()), await ask(api.tags.parents.$get()))
})

/** Sites of the bookmarks that best match the typed beginning of a site, most frequent first. */
export const sitesOptions = (typed: string | undefined) =>
  queryOptions({
    queryKey: ['bookmarks', 'sites', typed],
    queryFn: async ({ signal }) => {
      const { bookmarks } = await askBookmarks({ words: typed, typing: 'true', limit: '100' }, signal)
      const counts = new Map<string, number>()
      for (const { domain } of bookmarks) if (domain) counts.set(domain, (counts.get(domain) ?? 0) + 1)
      return [...counts].sort((a, b) => b[1] - a[1]).map(([site]) => site)
    },
    enabled: typed !== undefined,
    placeholderData: keepPreviousData
  })

/** The fields of a bookmark on which suggestions of tags are based. */
export type About = Omit<Parameters<typeof api.tags.suggestions.$post>[0]['json'], 'tags'>

/** Pause in typing before tags are suggested, in ms. */
const SUGGESTIONS_PAUSE_MS = 300

/** Tags of similar bookmarks. */
export const suggestedTagsOptions = (about: About, tags: string[]) =>
  queryOptions({
    queryKey: ['tags', 'suggested', about, tags],
    queryFn: async ({ signal }) => {
      await pause(SUGGESTIONS_PAUSE_MS, signal)
      return ask(api.tags.suggestions.$post({ json: { ...about, tags } }, { init: { signal } }))
    },
    enabled: Object.values(about).some((text) => text),
    staleTime: 60_000,
    // Without it, the row of suggestions would disappear for a moment and move the content below it.
    placeholderData: keepPreviousData
  })

export const organizationsOptions = queryOptions({
  queryKey: ['organizations'],
  queryFn: () => ask(api.organizations.$get())
})

/** What the deletion of an organization would change. */
export const deletionOptions = (id: string) =>
  queryOptions({
    queryKey: ['deletion', id],
    queryFn: () => ask(api.organizations[':id'].deletion.$get({ param: { id } })),
    gcTime: 0,
    staleTime: 0
  })

/** The saved searches, by name. */
export const searchesOptions = queryOptions({ queryKey: ['searches'], queryFn: () => ask(api.searches.$get()) })

/** The rules, in the order in which they were created. */
export const rulesOptions = queryOptions({ queryKey: ['rules'], queryFn: () => ask(api.rules.$get()) })

export type Status = DataOf<typeof statusOptions>
export type Settings = DataOf<typeof settingsOptions>

export type Rule = DataOf<typeof rulesOptions>[number]

/** How long nothing is typed before a rule's matches are counted, in ms. */
const MATCHES_PAUSE_MS = 200

/** The number of bookmarks that a rule would change now, or why its query is invalid. */
export const matchesOptions = (query: string, moves: boolean) =>
  queryOptions({
    queryKey: ['bookmarks', 'rule', query, moves],
    queryFn: async ({ signal }) => {
      await pause(MATCHES_PAUSE_MS, signal)
      return countMatches(query, moves, signal)
    },
    enabled: query !== '',
    placeholderData: keepPreviousData
  })

/** @param moves whether the rule moves bookmarks; then it applies only to the owner's own */
export async function countMatches(query: string, moves: boolean, signal?: AbortSignal): Promise<number> {
  const own = String(moves) as 'true' | 'false'
  return (await ask(api.rules.matches.$get({ query: { query, own } }, { init: { signal } }))).total
}
