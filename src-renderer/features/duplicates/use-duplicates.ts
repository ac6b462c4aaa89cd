import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { confirm } from '../../shared/confirm.tsx'
import { type LiveEvent, useLiveEvents } from '../../shared/live.ts'
import { longWork } from '../../shared/long-work.tsx'
import { notify } from '../../shared/notify.tsx'
import { refresh, refreshBookmarks } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'
import { notifyWithUndo } from '../../shared/undo.ts'
import { duplicates as strings } from '../../strings/duplicates.ts'

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

type Merge = Parameters<typeof api.duplicates.merges.$post>[0]['json']['merges'][number]

export type Merging = ReturnType<typeof useMerging>

/** Makes one bookmark of each group, told with a way back, and remembers which bookmark of a group is to stay. */
export function useMerging(onMerged: () => void) {
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const { mutate, isPending } = useMutation({
    mutationFn: (merges: Merge[] | 'all') => (merges === 'all' ? mergeAll(Object.values(chosen)) : mergeSome(merges)),
    onSuccess: async ({ trashed, left, undo, cancelled, problem }) => {
      const [first] = left
      const rest = first && (left.length === 1 ? strings.reasons[first.reason] : strings.left(left.length))
      const told = [cancelled && strings.stopped, trashed > 0 && strings.merged(trashed), rest, problem?.message]
      const message = told.filter(Boolean).join(' ')
      if (trashed > 0) notifyWithUndo(message, undo, [], strings.undone(trashed))
      else if (message) notify(message)
      await refreshBookmarks()
    }
  })

  /** The first is the one that best stays, until another is chosen. */
  function keptOf(group: Group): string {
    const wanted = chosen[firstOf(group)]
    return group.bookmarks.find(({ id }) => id === wanted)?.id ?? firstOf(group)
  }
  function mergeOf(group: Group): Merge {
    const keep = keptOf(group)
    return { keep, others: group.bookmarks.map(({ id }) => id).filter((id) => id !== keep) }
  }
  return {
    isPending,
    keptOf,
    keep: (group: Group, id: string) => setChosen((now) => ({ ...now, [firstOf(group)]: id })),
    merge: (group: Group) => mutate([mergeOf(group)], { onSuccess: onMerged }),
    async mergeAll(total: number) {
      const question = { title: strings.allTitle(total), text: strings.allText, action: strings.mergeAll(total) }
      if (await confirm(question)) mutate('all', { onSuccess: onMerged })
    }
  }
}

const mergeSome = (merges: Merge[]) => ask(api.duplicates.merges.$post({ json: { merges } }))

/** @param keep bookmarks that are to stay of their groups; of the others the one that best stays does */
function mergeAll(keep: string[]) {
  return longWork({
    what: strings.merging,
    stoppable: true,
    begin: (name) => ask(api.duplicates.merges.all.$post({ query: { name }, json: { keep } }))
  })
}

/** Returns the id of a group's first bookmark, by which the group is known. */
export function firstOf({ bookmarks }: Group): string {
  return bookmarks[0]?.id ?? ''
}
