import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isState, type State } from '../../../src-main/contract/state-tags.ts'
import { type ShownBookmark, useCounts } from '../../shared/bookmark-data.ts'
import { copyText } from '../../shared/copy-text.ts'
import { dragging } from '../../shared/dragging.ts'
import { notify } from '../../shared/notify.tsx'
import { openBookmark, useOpened } from '../../shared/opened.ts'
import { holdTyping } from '../../shared/type-ahead.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { common } from '../../strings/common.ts'
import { IconSearchOff, IconTrash } from '../../ui/icons/icons.ts'
import { Loading } from '../../ui/loading.tsx'
import { Nothing } from '../../ui/nothing.tsx'
import { askedBulk } from './asked-bulk.ts'
import { Fresh } from './fresh.tsx'
import classes from './home.module.css'
import { BookmarkList, type Layout } from './list/bookmark-list.tsx'
import type { Act } from './list/item.ts'
import { titleOf } from './list/item-title.tsx'
import type { ListKey } from './list/keys.ts'
import { Loosened } from './list/loosened.tsx'
import { searchedWords } from './list/marked-parts.ts'
import type { Chosen } from './list/selection.ts'
import type { useList } from './list/use-list.ts'
import type { Pages } from './list/use-pages.ts'
import { openable } from './look.ts'
import { type MenuPlace, RowMenu } from './row-menu.tsx'
import type { useView } from './search/use-view.ts'
import { cleared, isFiltered, type View, withTag } from './search/view.ts'
import type { Changes } from './use-changes.ts'
import type { useFresh } from './use-fresh.ts'

interface HomeListProps {
  search: ReturnType<typeof useView>
  list: ReturnType<typeof useList>
  layout: Layout
  changes: Changes
  fresh: ReturnType<typeof useFresh>
}

