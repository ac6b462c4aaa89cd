import { t } from '@lingui/core/macro'
import { Box, Button, Group, Stack, VisuallyHidden } from '@mantine/core'
import { useDocumentTitle, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react'
import type { BookmarkType } from '../../../src-main/contract/bookmark.ts'
import { countsOptions } from '../../api/queries.ts'
import { valuesOf } from '../../lib/filters.ts'
import { useLooseKeys, useShortcut } from '../../lib/keyboard.ts'
import { TYPE_LISTS } from '../../lib/labels.ts'
import { i18n } from '../../lib/locale.ts'
import { useOpened } from '../../lib/opened.ts'
import { whenIdle } from '../../lib/waiting.ts'
import { startAdding } from '../../shared/dialogs.ts'
import { WhileServed } from '../../shared/page.tsx'
import { IconPlus } from '../../ui/icons/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { useFresh } from './fresh.tsx'
import classes from './home.module.css'
import { HomeList } from './home-list.tsx'
import type { Layout } from './list/bookmark-list.tsx'
import { useList } from './list/use-list.ts'
import { ListTools } from './list-tools.tsx'
import { LazyPanel, loadPanel } from './panel/lazy-panel.tsx'
import { QueryField } from './search/query-field.tsx'
import short from './search/search-bar.module.css'
import { FilterMenu } from './search/search-bar.tsx'
import { TypeRow } from './search/type-row.tsx'
import { typeOf, useView } from './search/view.ts'
import { useChanges } from './use-changes.ts'

/** Saves what was typed before the page was loaded again. */
const resumeSaving = () => import('../../api/autosave.ts').then((file) => file.resumeSaving())

const FirstRun = lazyWithPreload(() => import('./first-run.tsx').then((file) => file.FirstRun))
const BulkBar = lazyWithPreload(() => import('./bulk-bar.tsx').then((file) => file.BulkBar))

/** The room of the list's tools, where there are none. */
const NO_TOOLS = <Box h="0.9rem" />

/** The bookmarks: found, looked at, changed. */
export function Home() {
  const search = useView()
  const { view, query, show } = search
  const type = typeOf(view.text)
  const fresh = useFresh()
  const list = useList(query, fresh.hold)
  const changes = useChanges(list.leave, { query, first: list.pages.first })
  const opened = useOpened()
  const counts = useQuery(countsOptions)
  const [layout, setLayout] = useLayout(type)
  const { handle, pages, selected, active } = list
  const name = type ? i18n._(TYPE_LISTS[type]) : t`All`
  const toList = useCallback(() => handle.current?.focus(), [handle])
  useDocumentTitle(`${name} · Earmark`)
  useEffect(() => whenIdle(resumeSaving, loadPanel, BulkBar.load), [])
  const current = active.gone ? undefined : pages.at(active.index)
  // Letters are also the list's on the buttons of a panel that shows the list's current bookmark.
  useLooseKeys((event) => handle.current?.press(event), opened !== undefined && current?.id === opened)

  const first = counts.data?.all === 0 && counts.data.trash === 0 && view.text.trim() === ''
  return (
    <div className={classes.home}>
      <Stack gap={0} flex={1} miw={0}>
        <HomeHead name={name} search={search} first={first} onEnter={toList}>
          {selected.size > 0 ? (
            <Suspense fallback={NO_TOOLS}>
              <BulkBar list={list} changes={changes} moved={valuesOf(view.text, 'is').includes('moved')} />
            </Suspense>
          ) : (
            <ListTools
              first={pages.first}
              layout={layout}
              onLayout={setLayout}
              view={view}
              onShow={show}
              query={query}
            />
          )}
        </HomeHead>
        {first ? (
          <Suspense>
            <FirstRun />
          </Suspense>
        ) : (
          <HomeList search={search} list={list} layout={layout} changes={changes} fresh={fresh} />
        )}
      </Stack>
      {opened !== undefined && <LazyPanel id={opened} list={list} changes={changes} onClose={toList} />}
    </div>
  )
}

/** Pictures and colors begin as a grid, the rest as a list; what is chosen is remembered for each. */
function useLayout(type: BookmarkType | undefined) {
  const pictures = type === 'image' || type === 'color'
  return useLocalStorage<Layout>({
    key: `earmark-layout-${pictures ? 'pictures' : 'pages'}`,
    defaultValue: pictures ? 'grid' : 'list',
    getInitialValueInEffect: false
  })
}

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
function HomeHead({ name, search, first, onEnter, children }: HomeHeadProps) {
  const { view, typed, type, set, commit } = search
  const field = useRef<{ focus(): void }>(null)
  useShortcut('search', () => field.current?.focus())

  function enter() {
    commit()
    onEnter()
  }
  return (
    <header className={classes.head}>
      <VisuallyHidden component="h1">{name}</VisuallyHidden>
      <WhileServed>
        <Group gap="0.6rem" wrap="nowrap" align="stretch">
          <QueryField ref={field} text={typed} onType={type} onSet={set} onEnter={enter} onLeave={commit} />
          {!first && <FilterMenu text={view.text} onText={set} />}
          <Button
            h={40}
            className={short.short ?? ''}
            leftSection={<IconPlus size={17} />}
            aria-label={t`Add`}
            onClick={() => startAdding()}
          >
            <Box component="span" visibleFrom="xs">
              {t`Add`}
            </Box>
          </Button>
        </Group>
        {!first && <TypeRow text={view.text} onText={set} />}
        {first ? NO_TOOLS : children}
      </WhileServed>
    </header>
  )
}
