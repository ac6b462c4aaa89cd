import { Button } from '@mantine/core'
import { useDocumentTitle, useLocalStorage } from '@mantine/hooks'
import { IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { BookmarkType } from '../../../src-main/contract/bookmark.ts'
import { startAdding } from '../../shared/adding.ts'
import { type ShownBookmark, useCounts } from '../../shared/bookmark-data.ts'
import { copyText } from '../../shared/copy-text.ts'
import { told } from '../../shared/notify.tsx'
import { openBookmark, useOpened } from '../../shared/opened.ts'
import { useShortcut } from '../../shared/shortcuts.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { common } from '../../strings/common.ts'
import { shell } from '../../strings/shell.ts'
import { Loading } from '../../ui/loading.tsx'
import { Nothing } from '../../ui/nothing.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { FirstRun } from './first-run.tsx'
import { Fresh } from './fresh.tsx'
import classes from './home.module.css'
import { BookmarkList, type Layout } from './list/bookmark-list.tsx'
import type { Act } from './list/item.ts'
import type { ListKey } from './list/keys.ts'
import { Loosened } from './list/loosened.tsx'
import { searchedWords } from './list/marked-parts.ts'
import { useList } from './list/use-list.ts'
import { ListTools } from './list-tools.tsx'
import { openable } from './look.ts'
import { resumeSaving } from './panel/autosave.ts'
import { Panel } from './panel/panel.tsx'
import { FilterChips } from './search/filter-chips.tsx'
import { FilterMenu } from './search/filter-menu.tsx'
import { SearchField } from './search/search-field.tsx'
import short from './search/short.module.css'
import { useView } from './search/use-view.ts'
import { cleared, isFiltered, type View, withTag } from './search/view.ts'
import { useChanges } from './use-changes.ts'
import { useFresh } from './use-fresh.ts'

/** The bookmarks, or those of one type: found, looked at, changed. */
export function Home({ type }: { type?: BookmarkType }) {
  const { view, query, show, typed, type: typeWords, commit } = useView(type)
  const list = useList(query)
  const changes = useChanges(list.onGone)
  const fresh = useFresh()
  const opened = useOpened()
  const counts = useCounts()
  const [layout, setLayout] = useLayout(type)
  const field = useRef<{ focus(): void }>(null)
  const words = useMemo(() => searchedWords(view.words), [view.words])
  const { pages, handle, selected, active } = list
  useEffect(() => void resumeSaving(), [])
  const name = type ? shell[`${type}s`] : shell.all
  useDocumentTitle(shell.title(name))
  useShortcut('/', () => field.current?.focus())

  const toList = useCallback(() => handle.current?.focus(), [handle])
  const setOrder = useCallback((order: View['order']) => show({ ...view, order }), [show, view])
  const removeAll = (ids: string[]) => changes.remove(ids).then((done) => done && list.deselect(ids))

  function onKey(key: ListKey, index: number, bookmark: ShownBookmark | undefined) {
    if (list.onKey(key, index, bookmark) || !('act' in key)) return
    if (key.act === 'leave') return openBookmark(undefined)
    if (key.act === 'delete' && selected.size > 0) return void removeAll([...selected])
    if (!bookmark) return told(strings.movedOn)
    const address = openable(bookmark.url)
    if (key.act === 'open' && address) window.open(address, '_blank', 'noopener,noreferrer')
    else if (key.act === 'open' || key.act === 'edit') openBookmark(bookmark.id)
    else if (key.act === 'copy' && bookmark.picture === null) void copyText(bookmark.url ?? bookmark.content)
    else if (key.act === 'delete') void removeAll([bookmark.id])
  }

  function onAct(act: Act, bookmark: ShownBookmark, index: number, value: string) {
    if (act === 'select') list.toggle(bookmark, index)
    else if (act === 'tag') show(withTag(view, value))
    else if (act === 'domain') show({ ...view, domain: value })
    else if (act === 'copy') void copyText(value)
  }

  const first = counts.data?.all === 0 && counts.data.trash === 0 && !isFiltered(view)
  return (
    <div className={classes.home}>
      <div className={classes.column}>
        <header className={classes.head}>
          <h1 className={classes.name}>{name}</h1>
          <div className={classes.bar}>
            <SearchField
              ref={field}
              value={typed}
              onType={typeWords}
              onEnter={() => {
                commit()
                toList()
              }}
            />
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
          {first && <div className={classes.noTools} />}
          {!first && selected.size > 0 && (
            <BulkBar ids={[...selected]} changes={changes} moved={view.is === 'moved'} list={list} />
          )}
          {!first && selected.size === 0 && (
            <ListTools
              first={pages.first}
              layout={layout}
              onLayout={setLayout}
              order={view.order}
              ranked={view.words.trim() !== ''}
              onOrder={setOrder}
              query={query}
            />
          )}
        </header>
        {first ? (
          <FirstRun />
        ) : (
          <div className={classes.body}>
            <Fresh count={fresh.count} onShow={() => fresh.show(() => handle.current?.toTop())} />
            {pages.count > 0 && pages.first?.relaxed && (
              <Loosened
                relaxed={pages.first.relaxed}
                hint={pages.first.hint}
                onSearch={(exact) => show({ ...view, words: exact })}
              />
            )}
            <Content pages={pages} view={view} onShow={show}>
              <BookmarkList
                ref={handle}
                label={strings.list}
                pages={pages}
                layout={layout}
                words={words}
                selected={selected}
                active={active}
                view={query}
                onActive={list.setActive}
                onKey={onKey}
                onAct={onAct}
                onClick={list.onClick}
                onVisible={list.onVisible}
                onAway={fresh.setAway}
              />
            </Content>
          </div>
        )}
      </div>
      {opened !== undefined && <Panel id={opened} changes={changes} onClose={toList} />}
    </div>
  )
}

interface ContentProps {
  pages: ReturnType<typeof useList>['pages']
  view: View
  onShow(view: View): void
  children: React.ReactNode
}

/** The list, or why there is none. */
function Content({ pages, view, onShow, children }: ContentProps) {
  if (pages.failed) {
    return <Nothing icon={null} title={strings.failed} action={{ label: common.retry, run: pages.retry }} />
  }
  if (!pages.first) return <Loading />
  if (pages.count > 0) return children
  const icon = <IconSearchOff size={34} stroke={1.3} />
  if (!isFiltered(view)) {
    return <Nothing icon={icon} title={strings.nothingHere} text={view.type && strings.nothingOfType[view.type]} />
  }
  return (
    <Nothing
      icon={icon}
      title={strings.nothing}
      text={pages.first.hint}
      action={{ label: strings.clearFilters, run: () => onShow(cleared(view)) }}
    />
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
