/** Queries and changes of highlights. Their events are those of bookmarks. */
import { t } from '@lingui/core/macro'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { titleOf } from '../lib/labels.ts'
import { api, ask, type ShownBookmark } from './client.ts'
import { queryClient } from './events.ts'
import type { DataOf } from './queries.ts'
import { notifyWithUndo, remember, undoAfter } from './undo.ts'

/** The highlights of a bookmark, in the order of the text. */
export const highlightsOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'highlights', id],
    queryFn: async ({ signal }) => {
      const param = { id }
      return (await ask(api.bookmarks[':id'].highlights.$get({ param }, { init: { signal } }))).highlights
    }
  })

export type ShownHighlight = DataOf<ReturnType<typeof highlightsOptions>>[number]

type AllQuery = Parameters<typeof api.highlights.$get>[0]['query']

/** A page of all highlights that match, newest first. */
export const askHighlights = (query: AllQuery, signal: AbortSignal) =>
  ask(api.highlights.$get({ query }, { init: { signal } }))

export type ListedHighlight = Awaited<ReturnType<typeof askHighlights>>['highlights'][number]

export function newHighlightId(): string {
  const letters = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))))
  return letters.replaceAll('+', '-').replaceAll('/', '_')
}

/** Changes to a bookmark's highlights. They are shown before the service answers. */
export function useHighlightChanges(bookmark: ShownBookmark) {
  const { queryKey } = highlightsOptions(bookmark.id)
  /** @param change a name: consecutive changes with the same name are undone together */
  const save = useMutation({
    scope: { id: `highlights ${bookmark.id}` },
    meta: { changes: ['bookmarks'] },
    mutationFn: ({ highlight: { id, createdAt, ...json } }: { highlight: ShownHighlight; change: string }) =>
      ask(api.bookmarks[':id'].highlights[':highlight'].$put({ param: { id: bookmark.id, highlight: id }, json })),
    onMutate: ({ highlight }) => show((all) => [...all.filter(({ id }) => id !== highlight.id), highlight]),
    onError: () => void queryClient.invalidateQueries({ queryKey }),
    onSuccess({ undo }, { highlight, change }) {
      if (undo !== null) remember(t`Highlight in “${titleOf(bookmark)}”`, undo, `${highlight.id} ${change}`)
    }
  })
  const remove = useMutation({
    scope: { id: `highlights ${bookmark.id}` },
    meta: { changes: ['bookmarks'] },
    mutationFn: ({ id }: ShownHighlight) =>
      ask(api.bookmarks[':id'].highlights[':highlight'].$delete({ param: { id: bookmark.id, highlight: id } })),
    onMutate: ({ id }) => show((all) => all.filter((other) => other.id !== id)),
    onError: () => void queryClient.invalidateQueries({ queryKey }),
    onSuccess: ({ undo }) => notifyWithUndo(t`Highlight deleted.`, undo)
  })
  async function show(change: (all: ShownHighlight[]) => ShownHighlight[]): Promise<void> {
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (all) => change(all ?? []))
  }
  return {
    save: (highlight: ShownHighlight, change: string) => undoAfter(save.mutateAsync({ highlight, change })),
    remove: (highlight: ShownHighlight) => undoAfter(remove.mutateAsync(highlight))
  }
}
