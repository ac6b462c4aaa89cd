import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { startAdding } from '../../shared/adding.ts'
import { useShortcut } from '../../shared/shortcuts.ts'
import { WhileServed } from '../../shared/while-served.tsx'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import classes from './home.module.css'
import { FilterChips } from './search/filter-chips.tsx'
import { FilterMenu } from './search/filter-menu.tsx'
import { SearchField } from './search/search-field.tsx'
import short from './search/short.module.css'
import type { useView } from './search/use-view.ts'

interface HomeHeadProps {
  name: string
  search: ReturnType<typeof useView>
  /** The library is empty: there is nothing to filter. */
  first: boolean
  /** On to the results. */
  onEnter(): void
  /** The tools of the list. */
  children: ReactNode
}

/** Above the list: what is searched for and what holds bookmarks back. */
export function HomeHead({ name, search, first, onEnter, children }: HomeHeadProps) {
  const { view, show, typed, type, commit } = search
  const field = useRef<{ focus(): void }>(null)
  useShortcut('/', () => field.current?.focus())

  function enter() {
    commit()
    onEnter()
  }
  return (
    <header className={classes.head}>
      <h1 className={classes.name}>{name}</h1>
      <WhileServed>
        <div className={classes.bar}>
          <SearchField ref={field} value={typed} onType={type} onEnter={enter} />
          {!first && <FilterMenu view={view} onShow={show} />}
          <Button
            h={40}
            className={short.short ?? ''}
            leftSection={<IconPlus size={17} />}
            aria-label={strings.add}
            onClick={() => startAdding()}
          >
            <span className={short.word}>{strings.add}</span>
          </Button>
        </div>
        <FilterChips view={view} onShow={show} />
        {first ? <div className={classes.noTools} /> : children}
      </WhileServed>
    </header>
  )
}
