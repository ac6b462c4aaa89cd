import { t } from '@lingui/core/macro'
import { Box, Button, CloseButton, Popover, TextInput } from '@mantine/core'
import { type KeyboardEvent, memo, type Ref, useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../../../lib/waiting.ts'
import { IconAdjustmentsHorizontal, IconSearch } from '../../../ui/icons/icons.ts'
import type { FilterFields } from './filter-fields.tsx'
import classes from './search-bar.module.css'

interface SearchFieldProps {
  ref?: Ref<HTMLInputElement>
  /** The label, which says where it searches. */
  label: string
  hint: string
  value: string
  onType(words: string): void
  /** On to the results. */
  onEnter(): void
}

/** A field for words alone. Down and Enter lead to the results, Escape empties it. */
export function SearchField({ ref, label, hint, value, onType, onEnter }: SearchFieldProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      onEnter()
    } else if (event.key === 'Escape' && value !== '') {
      event.preventDefault()
      onType('')
    }
  }
  return (
    <TextInput
      ref={ref}
      type="search"
      role="searchbox"
      flex={1}
      miw={0}
      classNames={{ input: classes.input ?? '' }}
      aria-label={label}
      placeholder={hint}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      autoComplete="off"
      spellCheck={false}
      maxLength={1000}
      leftSection={<IconSearch size={17} stroke={1.7} />}
      rightSection={
        value !== '' && (
          <CloseButton
            size="sm"
            aria-label={t`Clear search`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onType('')}
          />
        )
      }
    />
  )
}

interface FilterMenuProps {
  text: string
  onText(text: string): void
}

/** Writes filters into the text of the search. The list behind follows each choice. */
export const FilterMenu = memo(function FilterMenu({ text, onText }: FilterMenuProps) {
  const [opened, setOpened] = useState(false)
  // Loaded before it opens: an empty popover has nothing to focus.
  const [Fields, setFields] = useState<typeof FilterFields>()
  const load = useCallback(() => import('./filter-fields.tsx').then((file) => setFields(() => file.FilterFields)), [])
  useEffect(() => whenIdle(load), [load])
  return (
    <Popover
      opened={opened && Fields !== undefined}
      onChange={setOpened}
      position="bottom-end"
      width={380}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          h={40}
          className={classes.short ?? ''}
          aria-label={t`Filter`}
          leftSection={<IconAdjustmentsHorizontal size={17} stroke={1.7} />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => {
            setOpened(!opened)
            void load()
          }}
        >
          <Box component="span" visibleFrom="xs">
            {t`Filter`}
          </Box>
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={t`Filter bookmarks by`}
        onKeyDown={(event) => {
          // A drop of one of its fields takes Escape for itself.
          const isOfDrop = (event.target as Element).getAttribute('aria-expanded') === 'true'
          if (event.key === 'Escape' && !isOfDrop) setOpened(false)
        }}
      >
        {Fields && <Fields text={text} onText={onText} />}
      </Popover.Dropdown>
    </Popover>
  )
})
