import { useMutation } from '@tanstack/react-query'
import type { Visibility } from '../../../src-main/contract/bookmark.ts'
import { api } from '../../shared/api.ts'
import { confirm } from '../../shared/confirm.tsx'
import { ask } from '../../shared/request.ts'
import { refreshBookmarks, toldWithUndo } from '../../shared/undo.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { linkChecks as links } from '../../strings/links.ts'

type Change = Parameters<typeof api.bookmarks.changes.$post>[0]['json']['change']

const DONE: Record<Change['kind'], (count: number) => string> = {
  'add-tags': strings.tagged,
  'remove-tags': strings.untagged,
  move: strings.moved,
  delete: strings.deleted,
  restore: strings.restored,
  purge: strings.purged,
  follow: links.followed
}

/** After these a bookmark is in another list, if in any. */
const GOES: Change['kind'][] = ['delete', 'restore', 'purge']

/**
 * Changes to many bookmarks at once, each told with a way back where there is one.
 *
 * @param onChanged called with those that were to be changed, once the lists show that they went elsewhere
 */
export function useChanges(onChanged: (ids: string[]) => void) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ ids, change }: { ids: string[]; change: Change }) =>
      ask(api.bookmarks.changes.$post({ json: { ids, change } })),
    onSuccess: async ({ changed, unchanged, kept, undo }, { ids, change }) => {
      const samePage = kept.filter(({ reason }) => reason.startsWith('same-page')).length
      const alreadyThere = change.kind === 'follow' ? links.taken : strings.samePage(samePage)
      const rest = samePage > 0 ? ` ${alreadyThere}` : unchanged > 0 ? ` ${strings.leftAlone(unchanged)}` : ''
      toldWithUndo(DONE[change.kind](changed) + rest, undo)
      await refreshBookmarks()
      if (GOES.includes(change.kind)) onChanged(ids)
    }
  })
  // What went wrong was told already.
  const change = (ids: string[], what: Change) =>
    mutateAsync({ ids, change: what }).then(
      () => true,
      () => false
    )

  return {
    isPending,
    addTags: (ids: string[], tags: string[]) => change(ids, { kind: 'add-tags', tags }),
    removeTags: (ids: string[], tags: string[]) => change(ids, { kind: 'remove-tags', tags }),
    move: (ids: string[], visibility: Visibility, organization?: string) =>
      change(ids, { kind: 'move', visibility, organization }),
    /** Gives those whose page moved its new address. */
    follow: (ids: string[]) => change(ids, { kind: 'follow' }),
    remove: (ids: string[]) => change(ids, { kind: 'delete' }),
    restore: (ids: string[]) => change(ids, { kind: 'restore' }),
    purge: async (ids: string[]) => {
      const sure = await confirm({
        title: strings.purgeTitle,
        text: strings.purgeText(ids.length),
        action: strings.deleteForEver,
        danger: true
      })
      return sure && change(ids, { kind: 'purge' })
    }
  }
}

export type Changes = ReturnType<typeof useChanges>
