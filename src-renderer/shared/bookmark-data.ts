import { useQuery } from '@tanstack/react-query'
import { toMessage } from '../strings/to-message.ts'
import { api } from './api.ts'
import { ask } from './request.ts'

/** How many bookmarks there are, by type, and in the trash. */
export function useCounts() {
  return useQuery({ queryKey: ['counts'], queryFn: () => ask(api.bookmarks.counts.$get()) })
}

/** All tags with their bookmarks, most used first. */
export function useTags() {
  return useQuery({
    queryKey: ['tags'],
    queryFn: async () => {
      const tags = await ask(api.tags.$get())
      return tags.sort((a, b) => b.bookmarks - a.bookmarks || a.name.localeCompare(b.name, 'en'))
    }
  })
}

export function useOrganizations() {
  return useQuery({ queryKey: ['organizations'], queryFn: () => ask(api.organizations.$get()) })
}

/** A page of bookmarks as the service shows them. Times are ISO 8601. */
export async function askBookmarks(query: BookmarksQuery, signal?: AbortSignal) {
  const page = await ask(api.bookmarks.$get({ query }, { init: { signal } }))
  return { ...page, hint: page.hint && toMessage(page.hint) }
}

export type BookmarksQuery = NonNullable<Parameters<typeof api.bookmarks.$get>[0]>['query']
export type BookmarksPage = Awaited<ReturnType<typeof askBookmarks>>
export type ShownBookmark = BookmarksPage['bookmarks'][number]
