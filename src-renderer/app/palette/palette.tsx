import { t } from '@lingui/core/macro'
import { Box, Group, Kbd, Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useChangeSettings, useCheckLinks, useCopyReport } from '../../api/mutations.ts'
import {
  openedOptions,
  organizationsOptions,
  paletteOptions,
  pastOptions,
  searchesOptions,
  tagsOptions
} from '../../api/queries.ts'
import { redoLatest, undoLatest } from '../../api/undo.ts'
import { ruleOf } from '../../features/bookmarks/rules/rule-query.ts'
import { viewOf } from '../../features/bookmarks/search/view.ts'
import { useBackUp } from '../../features/settings/backup-section.tsx'
import { keyName } from '../../lib/keyboard.ts'
import { useStore } from '../../lib/store.ts'
import { startAdding, startImporting, startRule } from '../../shared/dialogs.ts'
import { listCommands } from '../../shared/list-offers.ts'
import {
  IconAdjustmentsHorizontal,
  IconBookmark,
  IconBuilding,
  IconListCheck,
  IconListSearch,
  IconSearch,
  IconTag
} from '../../ui/icons/icons.ts'
import { useLogOut } from '../session.tsx'
import classes from './palette.module.css'
import { commandsFor, type PaletteGroup, type PaletteRow, paletteGroups } from './palette-rows.ts'

/** How long after a key the service is asked, in milliseconds. */
const PAUSE_MS = 30

/** Rows a press of Page Up or Page Down goes by. */
const PAGE = 8

const ICONS = {
  bookmark: IconBookmark,
  saved: IconListSearch,
  tag: IconTag,
  organization: IconBuilding,
  search: IconSearch
}

interface PaletteProps {
  onClose(): void
  onOpen(id: string): void
  onShortcuts(): void
}

/**
 * Bookmarks, saved searches, tags, organizations and commands found by what is typed, and all of it by keyboard: a combobox with its
 * listbox (WAI-ARIA Authoring Practices, "Combobox"). The first row is chosen until another is.
 */
