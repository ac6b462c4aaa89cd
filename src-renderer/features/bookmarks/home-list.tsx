import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { startAdding } from '../../shared/adding.ts'
import { useCounts } from '../../shared/bookmark-data.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconLink, IconPalette, IconPhoto, IconSearchOff, IconTextCaption } from '../../ui/icons/icons.ts'
import { Nothing } from '../../ui/nothing.tsx'
import { Fresh } from './fresh.tsx'
import classes from './home.module.css'
import { BookmarkList, type Layout } from './list/bookmark-list.tsx'
import { ListState, TRASH_ICON } from './list/list-state.tsx'
import { Loosened } from './list/loosened.tsx'
import { searchedWords } from './list/marked-parts.ts'
import type { List } from './list/use-list.ts'
import { type MenuPlace, RowMenu } from './row-menu.tsx'
import type { useView } from './search/use-view.ts'
import { cleared, isFiltered, type View } from './search/view.ts'
import type { Changes } from './use-changes.ts'
import type { useFresh } from './use-fresh.ts'
import { useListActions } from './use-list-actions.ts'

interface HomeListProps {
  search: ReturnType<typeof useView>
  list: List
  layout: Layout
  changes: Changes
  fresh: ReturnType<typeof useFresh>
}

/** The results, and the effects of keys and clicks on them. */
export function HomeList({ search, list, layout, changes, fresh }: HomeListProps) {
  const { view, query, show } = search
  const { pages, handle } = list
  const actions = useListActions(list, changes, view, show)
  const [menu, setMenu] = useState<MenuPlace>()
  const typed = useMemo(() => searchedWords(view.words), [view.words])
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
      <ListState pages={pages} empty={<Empty view={view} hint={pages.first?.hint} onShow={show} />}>
        <BookmarkList
          label={strings.list}
          list={list}
          layout={layout}
          dated={query.order === 'newest' || query.order === 'oldest'}
          words={pages.first?.words ?? typed}
          view={query}
          {...actions}
          onMenu={(bookmark, index, at) => setMenu({ bookmark, index, ...at })}
          onAway={fresh.setAway}
        />
      </ListState>
      {menu && (
        <RowMenu
          key={`${menu.bookmark.id} ${menu.x} ${menu.y}`}
          place={menu}
          onAct={(act) => {
            handle.current?.focus()
            actions.onKey({ act }, menu.index, menu.bookmark)
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

interface EmptyProps {
  view: View
  hint: string | undefined
  onShow(view: View): void
}

const TYPE_ICONS = { link: IconLink, image: IconPhoto, color: IconPalette, text: IconTextCaption }

/** Why a view has no bookmarks. */
function Empty({ view, hint, onShow }: EmptyProps) {
  const counts = useCounts()
  const [, go] = useLocation()
  const icon = <IconSearchOff size={34} stroke={1.3} />
  if (isFiltered(view)) {
    const action = { label: strings.clearFilters, run: () => onShow(cleared(view)) }
    return <Nothing icon={icon} title={strings.nothing} text={hint} action={action} />
  }
  if (!view.type && (counts.data?.trash ?? 0) > 0) {
    const action = { label: strings.openTrash, run: () => go('/trash') }
    return <Nothing icon={TRASH_ICON} title={strings.allInTrash} action={action} />
  }
  const action = { label: strings.addTitle, run: () => startAdding() }
  if (!view.type) return <Nothing icon={icon} title={strings.nothingHere} action={action} />
  const Icon = TYPE_ICONS[view.type]
  return (
    <Nothing
      icon={<Icon size={34} stroke={1.3} />}
      title={strings.nothingHere}
      text={strings.nothingOfType[view.type]}
      action={action}
    />
  )
}
