import { t } from '@lingui/core/macro'
import { Box, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import {
  openedOptions,
  organizationsOptions,
  paletteOptions,
  pastOptions,
  searchesOptions,
  tagsOptions
} from '../../api/queries.ts'
import { IconSearch } from '../../ui/icons/icons.ts'
import { Keys } from '../../ui/keys.tsx'
import classes from './palette.module.css'
import { type PaletteGroup, type PaletteRow, paletteGroups } from './palette-rows.ts'
import { useCommands } from './use-commands.ts'

/** Pause in typing before bookmarks are fetched, in ms. */
const PAUSE_MS = 30

/** Rows that Page Up and Page Down move by. */
const PAGE_ROWS = 8

interface PaletteProps {
  onClose(): void
  onOpen(id: string): void
}

/**
 * Finds bookmarks, saved searches, tags, organizations and commands by keyboard: a combobox with a listbox (WAI-ARIA
 * Authoring Practices, "Combobox"). The first row is selected until another one is. Mantine's combobox keeps its
 * selection in the document, and would lose it when bookmarks arrive.
 */
export function Palette({ onClose, onOpen }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const list = useId()
  const groups = useGroups(query, onOpen)
  const rows = groups.flatMap((group) => group.rows)
  const current = Math.min(selected, rows.length - 1)

  function run(row: PaletteRow | undefined) {
    if (!row) return
    onClose()
    row.run()
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const next = moveSelection(event.key, current, rows.length)
    if (event.key === 'Enter') run(rows[current])
    else if (next === undefined) return
    else setSelected(next)
    event.preventDefault()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      // The box stays in place, however many rows it has.
      centered={false}
      yOffset="12vh"
      size={620}
      padding={0}
      returnFocus={false}
      attributes={{ content: { 'aria-label': t`Find a bookmark or a command` } }}
    >
      <TextInput
        variant="unstyled"
        size="md"
        leftSection={<IconSearch size={19} stroke={1.6} />}
        leftSectionWidth={50}
        styles={{ input: { height: 52, outline: 0 } }}
        style={{ borderBottom: '1px solid var(--earmark-line)' }}
        role="combobox"
        aria-label={t`Find a bookmark or a command`}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={rows[current] && `${list}-${current}`}
        aria-autocomplete="list"
        placeholder={t`Find a bookmark or a command …`}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setSelected(0)
        }}
        onKeyDown={onKey}
      />
      <Rows id={list} groups={groups} current={current} onRun={run} onSelect={setSelected} />
    </Modal>
  )
}

/** Returns the row that a key selects, around both ends; `undefined` if the key selects none. */
function moveSelection(key: string, current: number, count: number): number | undefined {
  const last = count - 1
  switch (key) {
    case 'ArrowDown':
      return current === last ? 0 : current + 1
    case 'ArrowUp':
      return current <= 0 ? last : current - 1
    case 'PageDown':
      return Math.min(last, current + PAGE_ROWS)
    case 'PageUp':
      return Math.max(0, current - PAGE_ROWS)
    default:
      return undefined
  }
}

interface RowsProps {
  id: string
  groups: PaletteGroup[]
  current: number
  onRun(row: PaletteRow): void
  onSelect(index: number): void
}

function Rows({ id, groups, current, onRun, onSelect }: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const order = groups.flatMap((group) => group.rows)
  useEffect(() => {
    // With the first row, its heading is shown too.
    if (current === 0) box.current?.scrollTo({ top: 0 })
    else document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])
  return (
    <Box
      ref={box}
      id={id}
      // A fixed height, so that nothing moves while the user types.
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
            const index = order.indexOf(row)
            const { name, beside, keys = [], icon: Icon } = row
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the selected row
              // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does it
              <div
                key={row.id ?? name}
                id={`${id}-${index}`}
                className={classes.row}
                role="option"
                aria-selected={index === current}
                onClick={() => onRun(row)}
                // Not `onPointerEnter`: a row that moves under a resting pointer must not be selected.
                onPointerMove={() => onSelect(index)}
                // The field keeps the focus.
                onPointerDown={(event) => event.preventDefault()}
              >
                {Icon && <Icon size={18} stroke={1.6} aria-hidden />}
                <span className={classes.text}>{name}</span>
                {beside && <span className={classes.beside}>{beside}</span>}
                <Keys keys={keys} size="xs" aria-hidden />
              </div>
            )
          })}
        </div>
      ))}
    </Box>
  )
}

function useGroups(query: string, open: (id: string) => void): PaletteGroup[] {
  const [, go] = useLocation()
  const [openedAt] = useState(Date.now)
  return paletteGroups({
    query,
    matches: useMatches(query),
    opened: useQuery(openedOptions).data?.bookmarks ?? [],
    past: useQuery(pastOptions(openedAt)).data ?? [],
    searches: useQuery(searchesOptions).data ?? [],
    tags: useQuery(tagsOptions).data ?? [],
    organizations: useQuery(organizationsOptions).data ?? [],
    commands: useCommands(),
    go,
    open
  })
}

/** The bookmarks that match; none if nothing is typed. */
function useMatches(query: string) {
  const [words] = useDebouncedValue(query.trim(), PAUSE_MS)
  const { data } = useQuery(paletteOptions(words))
  return words === '' || query.trim() === '' ? [] : (data?.bookmarks ?? [])
}
