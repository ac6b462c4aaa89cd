import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { type LiveEvent, useLiveEvents } from '../../shared/live.ts'
import { refresh } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'

/** How often it is asked again while bookmarks are being compared, in milliseconds. */
const ASK_AGAIN = 2000

export type Group = NonNullable<ReturnType<typeof useDuplicates>['data']>['groups'][number]

/** A page of the groups of bookmarks that are nearly the same page. */
export function useDuplicates(page: number) {
  useLiveEvents(refreshDuplicates)
  return useQuery(duplicatesOptions(page))
}

const duplicatesOptions = (page: number) =>
  queryOptions({
    queryKey: ['bookmarks', 'duplicates', page],
    queryFn: ({ signal }) => ask(api.duplicates.$get({ query: { page: String(page) } }, { init: { signal } })),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.settled === false ? ASK_AGAIN : false)
  })

function refreshDuplicates({ kind }: LiveEvent): void {
  if (kind === 'bookmarks') void refresh({ queryKey: ['bookmarks', 'duplicates'] })
}