/** The results, and the effects of keys and clicks on them. */
export function HomeList({ search, list, layout, changes, fresh }: HomeListProps) {
  const { view, query, show } = search
  const opened = useOpened()
  const { pages, handle, selected } = list
  const [menu, setMenu] = useState<MenuPlace>()
  const words = useMemo(() => searchedWords(view.words), [view.words])
  // What a key selected for a menu alone is selected no longer once that is closed.
  const lentTo = useRef<Chosen>(undefined)
  const { deselect } = list
  useEffect(
    () =>
      askedBulk.subscribe(() => {
        const lent = lentTo.current
        if (!lent || askedBulk.get() !== undefined) return
        lentTo.current = undefined
        deselect(lent)
      }),
    [deselect]
  )
  const removeAll = (chosen: Chosen, name?: string) =>
    changes.remove(chosen, name).then((done) => done && list.deselect(chosen))

  function onKey(key: ListKey, index: number, there: ShownBookmark | undefined) {
    const bookmark = 'act' in key && there ? list.staying(there, index) : there
    if (followed(key, bookmark) || list.onKey(key, index, bookmark) || !('act' in key)) return
    if (key.act === 'leave') openBookmark(undefined)
    else if (key.act === 'delete' && selected.size > 0) void removeAll(selected.chosen)
    else if (isState(key.act) && selected.size > 0) void changes.turn(selected.chosen, key.act)
    else if (!bookmark && selected.size === 0) notify(strings.movedOn)
    else if (key.act === 'tag' || key.act === 'move') {
      if (bookmark && selected.size === 0) {
        list.toggle(bookmark, index)
        lentTo.current = { ids: [bookmark.id] }
      }
      const { act } = key
      holdTyping()
      // After the key itself: what it opens must not take it.
      setTimeout(() => askedBulk.set(act))
    } else if (!bookmark) notify(strings.movedOn)
    else if (isState(key.act)) void changes.turn({ ids: [bookmark.id] }, key.act)
    else if (key.act === 'delete') void removeAll({ ids: [bookmark.id] }, titleOf(bookmark))
    else if (key.act === 'edit') {
      // What is typed at once goes into the panel's first field.
      holdTyping({ onlyField: true })
      openBookmark(bookmark.id)
    } else actOn(key.act, bookmark)
  }
  /** The panel, where it is open, goes along with the cursor; keys stay the list's. */
  function followed(key: ListKey, bookmark: ShownBookmark | undefined): boolean {
    const follows = !('act' in key) && !key.extend && opened !== undefined && bookmark !== undefined
    if (follows) openBookmark(bookmark.id, { clicked: true })
    return follows
  }
  function onAct(act: Act, bookmark: ShownBookmark, index: number, value: string) {
    if (act === 'select') list.toggle(bookmark, index)
    else if (act === 'tag') show(withTag(view, value))
    else if (act === 'domain') show({ ...view, domain: value })
    else if (act === 'copy') void copyText(value)
    else if (act === 'edit') openBookmark(bookmark.id)
    else if (act === 'delete') void removeAll({ ids: [bookmark.id] }, titleOf(bookmark))
  }
  function onDrag(bookmark: ShownBookmark): string {
    const all = selected.has(bookmark.id)
    const chosen: Chosen = all ? selected.chosen : { ids: [bookmark.id] }
    dragging.set({
      drop(place) {
        dragging.set(undefined)
        if ('tag' in place) void changes.setTags(chosen, { add: [place.tag], remove: [] })
        else if ('organization' in place) void changes.move(chosen, place)
        else void removeAll(chosen, all && selected.size > 1 ? undefined : titleOf(bookmark))
      }
    })
    return all && selected.size > 1 ? common.bookmarks(selected.size) : titleOf(bookmark)
  }
  return (
    <div className={classes.body}>
      <Fresh count={fresh.count} justSaved={fresh.justSaved} onShow={() => fresh.show(() => handle.current?.toTop())} />
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
          dated={view.order !== 'title' && query.order !== undefined}
          words={words}
          selected={selected}
          active={list.active}
          view={query}
          hold={list.hold}
          onActive={list.setActive}
          onKey={onKey}
          onAct={onAct}
          onClick={list.onClick}
          onDouble={(bookmark) => selected.size === 0 && actOn('open', bookmark)}
          onDrag={onDrag}
          onMenu={(bookmark, index, at) => setMenu({ bookmark, index, ...at })}
          onVisible={list.onVisible}
          onAway={fresh.setAway}
        />
      </Content>
      {menu && (
        <RowMenu
          key={`${menu.bookmark.id} ${menu.x} ${menu.y}`}
          place={menu}
          onAct={(act) => {
            handle.current?.focus()
            onKey({ act }, menu.index, menu.bookmark)
          }}
          onClose={() => {
            setMenu(undefined)
            handle.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** Opens or copies one; an image that is kept itself has no address to copy. */
function actOn(
  act: Exclude<Extract<ListKey, { act: unknown }>['act'], State>,
  { id, url, content, picture }: ShownBookmark
): void {
  const address = openable(url)
  if (act === 'open' && address) window.open(address, '_blank', 'noopener,noreferrer')
  else if (act === 'open') openBookmark(id)
  else if (act === 'copy' && picture === null) void copyText(url ?? content)
}

interface ContentProps {
  pages: Pages
  view: View
  onShow(view: View): void
  children: React.ReactNode
}

/** The list, or why there is none. */
function Content({ pages, view, onShow, children }: ContentProps) {
  const counts = useCounts()
  const [, go] = useLocation()
  if (pages.failed) {
    return <Nothing icon={null} title={strings.failed} action={{ label: common.retry, run: pages.retry }} />
  }
  if (!pages.first) return <Loading />
  if (pages.count > 0) return children
  const icon = <IconSearchOff size={34} stroke={1.3} />
  if (!isFiltered(view) && !view.type && (counts.data?.trash ?? 0) > 0) {
    return (
      <Nothing
        icon={<IconTrash size={34} stroke={1.3} />}
        title={strings.allInTrash}
        action={{ label: strings.openTrash, run: () => go('/trash') }}
      />
    )
  }
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
