import { plural, t } from '@lingui/core/macro'
import { Autocomplete, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { tagsOptions, tagTreeOptions } from '../../api/queries.ts'
import { foldName } from '../../lib/match-names.ts'
import { isWithin, movedName, nodesIn, type TagNode } from '../../lib/tag-tree.ts'
import { showDialog } from '../../shared/dialogs.ts'
import { type DialogState, FormModal } from '../../ui/form-modal.tsx'
import { IconArrowMerge, IconFolderSymlink, IconPencil, IconTrash } from '../../ui/icons/icons.ts'
import { MergeDialog, RenameDialog, useTagChanges } from './tag-changes.tsx'

/** A change of tags that needs a dialog. */
type TagChange =
  | { kind: 'rename'; name: string }
  | { kind: 'move'; name: string }
  | { kind: 'merge'; names: string[]; into?: string }

/** The tag of a menu, and the position of the menu. */
export interface TagMenuPlace {
  node: TagNode
  box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>
  /** The element to which the focus returns. */
  from: HTMLElement
}

/** Returns the tags of a branch: the node, if it is a tag, and all tags below it. */
function tagsOfBranch(node: TagNode): string[] {
  return nodesIn([node]).flatMap(({ name, isTag }) => (isTag ? name : []))
}

/** The menu of a tag: rename, move, merge or delete it with all tags below it. */
export function TagMenu({ place: { node, box, from }, onClose }: { place: TagMenuPlace; onClose(): void }) {
  const { left, top, width, height } = box
  const changes = useTagChanges()
  const names = tagsOfBranch(node)
  const { name, below } = node
  function close() {
    onClose()
    from.focus()
  }
  const item = (label: string, Icon: typeof IconPencil, act: () => void) => (
    <Menu.Item
      leftSection={<Icon size={16} />}
      onClick={() => {
        close()
        act()
      }}
    >
      {label}
    </Menu.Item>
  )
  return (
    <Menu opened onClose={close} closeOnItemClick={false} position="bottom-end" shadow="md" returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t`More about ${name}`}>
        {item(t`Rename`, IconPencil, () => openTagDialog({ kind: 'rename', name }))}
        {item(t`Move …`, IconFolderSymlink, () => openTagDialog({ kind: 'move', name }))}
        {item(t`Merge into …`, IconArrowMerge, () => openTagDialog({ kind: 'merge', names, into: '' }))}
        {item(
          below.length > 0 ? plural(names.length, { one: 'Delete # tag', other: 'Delete all # tags' }) : t`Delete`,
          IconTrash,
          () => changes.remove.mutate(names)
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Opens the dialog for a change of tags. */
export function openTagDialog(change: TagChange, onMerged = () => {}): void {
  showDialog((state) => <TagDialog {...state} change={change} onMerged={onMerged} />)
}

interface TagDialogProps extends DialogState {
  change: TagChange
  onMerged(): void
}

function TagDialog({ change, onMerged, ...state }: TagDialogProps) {
  const { rename, merge } = useTagChanges()
  const tags = useQuery(tagsOptions).data ?? []
  if (change.kind === 'move') return <MoveDialog {...state} name={change.name} />
  if (change.kind === 'rename') {
    const { name } = change
    const onMerge = (into: string) => openTagDialog({ kind: 'merge', names: [name], into })
    return <RenameDialog {...state} name={name} tags={tags} rename={rename} onMerge={onMerge} />
  }
  return (
    <MergeDialog {...state} names={change.names} into={change.into} tags={tags} merge={merge} onMerged={onMerged} />
  )
}

/**
 * Returns a function that moves a tag, with the tags below it, below another tag or to the top level. If a tag has the new
 * name already, it offers to merge them.
 */
export function useMoveTag() {
  const { rename } = useTagChanges()
  const tags = useQuery(tagsOptions).data ?? []
  return async (name: string, under: string): Promise<void> => {
    const newName = movedName(name, under)
    const other = tags.find((tag) => foldName(tag.name) === foldName(newName))
    const isTag = tags.some((tag) => tag.name === name)
    if (newName === name || isWithin(name, under)) return
    if (other && isTag) openTagDialog({ kind: 'merge', names: [name], into: other.name })
    else await rename.mutateAsync({ name, newName })
  }
}

function MoveDialog({ name, ...state }: DialogState & { name: string }) {
  const nodes = nodesIn(useQuery(tagTreeOptions).data ?? [])
  const move = useMoveTag()
  const targetOf = (under: string) => under.trim().replace(/\/+$/, '')
  return (
    <FormModal
      {...state}
      title={t`Move “${name}”`}
      size="sm"
      initialValues={{ under: '' }}
      action={t`Move`}
      canSubmit={({ under }) => movedName(name, targetOf(under)) !== name && !isWithin(name, targetOf(under))}
      faultAt="under"
      onSubmit={({ under }) => move(name, targetOf(under))}
    >
      {(form) => (
        <Autocomplete
          label={t`Below`}
          description={t`Leave it empty for the top level.`}
          placeholder={t`A tag you have, or a new one`}
          data={[...new Set(nodes.map((node) => node.name))].filter(
            (other) => !isWithin(name, other) && other !== form.values.under
          )}
          openOnFocus={false}
          limit={30}
          maxLength={LIMITS.tag}
          data-autofocus
          {...form.getInputProps('under')}
          error={
            isWithin(name, targetOf(form.values.under))
              ? t`A tag cannot be below itself.`
              : form.getInputProps('under').error
          }
        />
      )}
    </FormModal>
  )
}
