import { msg, t } from '@lingui/core/macro'
import { Button, Group, Kbd, Menu, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { Relaxed } from '../../../src-main/contract/bookmark.ts'
import { STATES } from '../../../src-main/contract/tag-names.ts'
import type { ShownBookmark } from '../../api/client.ts'
import { countsOptions } from '../../api/queries.ts'
import { readText } from '../../lib/filters.ts'
import { openable, STATE_KEYS, stateLabel } from '../../lib/labels.ts'
import { i18n } from '../../lib/locale.ts'
import { startAdding } from '../../shared/dialogs.ts'
import { IconLink, IconPalette, IconPhoto, IconSearchOff, IconTextCaption } from '../../ui/icons/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import { Nothing } from '../../ui/placeholders.tsx'
import { Fresh, type useFresh } from './fresh.tsx'
import classes from './home.module.css'
import { BookmarkList, type Layout, ListState, TRASH_ICON } from './list/bookmark-list.tsx'
import { searchedWords } from './list/excerpts.ts'
import type { ListKey } from './list/selection.ts'
import type { List } from './list/use-list.ts'
import { cleared, isFiltered, typeOf, type useView, type View } from './search/view.ts'
import type { Changes } from './use-changes.ts'
import { useListActions } from './use-list-actions.ts'

const SamplesNote = lazyWithPreload(() => import('./samples.tsx').then((file) => file.SamplesNote))

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
  function showFresh() {
    handle.current?.toTop()
    fresh.show()
  }
  const typedWords = useMemo(() => searchedWords(readText(view.text).rest), [view.text])
  return (
    <Stack gap={0} flex={1} mih={0} pos="relative">
      <Fresh count={fresh.count} justSaved={fresh.justSaved} onShow={showFresh} />
      {pages.count > 0 && pages.first?.relaxed && (
        <RelaxedNote
          relaxed={pages.first.relaxed}
          hint={pages.first.hint}
          onSearch={(exact) => show({ ...view, text: exact })}
        />
      )}
      {!isFiltered(view) && (
        <Suspense>
          <SamplesNote />
        </Suspense>
      )}
      <ListState pages={pages} empty={<Empty view={view} hint={pages.first?.hint} onShow={show} />}>
        <BookmarkList
          label={t`Bookmarks`}
          list={list}
          layout={layout}
          dated={query.order === 'newest' || query.order === 'oldest'}
          words={pages.first?.words ?? typedWords}
          view={query}
          {...actions}
          onMenu={(bookmark, index, point) => setMenu({ bookmark, index, ...point })}
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
    </Stack>
  )
}

interface EmptyProps {
  view: View
  hint: string | undefined
  onShow(view: View): void
}

/** Shown in place of an empty list. */
function Empty({ view, hint, onShow }: EmptyProps) {
  const counts = useQuery(countsOptions)
  const [, go] = useLocation()
  const type = typeOf(view.text)
  const icon = <IconSearchOff size={34} stroke={1.3} />
  if (isFiltered(view)) {
    const action = { label: t`Clear filters`, run: () => onShow(cleared(view)) }
    return <Nothing icon={icon} title={t`Nothing matches`} text={hint} action={action} />
  }
  if (!type && (counts.data?.trash ?? 0) > 0) {
    const action = { label: t`Open the trash`, run: () => go('/trash') }
    return <Nothing icon={TRASH_ICON} title={t`All your bookmarks are in the trash`} action={action} />
  }
  const add = (label: string) => ({ label, run: () => startAdding() })
  if (!type) return <Nothing icon={icon} title={t`Nothing here yet`} action={add(t`Add a bookmark`)} />
  const { Icon, title, text, action } = EMPTY_TYPES[type]
  return (
    <Nothing
      icon={<Icon size={34} stroke={1.3} />}
      title={i18n._(title)}
      text={i18n._(text)}
      action={add(i18n._(action))}
    />
  )
}

interface RelaxedNoteProps {
  relaxed: Relaxed
  /** The message for screen readers. */
  hint: string | undefined
  onSearch(words: string): void
}

/** A note above the list of a relaxed search. Words that no bookmark has are struck through. */
function RelaxedNote({ relaxed, hint, onSearch }: RelaxedNoteProps) {
  const { words, absent, exactly } = relaxed
  return (
    <Group
      justify="space-between"
      wrap="nowrap"
      gap="0.75rem"
      className={classes.relaxed}
      role="note"
      aria-label={hint}
    >
      <Text size="sm" c="dimmed" className={classes.words}>
        {t`No bookmark has all of these words. Shown are those with most of them:`}{' '}
        {words.map((word) => (absent.includes(word) ? <s key={word}>{word}</s> : <b key={word}>{word}</b>))}
      </Text>
      {exactly !== undefined && (
        <Button variant="subtle" size="compact-sm" flex="none" me={-8} onClick={() => onSearch(exactly)}>
          {t`Search exactly`}
        </Button>
      )}
    </Group>
  )
}

/** The bookmark whose context menu is open, and the position of the menu. */
interface MenuPlace {
  bookmark: ShownBookmark
  index: number
  /** Position in the window, in pixels. */
  x: number
  y: number
}

type KeyAct = Extract<ListKey, { act: unknown }>['act']

interface RowMenuProps {
  place: MenuPlace
  onAct(act: KeyAct): void
  onClose(): void
}

/** The context menu of a bookmark, with the keys of its actions. */
function RowMenu({ place: { bookmark, x, y }, onAct, onClose }: RowMenuProps) {
  const item = (act: KeyAct, key: string, name: string) => (
    <Menu.Item key={act} onClick={() => onAct(act)} rightSection={<Kbd size="xs">{key}</Kbd>}>
      {name}
    </Menu.Item>
  )
  return (
    <Menu opened onClose={onClose} position="bottom-start" shadow="md" width={210} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: x, top: y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t`Bookmark actions`}>
        {openable(bookmark.url) && item('open', 'O', t`Open in a new tab`)}
        {item('edit', 'Enter', t`Edit`)}
        {bookmark.picture === null && item('copy', 'C', t`Copy`)}
        <Menu.Divider />
        {item('tag', 'T', t`Tags`)}
        {item('move', 'M', t`Move`)}
        {item('select', 'X', t`Select`)}
        <Menu.Divider />
        {STATES.map((state) => item(state, STATE_KEYS[state], stateLabel(bookmark, state)))}
        <Menu.Divider />
        {item('delete', 'Del', t`Delete`)}
      </Menu.Dropdown>
    </Menu>
  )
}

/** For each type, the message of an empty list, and its button. */
const EMPTY_TYPES = {
  link: {
    Icon: IconLink,
    title: msg`No links yet`,
    text: msg`A link is a page on the web. Copy its address and paste it anywhere in this window.`,
    action: msg`Add a link`
  },
  image: {
    Icon: IconPhoto,
    title: msg`No images yet`,
    text: msg`An image is a picture on the web or a file of yours, found by its colors too. Paste one, or drop it on this window.`,
    action: msg`Add an image`
  },
  color: {
    Icon: IconPalette,
    title: msg`No colors yet`,
    text: msg`A color is kept with its hex, RGB and OKLCH values to copy. Paste one as CSS writes it, such as #23ba7d or oklch(70% 0.15 160).`,
    action: msg`Add a color`
  },
  text: {
    Icon: IconTextCaption,
    title: msg`No texts yet`,
    text: msg`A text is a quote, a snippet of code or a note. Copy it and paste it anywhere in this window.`,
    action: msg`Add a text`
  }
}
