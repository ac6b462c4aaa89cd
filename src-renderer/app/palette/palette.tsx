import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { startAdding } from '../../shared/adding.ts'
import { askBookmarks } from '../../shared/bookmark-data.ts'
import { startImporting } from '../../shared/importing.ts'
import { addressInLetters, siteInLetters } from '../../shared/letters.ts'
import { useCheckLinks } from '../../shared/link-checks.ts'
import { palette as strings } from '../../strings/palette.ts'
import { type Command, commandsFor } from './commands.ts'

/** How long after a key the service is asked, in milliseconds. */
const PAUSE_MS = 30

interface PaletteProps {
  onClose(): void
  onOpen(id: string): void
  onShortcuts(): void
}

/** Bookmarks and commands found by what is typed, and all of it by keyboard. */
export function Palette({ onClose, onOpen, onShortcuts }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [, go] = useLocation()
  const check = useCheckLinks()
  const { setColorScheme } = useMantineColorScheme()
  const found = useFound(query)
  const commands = commandsFor({
    go,
    add: () => startAdding(),
    import: () => startImporting(),
    checkLinks: () => check.mutate({}),
    shortcuts: onShortcuts,
    theme: setColorScheme
  })

  const places = matching(commands.go, query)
  const actions = matching(commands.do, query)

  useEffect(() => spotlight.open(), [])

  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={420}
      radius="lg"
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      attributes={{ content: { 'aria-label': strings.label } }}
      // What is opened takes the focus itself.
      returnFocus={false}
    >
      <Spotlight.Search
        placeholder={strings.hint}
        aria-label={strings.label}
        leftSection={<IconSearch size={19} stroke={1.6} />}
      />
      <Spotlight.ActionsList pb="xs">
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={strings.bookmarks}>
            {found.map(({ id, title, url, domain, content }) => (
              <Spotlight.Action
                key={id}
                label={addressInLetters(title || url || content.slice(0, 80))}
                description={siteInLetters(domain ?? '')}
                onClick={() => onOpen(id)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        <Group label={strings.go} commands={places} />
        <Group label={strings.do} commands={actions} />
        {found.length + places.length + actions.length === 0 && <Spotlight.Empty>{strings.nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function Group({ label, commands }: { label: string; commands: Command[] }) {
  if (commands.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label}>
      {commands.map(({ name, icon: Icon, run }) => (
        <Spotlight.Action
          key={name}
          label={name}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

function matching(commands: Command[], query: string): Command[] {
  const words = query.trim().toLowerCase().split(/\s+/)
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}

/** Bookmarks that match; none before something was typed. */
function useFound(query: string) {
  const [words] = useDebouncedValue(query.trim(), PAUSE_MS)
  const { data } = useQuery({
    queryKey: ['bookmarks', 'palette', words],
    queryFn: ({ signal }) => askBookmarks({ words, typing: 'true', limit: '6' }, signal),
    enabled: words !== '',
    placeholderData: keepPreviousData
  })
  return words === '' || query.trim() === '' ? [] : (data?.bookmarks ?? [])
}
