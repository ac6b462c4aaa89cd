import { plural, t } from '@lingui/core/macro'
import { Autocomplete, Button, Group, Menu, Modal, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { tagsOptions, tagTreeOptions } from '../../api/queries.ts'
import { foldName } from '../../lib/match-names.ts'
import { isWithin, movedName, nodesIn, type TagNode } from '../../lib/tag-tree.ts'
import { IconArrowMerge, IconFolderSymlink, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { MergeDialog, RenameDialog, type TagChanges, useTagChanges } from './tag-changes.tsx'

/** What a dialog does to tags. */
export type TagDialogState =
  | { kind: 'rename'; name: string }
  | { kind: 'move'; name: string }
  | { kind: 'merge'; names: string[]; into?: string }

/** The tag a menu is for, and where the menu opens. */
export interface TagMenuPlace {
  node: TagNode
  box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>
  /** Gets the focus back. */
  from: HTMLElement
}

/** The tags of a branch: what it is named after, if that is a tag, and all below it. */
function tagsOfBranch(node: TagNode): string[] {
  return nodesIn([node]).flatMap(({ name, isTag }) => (isTag ? name : []))
}

/** What can be done to a tag and all tags below it. */
export function TagMenu({ place: { node, box, from }, onClose }: { place: TagMenuPlace; onClose(): void }) {
  const changes = useTagChanges()
  const [dialog, setDialog] = useState<TagDialogState>()
  const names = tagsOfBranch(node)
  const { name, below } = node
  const close = () => {
    setDialog(undefined)
    onClose()
    from.focus()
  }
  const item = (label: string, Icon: typeof IconPencil, act: () => void) => (
    <Menu.Item leftSection={<Icon size={16} />} onClick={act}>
      {label}
    </Menu.Item>
  )
  return (
    <>
      <Menu
        opened={dialog === undefined}
        onClose={close}
        closeOnItemClick={false}
        position="bottom-end"
        shadow="md"
        returnFocus={false}
      >
        <Menu.Target>
          <span aria-hidden style={{ position: 'fixed', ...box, pointerEvents: 'none' }} />
        </Menu.Target>
        <Menu.Dropdown aria-label={t`More about ${name}`}>
          {item(t`Rename`, IconPencil, () => setDialog({ kind: 'rename', name }))}
          {item(t`Move …`, IconFolderSymlink, () => setDialog({ kind: 'move', name }))}
          {item(t`Merge into …`, IconArrowMerge, () => setDialog({ kind: 'merge', names, into: '' }))}
          {item(
            below.length > 0 ? plural(names.length, { one: 'Delete # tag', other: 'Delete all # tags' }) : t`Delete`,
            IconTrash,
            () => {
              changes.remove.mutate(names)
              close()
            }
          )}
        </Menu.Dropdown>
      </Menu>
      <TagDialog
        dialog={dialog}
        changes={changes}
        onOpen={(next) => (next ? setDialog(next) : close())}
        onMerged={() => {}}
      />
    </>
  )
}

interface TagDialogProps {
  dialog: TagDialogState | undefined
  changes: TagChanges
  onOpen(dialog: TagDialogState | undefined): void
  onMerged(): void
}

export function TagDialog({ dialog, changes, onOpen, onMerged }: TagDialogProps) {
  const tags = useQuery(tagsOptions).data ?? []
  const onClose = () => onOpen(undefined)
  if (dialog?.kind === 'rename') {
    const { name } = dialog
    const onMerge = (into: string) => onOpen({ kind: 'merge', names: [name], into })
    return <RenameDialog name={name} tags={tags} rename={changes.rename} onClose={onClose} onMerge={onMerge} />
  }
  if (dialog?.kind === 'move') return <MoveDialog name={dialog.name} changes={changes} onOpen={onOpen} />
  if (dialog?.kind !== 'merge') return null
  const { names, into = names[0] ?? '' } = dialog
  return (
    <MergeDialog names={names} into={into} tags={tags} merge={changes.merge} onClose={onClose} onMerged={onMerged} />
  )
}

/**
 * Moves a tag, with the tags below it, below another or to the top. If there is a tag of the new name already, merging is
 * offered.
 */
export function useMoveTag(changes: TagChanges, onOpen: (dialog: TagDialogState) => void) {
  const tags = useQuery(tagsOptions).data ?? []
  return (name: string, under: string, onDone = () => {}) => {
    const newName = movedName(name, under)
    const other = tags.find((tag) => foldName(tag.name) === foldName(newName))
    const isTag = tags.some((tag) => tag.name === name)
    if (newName === name || isWithin(name, under)) return onDone()
    if (other && isTag) onOpen({ kind: 'merge', names: [name], into: other.name })
    else changes.rename.mutate({ name, newName }, { onSuccess: onDone })
  }
}

function MoveDialog({ name, changes, onOpen }: { name: string; changes: TagChanges } & Pick<TagDialogProps, 'onOpen'>) {
  const [under, setUnder] = useState('')
  const nodes = nodesIn(useQuery(tagTreeOptions).data ?? [])
  const move = useMoveTag(changes, onOpen)
  const target = under.trim().replace(/\/+$/, '')
  function submit(event: React.FormEvent) {
    event.preventDefault()
    move(name, target, () => onOpen(undefined))
  }
  return (
    <Modal opened onClose={() => onOpen(undefined)} title={t`Move “${name}”`} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <Autocomplete
            label={t`Below`}
            description={t`Leave it empty for the top level.`}
            placeholder={t`A tag you have, or a new one`}
            data={[...new Set(nodes.map((node) => node.name))].filter((one) => !isWithin(name, one) && one !== under)}
            openOnFocus={false}
            limit={30}
            value={under}
            maxLength={LIMITS.tag}
            onChange={(value) => {
              changes.rename.reset()
              setUnder(value)
            }}
            error={isWithin(name, target) ? t`A tag cannot be below itself.` : changes.rename.error?.message}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onOpen(undefined)}>
              {t`Cancel`}
            </Button>
            <Button
              type="submit"
              disabled={movedName(name, target) === name || isWithin(name, target)}
              loading={changes.rename.isPending}
            >
              {t`Move`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