export function Palette({ onClose, onOpen, onShortcuts }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const groups = useGroups(query, { onOpen, onShortcuts })
  const rows = groups.flatMap((group) => group.rows)
  const at = Math.min(chosen, rows.length - 1)

  function run(row: PaletteRow | undefined) {
    if (!row) return
    onClose()
    row.run()
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const to = moved(event.key, at, rows.length)
    if (event.key === 'Enter') run(rows[at])
    else if (to === undefined) return
    else setChosen(to)
    event.preventDefault()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      // A box that stays where it is, however much is found.
      centered={false}
      yOffset="12vh"
      size={620}
      padding={0}
      returnFocus={false}
      attributes={{ content: { 'aria-label': t`Find a bookmark or a command` } }}
    >
      <Group
        component="label"
        gap="0.75rem"
        px="md"
        wrap="nowrap"
        c="dimmed"
        style={{ borderBottom: '1px solid var(--earmark-line)' }}
      >
        <IconSearch size={19} stroke={1.6} aria-hidden />
        <input
          className={classes.input}
          role="combobox"
          aria-label={t`Find a bookmark or a command`}
          aria-expanded
          aria-controls={list}
          aria-activedescendant={rows[at] && `${list}-${at}`}
          aria-autocomplete="list"
          placeholder={t`Find a bookmark or a command …`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
      </Group>
      <Rows id={list} groups={groups} at={at} onRun={run} onChoose={setChosen} />
    </Modal>
  )
}

/** Where a key leads from a row, around both ends; `undefined` where the key means something else. */
function moved(key: string, at: number, count: number): number | undefined {
  const last = count - 1
  switch (key) {
    case 'ArrowDown':
      return at === last ? 0 : at + 1
    case 'ArrowUp':
      return at <= 0 ? last : at - 1
    case 'PageDown':
      return Math.min(last, at + PAGE)
    case 'PageUp':
      return Math.max(0, at - PAGE)
    default:
      return undefined
  }
}

interface RowsProps {
  id: string
  groups: PaletteGroup[]
  at: number
  onRun(row: PaletteRow): void
  onChoose(index: number): void
}

function Rows({ id, groups, at, onRun, onChoose }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const order = new Map(groups.flatMap((group) => group.rows).map((row, index) => [row, index]))
  useEffect(() => {
    const row = box.current?.querySelector(`[id="${id}-${at}"]`)
    if (at === 0) box.current?.scrollTo({ top: 0 })
    else row?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    <Box
      ref={box}
      id={id}
      // As high with little as with much, so that nothing moves while one types.
      h="min(420px, 60vh)"
      px="0.5rem"
      pt="0.25rem"
      pb="0.5rem"
      style={{ overflowY: 'auto' }}
      role="listbox"
      aria-label={t`Results`}
    >
      {groups.map(({ label, rows }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox, not of fields
        <div key={label} role="group" aria-label={label}>
          <Box px="0.5rem" pt="0.6rem" pb="0.25rem" c="dimmed" fz="xs" fw={500} aria-hidden>
            {label}
          </Box>
          {rows.map((row) => {
            const index = order.get(row) ?? 0
            return (
              <Row
                key={row.key}
                id={`${id}-${index}`}
                row={row}
                chosen={index === at}
                onRun={() => onRun(row)}
                onChoose={() => onChoose(index)}
              />
            )
          })}
        </div>
      ))}
    </Box>
  )
}

interface RowProps {
  id: string
  row: PaletteRow
  chosen: boolean
  onRun(): void
  onChoose(): void
}

function Row({ id, row: { label, beside, keys = [], icon: Icon }, chosen, onRun, onChoose }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen row
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does it
    <div
      id={id}
      className={classes.row}
      role="option"
      aria-selected={chosen}
      onClick={onRun}
      // Not on entering: rows that move under a pointer at rest choose nothing.
      onPointerMove={chosen ? undefined : onChoose}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
    >
      {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
      <span className={classes.text}>{label}</span>
      {beside && <span className={classes.beside}>{beside}</span>}
      {keys.map((key) => (
        <Kbd key={key} size="xs" aria-hidden>
          {keyName(key)}
        </Kbd>
      ))}
    </div>
  )
}

function useGroups(query: string, { onOpen, onShortcuts }: Pick<PaletteProps, 'onOpen' | 'onShortcuts'>) {
  const [path, go] = useLocation()
  const view = viewOf(path, useSearch())
  const rule = view && ruleOf(view)
  const check = useCheckLinks()
  const settings = useChangeSettings()
  const backUp = useBackUp()
  const copying = useCopyReport()
  const logOut = useLogOut()
  const found = useFound(query)
  const [opening] = useState(Date.now)
  const past = useQuery(pastOptions(opening)).data ?? []
  const opened = useQuery(openedOptions).data?.bookmarks ?? []
  const searches = useQuery(searchesOptions).data ?? []
  const tags = useQuery(tagsOptions).data ?? []
  const organizations = useQuery(organizationsOptions).data ?? []
  const commands = commandsFor({
    go,
    add: () => startAdding(),
    import: () => startImporting(),
    rule: { ofSearch: rule !== undefined, make: () => startRule(rule ?? { query: '' }) },
    checkLinks: () => check.mutate({}),
    undo: () => void undoLatest(),
    redo: () => void redoLatest(),
    shortcuts: onShortcuts,
    copyReport: () => copying.mutate(),
    backUp: () => backUp.mutate(),
    logOut,
    theme: (theme) => settings.mutate({ theme })
  })
  const offered = useStore(listCommands)
  const selection = offered.selection.map((command) => ({ ...command, icon: IconListCheck }))
  const list = offered.list.map((command) => ({ ...command, icon: IconAdjustmentsHorizontal }))
  return paletteGroups({
    query,
    found,
    opened,
    past,
    searches,
    tags,
    organizations,
    commands,
    selection,
    list,
    icons: ICONS,
    go,
    open: onOpen
  })
}

/** Bookmarks that match; none before something was typed. */
function useFound(query: string) {
  const [words] = useDebouncedValue(query.trim(), PAUSE_MS)
  const { data } = useQuery(paletteOptions(words))
  return words === '' || query.trim() === '' ? [] : (data?.bookmarks ?? [])
}
