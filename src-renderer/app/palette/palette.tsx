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

/** How long after a key the service is asked, in milliseconds. */
const PAUSE_MS = 30

/** Rows a press of Page Up or Page Down goes by. */
const PAGE = 8

interface PaletteProps {
  onClose(): void
  onOpen(id: string): void
}

/**
 * Bookmarks, saved searches, tags, organizations and commands found by what is typed, and all of it by keyboard: a combobox with its
 * listbox (WAI-ARIA Authoring Practices, "Combobox"). The first row is chosen until another is. Mantine's combobox keeps
 * its choice in the document, where it would get lost as bookmarks arrive.
 */
export function Palette({ onClose, onOpen }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const groups = useGroups(query, onOpen)
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
  const order = groups.flatMap((group) => group.rows)
  useEffect(() => {
    // The first one with the heading above it.
    if (at === 0) box.current?.scrollTo({ top: 0 })
    else document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
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
            const index = order.indexOf(row)
            const { name, beside, keys = [], icon: Icon } = row
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen row
              // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does it
              <div
                key={row.id ?? name}
                id={`${id}-${index}`}
                className={classes.row}
                role="option"
                aria-selected={index === at}
                onClick={() => onRun(row)}
                // Not on entering: rows that move under a pointer at rest choose nothing.
                onPointerMove={() => onChoose(index)}
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
  const [opening] = useState(Date.now)
  return paletteGroups({
    query,
    found: useFound(query),
    opened: useQuery(openedOptions).data?.bookmarks ?? [],
    past: useQuery(pastOptions(opening)).data ?? [],
    searches: useQuery(searchesOptions).data ?? [],
    tags: useQuery(tagsOptions).data ?? [],
    organizations: useQuery(organizationsOptions).data ?? [],
    commands: useCommands(),
    go,
    open
  })
}

/** Bookmarks that match; none before something was typed. */
function useFound(query: string) {
  const [words] = useDebouncedValue(query.trim(), PAUSE_MS)
  const { data } = useQuery(paletteOptions(words))
  return words === '' || query.trim() === '' ? [] : (data?.bookmarks ?? [])
}
