import { msg, plural, t } from '@lingui/core/macro'
import { Box, Button, Checkbox, CloseButton, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { tagsOptions, tagTreeOptions } from '../../api/queries.ts'
import { useShortcut } from '../../lib/keyboard.ts'
import { optionsOf } from '../../lib/labels.ts'
import { number } from '../../lib/locale.ts'
import { foldName } from '../../lib/match-names.ts'
import { filterTree, nodesIn, rowsOfTree, sortByName, type TagCount } from '../../lib/tag-tree.ts'
import { Page } from '../../shared/page.tsx'
import { IconArrowMerge, IconPencil, IconSearch, IconTrash } from '../../ui/icons/icons.ts'
import { notifyError } from '../../ui/notify.tsx'
import { Loading, Nothing } from '../../ui/placeholders.tsx'
import { type TagChanges, useTagChanges } from './tag-changes.tsx'
import { TagList } from './tag-list.tsx'
import { openTagDialog, TagMenu, type TagMenuPlace, useMoveTag } from './tag-menu.tsx'

/** All tags as a tree. They can be searched, sorted, moved, renamed, merged and deleted. */
export function Tags() {
  const { data: tags, error, refetch } = useQuery(tagsOptions)
  return (
    <Page title={t`Tags`}>
      {error && !tags && (
        <Nothing
          icon={null}
          title={t`The tags could not be loaded.`}
          action={{ label: t`Try again`, run: () => void refetch() }}
        />
      )}
      {!tags && !error && <Loading />}
      {tags?.length === 0 && (
        <Nothing icon={null} title={t`No tags yet`} text={t`Tags you give to bookmarks appear here.`} />
      )}
      {tags && tags.length > 0 && <TagManager tags={tags} />}
    </Page>
  )
}

function TagManager({ tags }: { tags: TagCount[] }) {
  const changes = useTagChanges()
  const [typed, setTyped] = useState('')
  const [order, setOrder] = useOrder()
  const [menu, setMenu] = useState<TagMenuPlace>()
  const openBranches = useOpenBranches(tags.length <= MAX_OPEN)
  const move = useMoveTag()
  const tree = useQuery(tagTreeOptions).data ?? []
  const text = foldName(typed.trim())
  const branches = text === '' ? tree : filterTree(tree, text)
  const isOpen = (name: string) => text !== '' || openBranches.has(name)
  const rows = rowsOfTree(order === 'name' ? sortByName(branches) : branches, isOpen)
  const shown = rows.filter(({ isTag }) => isTag)
  const selection = useChosenTags(shown)
  const names = tags.filter(({ name }) => selection.chosen.has(name)).map(({ name }) => name)
  useShortcut('search', () => document.getElementById('find-tag')?.focus())

  return (
    <>
      {/* Stays visible above the tags, which scroll with the page. */}
      <Box
        pos="sticky"
        top="var(--app-shell-header-height, 0)"
        pt="0.25rem"
        bg="var(--mantine-color-body)"
        style={{ zIndex: 1 }}
      >
        <Group gap="sm">
          <TextInput
            id="find-tag"
            type="search"
            aria-label={t`Find a tag`}
            placeholder={t`Find a tag`}
            leftSection={<IconSearch size={16} stroke={1.7} />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
            flex="1 1 14rem"
          />
          <NativeSelect
            aria-label={t`Order`}
            w={168}
            value={order}
            data={optionsOf(ORDERS)}
            onChange={({ currentTarget }) => setOrder(currentTarget.value === 'name' ? 'name' : 'used')}
          />
          {text === '' && tree.some(({ below }) => below.length > 0) && (
            <Button variant="default" onClick={openBranches.toggleAll}>
              {openBranches.all ? t`Collapse all` : t`Expand all`}
            </Button>
          )}
        </Group>
        <SelectionBar
          names={names}
          shown={text === '' ? tags.length : nodesIn(branches).filter(({ isTag }) => isTag).length}
          selection={selection}
          changes={changes}
        />
      </Box>
      {rows.length === 0 ? (
        <Nothing icon={null} title={t`No tag matches`} action={{ label: t`Show all tags`, run: () => setTyped('') }} />
      ) : (
        <TagList
          tags={rows}
          isOpen={isOpen}
          onExpand={openBranches.toggle}
          chosen={selection.chosen}
          onToggle={selection.toggle}
          onMenu={setMenu}
          onRename={(name) => openTagDialog({ kind: 'rename', name })}
          onDelete={(name) => changes.remove.mutate([name])}
          onMove={(name, under) => void move(name, under).catch(notifyError)}
        />
      )}
      {menu && <TagMenu place={menu} onClose={() => setMenu(undefined)} />}
    </>
  )
}

interface SelectionBarProps {
  names: string[]
  shown: number
  selection: ReturnType<typeof useChosenTags>
  changes: TagChanges
}

/** The number of selected tags, and actions for them. */
function SelectionBar({ names, shown, selection: { all, chooseAll, clear }, changes }: SelectionBarProps) {
  const [first] = names
  return (
    <Group mih={44} gap="xs" mt={6} py={6} ps="0.6rem">
      <Checkbox
        size="xs"
        aria-label={t`Select all tags shown`}
        checked={all}
        indeterminate={!all && first !== undefined}
        onChange={all ? clear : chooseAll}
      />
      <Text size="sm" c="dimmed" role="status" ps="xs">
        {first === undefined ? plural(shown, { one: '# tag', other: '# tags' }) : t`${number(names.length)} selected`}
      </Text>
      {first !== undefined && (
        <>
          <CloseButton size="sm" aria-label={t`Clear selection`} onClick={clear} />
          <Group gap="xs" ms="auto">
            {names.length === 1 && (
              <Action icon={IconPencil} onClick={() => openTagDialog({ kind: 'rename', name: first })}>
                {t`Rename`}
              </Action>
            )}
            <Action icon={IconArrowMerge} onClick={() => openTagDialog({ kind: 'merge', names }, clear)}>
              {t`Merge into …`}
            </Action>
            <Action
              icon={IconTrash}
              loading={changes.remove.isPending}
              onClick={() => changes.remove.mutate(names, { onSuccess: clear })}
            >
              {t`Delete`}
            </Action>
          </Group>
        </>
      )}
    </Group>
  )
}

interface ActionProps {
  icon: typeof IconTrash
  loading?: boolean
  onClick(): void
  children: string
}

function Action({ icon: Icon, loading = false, onClick, children }: ActionProps) {
  return (
    <Button size="xs" variant="default" leftSection={<Icon size={15} />} loading={loading} onClick={onClick}>
      {children}
    </Button>
  )
}

const ORDERS = { used: msg`Most used first`, name: msg`By name` }

type Order = keyof typeof ORDERS

/** The order of the tags, which is in the address. */
function useOrder(): [Order, (order: Order) => void] {
  const [path, go] = useLocation()
  const order = new URLSearchParams(useSearch()).get('order') === 'name' ? 'name' : 'used'
  return [order, (next) => go(next === 'name' ? `${path}?order=name` : path, { replace: true })]
}

/** Maximum number of tags with which all branches are open at first. */
const MAX_OPEN = 100

/** The open branches: at first all or none, except those that were toggled since. */
function useOpenBranches(allAtFirst: boolean) {
  const [all, setAll] = useState(allAtFirst)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  return {
    all,
    has: (name: string) => toggled.has(name) !== all,
    toggle: (name: string) =>
      setToggled((names) => new Set(names.has(name) ? [...names].filter((other) => other !== name) : [...names, name])),
    toggleAll() {
      setAll(!all)
      setToggled(new Set())
    }
  }
}

/** The selected tags, by name, so that they stay selected when the order or the typed text changes. */
function useChosenTags(shown: { name: string }[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  const names = shown.map(({ name }) => name)

  /** Selects or deselects a tag; with `isRange`, all tags from the last toggled one to it. */
  function toggle(name: string, isRange: boolean): void {
    const index = names.indexOf(name)
    const before = isRange && last !== undefined ? names.indexOf(last) : -1
    const from = before < 0 ? index : Math.min(before, index)
    const range = names.slice(from, (before < 0 ? index : Math.max(before, index)) + 1)
    const isSelecting = !chosen.has(name)
    const next = new Set(chosen)
    for (const tag of range) isSelecting ? next.add(tag) : next.delete(tag)
    setChosen(next)
    setLast(name)
  }

  return {
    chosen,
    toggle,
    all: names.length > 0 && names.every((name) => chosen.has(name)),
    chooseAll: () => setChosen(new Set([...chosen, ...names])),
    clear: () => setChosen(new Set())
  }
}
