import { plural, t } from '@lingui/core/macro'
import { Autocomplete, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import type { TagReport } from '../../../src-main/contract/tag.ts'
import { api, ask } from '../../api/client.ts'
import { pinName, usePins } from '../../api/mutations.ts'
import { notifyWithUndo, offerUndo } from '../../api/undo.ts'
import { type DialogState, FormModal } from '../../ui/form-modal.tsx'

interface RenameDialogProps extends DialogState {
  name: string
  tags: { name: string }[]
  rename: TagChanges['rename']
  /** Called if the new name is that of another tag. */
  onMerge(into: string): void
}

/** Renames a tag. If another tag has the new name, it offers to merge them. */
export function RenameDialog({ name, tags, rename, onMerge, ...state }: RenameDialogProps) {
  const below = tags.filter((tag) => tag.name.toLowerCase().startsWith(`${name.toLowerCase()}/`)).length
  const isTag = tags.some((tag) => tag.name === name)
  // A parent that is not a tag itself cannot be merged.
  const otherTag = (newName: string) =>
    isTag
      ? tags.find((tag) => tag.name !== name && tag.name.toLowerCase() === newName.trim().toLowerCase())?.name
      : undefined
  return (
    <FormModal
      {...state}
      title={t`Rename “${name}”`}
      size="sm"
      initialValues={{ newName: name }}
      action={({ newName }) => {
        const other = otherTag(newName)
        return other === undefined ? t`Rename` : t`Merge into “${other}” instead`
      }}
      canSubmit={({ newName }) => newName.trim() !== '' && newName.trim() !== name}
      faultAt="newName"
      onSubmit={({ newName }) => {
        const other = otherTag(newName)
        if (other === undefined) return rename.mutateAsync({ name, newName: newName.trim() })
        onMerge(other)
      }}
    >
      {(form) => (
        <TextInput
          label={t`New name`}
          description={
            below > 0 &&
            otherTag(form.values.newName) === undefined &&
            plural(below, { one: 'The tag below it moves with it.', other: 'The # tags below it move with it.' })
          }
          maxLength={LIMITS.tag}
          data-autofocus
          {...form.getInputProps('newName')}
        />
      )}
    </FormModal>
  )
}

interface MergeDialogProps extends DialogState {
  names: string[]
  /** The initial name of the merged tag. */
  into?: string | undefined
  tags: { name: string }[]
  merge: TagChanges['merge']
  onMerged(): void
}

/** Merges tags into one. */
export function MergeDialog({ names, into = names[0] ?? '', tags, merge, onMerged, ...state }: MergeDialogProps) {
  const fromTags = (target: string) => names.filter((name) => name !== target.trim())
  return (
    <FormModal
      {...state}
      title={plural(names.length, { one: `Merge “${names[0]}” into another tag`, other: 'Merge # tags into one' })}
      size="sm"
      initialValues={{ into: names.length === 1 && names[0] === into ? '' : into }}
      action={t`Merge`}
      canSubmit={({ into }) => into.trim() !== '' && fromTags(into).length > 0}
      faultAt="into"
      onSubmit={async ({ into }) => {
        await merge.mutateAsync({ from: fromTags(into), into: into.trim() })
        onMerged()
      }}
    >
      {(form) => (
        <>
          <Text size="sm" c="dimmed">
            {t`Bookmarks with any of these tags get the tag you choose here. The other tags are removed.`}
          </Text>
          <Autocomplete
            label={t`Into`}
            placeholder={t`A tag you have, or a new one`}
            // Without the typed name itself: a single suggestion would cover the buttons.
            data={tags.map(({ name }) => name).filter((name) => name !== form.values.into)}
            openOnFocus={false}
            limit={30}
            maxLength={LIMITS.tag}
            data-autofocus
            {...form.getInputProps('into')}
          />
        </>
      )}
    </FormModal>
  )
}

/** Changes of tags, each with a notice that can undo it. The dialogs show errors. */
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

/** Deletes tags one after another. If one fails, the notice still offers to undo those before it. */
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
    else if (first)
      offerUndo(
        plural(gone.length, {
          one: '# tag removed from its bookmarks.',
          other: '# tags removed from their bookmarks.'
        }),
        parts
      )
  }
}
