import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import type { DataOf, duplicatesOptions } from '../../api/queries.ts'
import { notifyWithUndo } from '../../api/undo.ts'
import { confirm } from '../../shared/confirm.tsx'
import { duplicates as strings } from '../../strings/duplicates.ts'
import { notify } from '../../ui/notify.tsx'

export type Group = DataOf<ReturnType<typeof duplicatesOptions>>['groups'][number]

type Merge = Parameters<typeof api.duplicates.merges.$post>[0]['json']['merges'][number]

export type Merging = ReturnType<typeof useMerging>

/** Makes one bookmark of each group, told with a way back, and remembers which bookmark of a group is to stay. */
export function useMerging(onMerged: () => void) {
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const { mutate, isPending } = useMutation({
    mutationFn: (merges: Merge[] | 'all') => (merges === 'all' ? mergeAll(Object.values(chosen)) : mergeSome(merges)),
    meta: { changes: ['bookmarks'] },
    onSuccess({ trashed, left, undo, cancelled, problem }) {
      const [first] = left
      const rest = first && (left.length === 1 ? strings.reasons[first.reason] : strings.left(left.length))
      const told = [cancelled && strings.stopped, trashed > 0 && strings.merged(trashed), rest, problem?.message]
      const message = told.filter(Boolean).join(' ')
      if (trashed > 0) notifyWithUndo(message, undo, [], strings.undone(trashed))
      else if (message) notify(message)
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
