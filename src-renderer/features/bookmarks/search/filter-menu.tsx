import { Button, Popover } from '@mantine/core'
import { lazy, memo, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '../../../shared/when-idle.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { IconAdjustmentsHorizontal } from '../../../ui/icons/icons.ts'
import classes from './short.module.css'
import type { View } from './view.ts'

const loadFields = () => import('./filter-fields.tsx')
const FilterFields = lazy(() => loadFields().then((file) => ({ default: file.FilterFields })))

/** Chooses what to hold back by. The list behind follows each choice. */
export const FilterMenu = memo(function FilterMenu({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const [opened, setOpened] = useState(false)
  useEffect(() => whenIdle(loadFields), [])
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={360}
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
          aria-label={strings.filter}
          leftSection={<IconAdjustmentsHorizontal size={17} stroke={1.7} />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          <span className={classes.word}>{strings.filter}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={strings.filterBy}>
        <Suspense>
          <FilterFields view={view} onShow={onShow} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
})
