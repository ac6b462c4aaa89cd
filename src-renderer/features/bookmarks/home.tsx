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

/** Saves the edits of an earlier page. */
const resumeSaving = () => import('../../api/autosave.ts').then((file) => file.resumeSaving())

const FirstRun = lazyWithPreload(() => import('./first-run.tsx').then((file) => file.FirstRun))
const BulkBar = lazyWithPreload(() => import('./bulk-bar.tsx').then((file) => file.BulkBar))

/** Space in place of the list's tools. */
const NO_TOOLS = <Box h="0.9rem" />

/** The home page: the search field, the list of bookmarks, and the panel of the open one. */
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
  const focusList = useCallback(() => handle.current?.focus(), [handle])
  useDocumentTitle(`${name} · Earmark`)
  useEffect(() => whenIdle(resumeSaving, loadPanel, BulkBar.load), [])
  const current = active.gone ? undefined : pages.at(active.index)
  // While the panel shows the active bookmark, letters that are pressed on its buttons also act on the list.
  useLooseKeys((event) => handle.current?.press(event), opened !== undefined && current?.id === opened)

  const isFirstRun = counts.data?.all === 0 && counts.data.trash === 0 && view.text.trim() === ''
  return (
    <div className={classes.home}>
      <Stack gap={0} flex={1} miw={0}>
        <HomeHead name={name} search={search} isFirstRun={isFirstRun} onEnter={focusList}>
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
        {isFirstRun ? (
          <Suspense>
            <FirstRun />
          </Suspense>
        ) : (
          <HomeList search={search} list={list} layout={layout} changes={changes} fresh={fresh} />
        )}
      </Stack>
      {opened !== undefined && <LazyPanel id={opened} list={list} changes={changes} onClose={focusList} />}
    </div>
  )
}

/** The layout of the list: by default a grid for images and colors, otherwise a list. Each has its own setting. */
function useLayout(type: BookmarkType | undefined) {
  const isVisual = type === 'image' || type === 'color'
  return useLocalStorage<Layout>({
    key: `earmark-layout-${isVisual ? 'pictures' : 'pages'}`,
    defaultValue: isVisual ? 'grid' : 'list',
    getInitialValueInEffect: false
  })
}

interface HomeHeadProps {
  name: string
  search: ReturnType<typeof useView>
  /** Whether the library is empty, so that there is nothing to filter. */
  isFirstRun: boolean
  /** Called to move the focus to the results. */
  onEnter(): void
  /** The tools of the list. */
  children: ReactNode
}

/** The search field and the filters, above the list. */
function HomeHead({ name, search, isFirstRun, onEnter, children }: HomeHeadProps) {
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
          {!isFirstRun && <FilterMenu text={view.text} onText={set} />}
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
        {!isFirstRun && <TypeRow text={view.text} onText={set} />}
        {isFirstRun ? NO_TOOLS : children}
      </WhileServed>
    </header>
  )
}
