import { plural, t } from '@lingui/core/macro'
import { Autocomplete, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import type { TagReport } from '../../../src-main/contract/tag.ts'
import { api, ask } from '../../api/client.ts'
import { pinName, usePins } from '../../api/mutations.ts'
import { notifyWithUndo, offerUndo } from '../../api/undo.ts'
import { number } from '../../lib/locale.ts'

interface RenameDialogProps {
  name: string
  tags: { name: string }[]
  rename: TagChanges['rename']
  onClose(): void
  /** The new name is another tag's. */
  onMerge(into: string): void
}

/** Gives a tag another name. Where that is a tag already, merging is what is meant. */
export function RenameDialog({ name, tags, rename, onClose, onMerge }: RenameDialogProps) {
  const [newName, setNewName] = useState(name)
  const trimmed = newName.trim()
  const below = tags.filter((tag) => tag.name.toLowerCase().startsWith(`${name.toLowerCase()}/`)).length
  const isTag = tags.some((tag) => tag.name === name)
  // What is only the beginning of names has nothing to merge.
  const other = isTag
    ? tags.find((tag) => tag.name !== name && tag.name.toLowerCase() === trimmed.toLowerCase())
    : undefined

  function submit(event: React.FormEvent) {
    event.preventDefault()
    if (other) onMerge(other.name)
    else if (trimmed !== '' && trimmed !== name) rename.mutate({ name, newName: trimmed }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={t`Rename “${name}”`} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t`New name`}
            description={
              below > 0 &&
              !other &&
              plural(below, { one: 'The tag below it moves with it.', other: 'The # tags below it move with it.' })
            }
            value={newName}
            maxLength={LIMITS.tag}
            onChange={(event) => {
              rename.reset()
              setNewName(event.currentTarget.value)
            }}
            error={rename.error?.message}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button type="submit" disabled={trimmed === '' || trimmed === name} loading={rename.isPending}>
              {other ? t`Merge into “${other.name}” instead` : t`Rename`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface MergeDialogProps {
  names: string[]
  /** The name that is proposed for the merged tag. */
  into: string
  tags: { name: string }[]
  merge: TagChanges['merge']
  onClose(): void
  onMerged(): void
}

/** Makes one tag of several. */
export function MergeDialog({ names, into: proposed, tags, merge, onClose, onMerged }: MergeDialogProps) {
  const [into, setInto] = useState(names.length === 1 && names[0] === proposed ? '' : proposed)
  const target = into.trim()
  const from = names.filter((name) => name !== target)

  function submit(event: React.FormEvent) {
    event.preventDefault()
    if (target === '' || from.length === 0) return
    merge.mutate(
      { from, into: target },
      {
        onSuccess: () => {
          onMerged()
          onClose()
        }
      }
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={plural(names.length, { one: `Merge “${names[0]}” into another tag`, other: 'Merge # tags into one' })}
      size="sm"
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t`Bookmarks with any of these tags get the tag you choose here. The other tags are removed.`}
          </Text>
          <Autocomplete
            label={t`Into`}
            placeholder={t`A tag you have, or a new one`}
            // What is typed whole needs no suggestion, which would cover the buttons.
            data={tags.map(({ name }) => name).filter((name) => name !== into)}
            openOnFocus={false}
            limit={30}
            value={into}
            maxLength={LIMITS.tag}
            onChange={(value) => {
              merge.reset()
              setInto(value)
            }}
            error={merge.error?.message}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button type="submit" disabled={target === '' || from.length === 0} loading={merge.isPending}>
              {t`Merge`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

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

/** Deletes tags one after the other. If one fails, the notice still offers to undo those before it. */
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
