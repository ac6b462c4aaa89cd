import { t } from '@lingui/core/macro'
import { Box, Button, Popover } from '@mantine/core'
import { memo, useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../../../lib/waiting.ts'
import { IconAdjustmentsHorizontal } from '../../../ui/icons/icons.ts'
import type { FilterFields } from './filter-fields.tsx'
import classes from './search-bar.module.css'

interface FilterMenuProps {
  text: string
  onText(text: string): void
}

/** A menu that changes the filters in the text of the search. The list shows each change at once. */
export const FilterMenu = memo(function FilterMenu({ text, onText }: FilterMenuProps) {
  const [opened, setOpened] = useState(false)
  // Loaded before the popover opens, because an empty one has nothing to focus.
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
          // Escape closes the open listbox of a field first.
          const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true'
          if (event.key === 'Escape' && !isListOpen) setOpened(false)
        }}
      >
        {Fields && <Fields text={text} onText={onText} />}
      </Popover.Dropdown>
    </Popover>
  )
})
