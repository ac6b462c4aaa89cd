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
