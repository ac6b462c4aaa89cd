import { useDocumentTitle, useLocalStorage } from '@mantine/hooks'
import { type RefObject, Suspense, useCallback, useEffect, useLayoutEffect } from 'react'
import type { BookmarkType } from '../../../src-main/contract/bookmark.ts'
import { useCounts } from '../../shared/bookmark-data.ts'
import { useOpened } from '../../shared/opened.ts'
import { whenIdle } from '../../shared/when-idle.ts'
import { shell } from '../../strings/shell.ts'
import { late } from '../../ui/late.tsx'
import { FirstRun } from './first-run.tsx'
import classes from './home.module.css'
import { HomeHead } from './home-head.tsx'
import { HomeList } from './home-list.tsx'
import type { Layout, ListHandle } from './list/bookmark-list.tsx'
import { useList } from './list/use-list.ts'
import { ListTools } from './list-tools.tsx'
import { resumeSaving } from './panel/autosave.ts'
import { LatePanel, loadPanel } from './panel/late-panel.tsx'
import { useView } from './search/use-view.ts'
import { isFiltered, type View } from './search/view.ts'
import { useChanges } from './use-changes.ts'
import { useFresh } from './use-fresh.ts'

const BulkBar = late(() => import('./bulk-bar.tsx').then((file) => file.BulkBar))

/** The bookmarks, or those of one type: found, looked at, changed. */
export function Home({ type }: { type?: BookmarkType }) {
  const search = useView(type)
  const { view, query, show } = search
  const list = useList(query)
  const changes = useChanges(list.leave, { query, first: list.pages.first })
  const fresh = useFresh()
  const opened = useOpened()
  const counts = useCounts()
  const [layout, setLayout] = useLayout(type)
  const { handle, pages, selected, active } = list
  const name = type ? shell[`${type}s`] : shell.all
  const toList = useCallback(() => handle.current?.focus(), [handle])
  const setOrder = useCallback((order: View['order']) => show({ ...view, order }), [show, view])
  useDocumentTitle(shell.title(name))
  useEffect(() => void resumeSaving(), [])
  useEffect(() => whenIdle(loadPanel, BulkBar.load), [])
  const current = active.gone ? undefined : pages.at(active.index)
  useLooseKeys(handle, opened !== undefined && current?.id === opened)

  const first = counts.data?.all === 0 && counts.data.trash === 0 && !isFiltered(view)
  return (
    <div className={classes.home}>
      <div className={classes.column}>
        <HomeHead name={name} search={search} first={first} onEnter={toList}>
          {selected.size > 0 ? (
            <Suspense fallback={<div className={classes.noTools} />}>
              <BulkBar list={list} changes={changes} moved={view.is === 'moved'} />
            </Suspense>
          ) : (
            <ListTools
              first={pages.first}
              layout={layout}
              onLayout={setLayout}
              view={view}
              onOrder={setOrder}
              query={query}
            />
          )}
        </HomeHead>
        {first ? (
          <FirstRun />
        ) : (
          <HomeList search={search} list={list} layout={layout} changes={changes} fresh={fresh} />
        )}
      </div>
      {opened !== undefined && <LatePanel id={opened} changes={changes} onClose={toList} />}
    </div>
  )
}

/**
 * Keys are the list's wherever nothing else has the focus: after loading, and after whatever was open over it. Letters are
 * also the list's on the buttons of a panel that shows the list's current bookmark.
 */
function useLooseKeys(list: RefObject<ListHandle | null>, panelIsCurrent: boolean): void {
  // Before the list is painted: whoever sees it may press a key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isLoose = event.target === document.body || (panelIsCurrent && isLetterOnButton(event))
      if (!isLoose || event.defaultPrevented) return
      if (!document.querySelector('[aria-modal="true"]')) list.current?.press(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list, panelIsCurrent])
}

function isLetterOnButton({ key, target }: KeyboardEvent): boolean {
  const button = (target as Element).closest('aside button, aside a')
  return /^[a-z]$/.test(key) && button !== null && button.closest('[role="menu"], [role="listbox"]') === null
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
