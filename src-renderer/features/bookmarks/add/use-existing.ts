import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { ask } from '../../../shared/request.ts'

/** How long to wait for the next letter of an address, in milliseconds. */
const PAUSE_MS = 120

/** The bookmark that has this address already, asked for while it is typed. Saving says so too, so failing is no news. */
export function useExisting(url: string | undefined): ShownBookmark | undefined {
  const [settled] = useDebouncedValue(url, PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['bookmarks', 'saved', settled],
    queryFn: () => ask(api.bookmarks.saved.$get({ query: { url: settled ?? '' } })),
    enabled: settled !== undefined,
    retry: false
  })
  return settled === url ? (data?.bookmark ?? undefined) : undefined
}
