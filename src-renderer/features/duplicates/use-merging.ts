import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { notify } from '../../shared/notify.tsx'
import { refreshBookmarks } from '../../shared/refresh.ts'
import { ask } from '../../shared/request.ts'
import { notifyWithUndo } from '../../shared/undo.ts'
import { duplicates as strings } from '../../strings/duplicates.ts'
import type { Group } from './use-duplicates.ts'

type Merge = Parameters<typeof api.duplicates.merges.$post>[0]['json']['merges'][number]

export type Merging = ReturnType<typeof useMerging>

/** Makes one bookmark of each group, told with a way back, and remembers which bookmark of a group is to stay. */
export function useMerging(onMerged: () => void) {
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const { mutate, isPending } = useMutation({
    mutationFn: (merges: Merge[]) => ask(api.duplicates.merges.$post({ json: { merges } })),
    onSuccess: async ({ trashed, left, undo }) => {
      const [first] = left
      const rest = first ? (left.length === 1 ? strings.reasons[first.reason] : strings.left(left.length)) : ''
      if (trashed > 0) notifyWithUndo([strings.merged(trashed), rest].join(' ').trim(), undo)
      else notify(rest)
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
    merge: (groups: Group[]) => mutate(groups.map(mergeOf), { onSuccess: onMerged })
  }
}

/** Returns the id of a group's first bookmark, by which the group is known. */
export function firstOf({ bookmarks }: Group): string {
  return bookmarks[0]?.id ?? ''
}
