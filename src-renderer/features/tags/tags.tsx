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
import { filterTree, nodesIn, rowsOfTree, sortByName } from '../../lib/tag-tree.ts'
import { Page } from '../../shared/page.tsx'
import { IconArrowMerge, IconPencil, IconSearch, IconTrash } from '../../ui/icons/icons.ts'
import { notifyError } from '../../ui/notify.tsx'
import { Loading, Nothing } from '../../ui/placeholders.tsx'
import { type TagChanges, useTagChanges } from './tag-changes.tsx'
import { TagList } from './tag-list.tsx'
import { openTagDialog, TagMenu, type TagMenuPlace, useMoveTag } from './tag-menu.tsx'

type Tag = { name: string; bookmarks: number }

/** All tags as a tree: found, put in order, moved, renamed, merged, deleted. */
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

function TagManager({ tags }: { tags: Tag[] }) {
  const changes = useTagChanges()
  const [typed, setTyped] = useState('')
  const [order, setOrder] = useOrder()
  const [menu, setMenu] = useState<TagMenuPlace>()
  const branchesOpen = useOpenBranches(tags.length <= MAX_OPEN)
  const move = useMoveTag()
  const tree = useQuery(tagTreeOptions).data ?? []
  const text = foldName(typed.trim())
  const branches = text === '' ? tree : filterTree(tree, text)
  const isOpen = (name: string) => text !== '' || branchesOpen.has(name)
  const rows = rowsOfTree(order === 'name' ? sortByName(branches) : branches, isOpen)
  const shown = rows.filter(({ isTag }) => isTag)
  const selection = useChosenTags(shown)
  const names = tags.filter(({ name }) => selection.chosen.has(name)).map(({ name }) => name)
  useShortcut('search', () => document.getElementById('find-tag')?.focus())

  return (
    <>
      {/* In sight above the tags, which scroll with the page. */}
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
            <Button variant="default" onClick={branchesOpen.turnAll}>
              {branchesOpen.all ? t`Collapse all` : t`Expand all`}
            </Button>
          )}
        </Group>
        <Chosen
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
          onTurn={branchesOpen.turn}
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

interface ChosenProps {
  names: string[]
  shown: number
  selection: ReturnType<typeof useChosenTags>
  changes: TagChanges
}

/** How many are chosen, and what can be done with them. */
function Chosen({ names, shown, selection: { all, chooseAll, clear }, changes }: ChosenProps) {
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

/** In the address, as that of a list is. */
function useOrder(): [Order, (order: Order) => void] {
  const [path, go] = useLocation()
  const order = new URLSearchParams(useSearch()).get('order') === 'name' ? 'name' : 'used'
  return [order, (next) => go(next === 'name' ? `${path}?order=name` : path, { replace: true })]
}

/** Maximum number of tags with which all branches are open at first: some screens of them. */
const MAX_OPEN = 100

/** Which branches are open: all or none at first, and those that were turned since are otherwise. */
function useOpenBranches(allAtFirst: boolean) {
  const [all, setAll] = useState(allAtFirst)
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  return {
    all,
    has: (name: string) => turned.has(name) !== all,
    turn: (name: string) =>
      setTurned((now) => new Set(now.has(name) ? [...now].filter((one) => one !== name) : [...now, name])),
    turnAll() {
      setAll(!all)
      setTurned(new Set())
    }
  }
}

/** Which of the tags shown are chosen: by name, so that they stay chosen in whatever order and under whatever is typed. */
function useChosenTags(shown: { name: string }[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  const names = shown.map(({ name }) => name)

  /** Chooses or lets go of one, or with `through` of all from the one before to it. */
  function toggle(name: string, through: boolean): void {
    const index = names.indexOf(name)
    const before = through && last !== undefined ? names.indexOf(last) : -1
    const from = before < 0 ? index : Math.min(before, index)
    const range = names.slice(from, (before < 0 ? index : Math.max(before, index)) + 1)
    const turnedOn = !chosen.has(name)
    const next = new Set(chosen)
    for (const one of range) turnedOn ? next.add(one) : next.delete(one)
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
