import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { TagReport } from '../../../src-main/contract/tag.ts'
import { api, ask } from '../../api/client.ts'
import { pinName, usePins } from '../../api/mutations.ts'
import { notifyWithUndo, offerUndo } from '../../api/undo.ts'
import { number } from '../../lib/locale.ts'

/** Changes to tags, each told with a way back. What goes wrong, the dialogs show. */
export function useTagChanges() {
  const pins = usePins()
  const rename = useMutation({
    mutationFn: ({ name, newName }: { name: string; newName: string }) =>
      ask(api.tags[':name'].$patch({ param: { name: encodeURIComponent(name) }, json: { name: newName } })),
    meta: { quiet: true, changes: ['bookmarks'] },
    onSuccess({ bookmarks, undo }, { name, newName }) {
      pins.rename([pinName.tag(name)], pinName.tag(newName))
      notifyWithUndo(
        t`Renamed to “${newName}” on ${plural(bookmarks, { one: '# bookmark', other: '# bookmarks' })}.`,
        undo
      )
    }
  })
  const merge = useMutation({
    mutationFn: (json: { from: string[]; into: string }) => ask(api.tags.merges.$post({ json })),
    meta: { quiet: true, changes: ['bookmarks'] },
    onSuccess({ bookmarks, undo }, { from, into }) {
      pins.rename(from.map(pinName.tag), pinName.tag(into))
      notifyWithUndo(
        t`Merged into “${into}” on ${plural(bookmarks, { one: '# bookmark', other: '# bookmarks' })}.`,
        undo
      )
    }
  })
  const remove = useMutation({
    mutationFn: deleteAll,
    meta: { changes: ['bookmarks'] }
  })
  return { rename, merge, remove }
}

export type TagChanges = ReturnType<typeof useTagChanges>

/** One after the other. Where one fails, those before it are gone, which is told and can be taken back all the same. */
async function deleteAll(names: string[]): Promise<void> {
  const gone: ({ name: string } & TagReport)[] = []
  try {
    for (const name of names) {
      gone.push({ name, ...(await ask(api.tags[':name'].$delete({ param: { name: encodeURIComponent(name) } }))) })
    }
  } finally {
    const [first] = gone
    const parts = gone.toReversed().map(({ undo: step }) => ({ step }))
    if (first && gone.length === 1)
      offerUndo(
        t`“${first.name}” removed from ${plural(first.bookmarks, { one: '# bookmark', other: '# bookmarks' })}.`,
        parts
      )
    else if (first) offerUndo(t`${number(gone.length)} tags removed from their bookmarks.`, parts)
  }
}
