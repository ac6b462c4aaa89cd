import { queryOptions, useQuery } from '@tanstack/react-query'
import { toMessage } from '../strings/to-message.ts'
import { api } from './api.ts'
import { ask } from './request.ts'
import { tagTree } from './tag-tree.ts'

const countsOptions = queryOptions({ queryKey: ['counts'], queryFn: () => ask(api.bookmarks.counts.$get()) })

const tagsOptions = queryOptions({
  queryKey: ['tags'],
  queryFn: async () => {
    const tags = await ask(api.tags.$get())
    return tags.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name))
  }
})

const tagTreeOptions = queryOptions({
  queryKey: ['tags', 'tree'],
  queryFn: async () => tagTree(await ask(api.tags.$get()), await ask(api.tags.parents.$get()))
})

const organizationsOptions = queryOptions({
  queryKey: ['organizations'],
  queryFn: () => ask(api.organizations.$get())
})

/** How many bookmarks there are, by type, and in the trash. */
export const useCounts = () => useQuery(countsOptions)

/** All tags with their bookmarks, most used first. */
export const useTags = () => useQuery(tagsOptions)

/** The same as a tree, by name: `work/client` is below `work`, whether that is a tag or not. */
export const useTagTree = () => useQuery(tagTreeOptions)

/** Pages that the palette offers of those opened lately. */
const FEW_OPENED = '5'

export const openedOptions = queryOptions({
  queryKey: ['bookmarks', 'opened'],
  queryFn: ({ signal }) => askBookmarks({ opened: 'true', limit: FEW_OPENED }, signal)
})

/** The few bookmarks whose pages were opened last. */
export const useOpenedLately = () => useQuery(openedOptions)

export const useOrganizations = () => useQuery(organizationsOptions)

/** A page of bookmarks as the service shows them. Times are ISO 8601. */
export async function askBookmarks(query: BookmarksQuery, signal?: AbortSignal) {
  const page = await ask(api.bookmarks.$get({ query }, { init: { signal } }))
  return { ...page, hint: page.hint && toMessage(page.hint) }
}

export type BookmarksQuery = NonNullable<Parameters<typeof api.bookmarks.$get>[0]>['query']
export type BookmarksPage = Awaited<ReturnType<typeof askBookmarks>>
export type ShownBookmark = BookmarksPage['bookmarks'][number]
