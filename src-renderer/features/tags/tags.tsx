import { Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTags } from '../../shared/bookmark-data.ts'
import { Page } from '../../shared/page.tsx'
import { useShortcut } from '../../shared/shortcuts.ts'
import { common } from '../../strings/common.ts'
import { tags as strings } from '../../strings/tags.ts'
import { IconArrowMerge, IconSearch } from '../../ui/icons/icons.ts'
import { Loading } from '../../ui/loading.tsx'
import { Nothing } from '../../ui/nothing.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { TagList } from './tag-list.tsx'
import { useTagChanges } from './use-tag-changes.ts'

type Dialog = { kind: 'rename'; name: string } | { kind: 'merge'; names: string[]; into?: string }

/** All tags: found, renamed, merged, deleted. */
export function Tags() {
  const { data: tags, error, refetch } = useTags()
  const changes = useTagChanges()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<Dialog>()
  const found = tags?.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())) ?? []
  const names = tags?.filter(({ name }) => chosen.has(name)).map(({ name }) => name) ?? []
  useShortcut('/', () => document.getElementById('find-tag')?.focus())

  function toggle(name: string) {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  return (
    <Page title={strings.title}>
      {error && !tags && (
        <Nothing icon={null} title={strings.failed} action={{ label: common.retry, run: () => void refetch() }} />
      )}
      {!tags && !error && <Loading />}
      {tags?.length === 0 && <Nothing icon={null} title={strings.none} text={strings.noneText} />}
      {tags && tags.length > 0 && (
        <>
          <TextInput
            id="find-tag"
            type="search"
            aria-label={strings.find}
            placeholder={strings.find}
            leftSection={<IconSearch size={16} stroke={1.7} />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
            mb="xs"
          />
          <Group mih={40} gap="xs">
            {names.length > 0 && (
              <CloseButton size="sm" aria-label={strings.clearSelection} onClick={() => setChosen(new Set())} />
            )}
            <Text size="sm" c="dimmed" role="status">
              {names.length > 0 ? strings.selected(names.length) : strings.count(found.length)}
            </Text>
            {names.length > 0 && (
              <Button
                size="xs"
                variant="default"
                ml="auto"
                leftSection={<IconArrowMerge size={15} />}
                onClick={() => setDialog({ kind: 'merge', names })}
              >
                {strings.mergeInto}
              </Button>
            )}
          </Group>
          {found.length === 0 ? (
            <Nothing icon={null} title={strings.nothing} action={{ label: strings.clear, run: () => setTyped('') }} />
          ) : (
            <TagList
              tags={found}
              chosen={chosen}
              onToggle={toggle}
              onRename={(name) => setDialog({ kind: 'rename', name })}
              onMerge={(name) => setDialog({ kind: 'merge', names: [name] })}
              onDelete={(name) => changes.remove.mutate(name)}
            />
          )}
        </>
      )}
      {dialog?.kind === 'rename' && (
        <RenameDialog
          name={dialog.name}
          tags={tags ?? []}
          rename={changes.rename}
          onClose={() => setDialog(undefined)}
          onMerge={(into) => setDialog({ kind: 'merge', names: [dialog.name], into })}
        />
      )}
      {dialog?.kind === 'merge' && (
        <MergeDialog
          names={dialog.names}
          into={dialog.into ?? dialog.names[0] ?? ''}
          tags={tags ?? []}
          merge={changes.merge}
          onClose={() => setDialog(undefined)}
          onMerged={() => setChosen(new Set())}
        />
      )}
    </Page>
  )
}
