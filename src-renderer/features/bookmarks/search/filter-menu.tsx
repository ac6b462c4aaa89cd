import { t } from '@lingui/core/macro'
import { Button, Popover } from '@mantine/core'
import { memo, useCallback, useEffect, useState } from 'react'
import { whenIdle } from '../../../lib/waiting.ts'
import { IconAdjustmentsHorizontal } from '../../../ui/icons/icons.ts'
import type { FilterFields } from './filter-fields.tsx'
import classes from './short.module.css'
import type { View } from './view.ts'

/** Chooses what to hold back by. The list behind follows each choice. */
export const FilterMenu = memo(function FilterMenu({ view, onShow }: { view: View; onShow: (view: View) => void }) {
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
          <span className={classes.word}>{t`Filter`}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t`Filter bookmarks by`}>
        {Fields && <Fields view={view} onShow={onShow} />}
      </Popover.Dropdown>
    </Popover>
  )
})
