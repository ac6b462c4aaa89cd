import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { common } from '../../strings/common.ts'
import { tags as strings } from '../../strings/tags.ts'
import type { TagChanges } from './use-tag-changes.ts'

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
    <Modal opened onClose={onClose} title={strings.renameTitle(name)} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={strings.newName}
            description={below > 0 && !other && strings.movesToo(below)}
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
              {common.cancel}
            </Button>
            <Button type="submit" disabled={trimmed === '' || trimmed === name} loading={rename.isPending}>
              {other ? strings.mergeInstead(other.name) : strings.rename}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
