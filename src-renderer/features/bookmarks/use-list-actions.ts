import { plural, t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isState, type State } from '../../../src-main/contract/tag-names.ts'
import { api, ask, type ShownBookmark } from '../../api/client.ts'
import { noteOpenings, readsFirst } from '../../api/mutations.ts'
import { addTag, setFilter } from '../../lib/filters.ts'
import { bufferTyping } from '../../lib/keyboard.ts'
import { openable, titleOf } from '../../lib/labels.ts'
import { openBookmark, openReader, useOpened } from '../../lib/opened.ts'
import { dragging } from '../../shared/list-offers.ts'
import { copyText } from '../../ui/copy.ts'
import { notify, notifyError } from '../../ui/notify.tsx'
import type { Act } from './list/cell.tsx'
import type { Chosen, ListKey } from './list/selection.ts'
import type { List } from './list/use-list.ts'
import type { View } from './search/view.ts'
import type { Changes } from './use-changes.ts'

/** The effects of keys, clicks and drops on the bookmarks of a list. */
export function useListActions(list: List, changes: Changes, view: View, show: (view: View) => void) {
  const opened = useOpened()
  const selectForMenu = useMenuSelection(list)
  const { selected } = list
  const removeAll = (chosen: Chosen, count: number, name?: string) =>
    changes.remove(chosen, count, name).then((done) => done && list.deselect(chosen))

  return {
    onKey(key: ListKey, index: number, active: ShownBookmark | undefined) {
      const bookmark = 'act' in key && active ? list.skipLeaving(active, index) : active
      if (opened !== undefined && panelFollows(key, bookmark)) return
      if (list.onKey(key, index, bookmark) || !('act' in key)) return
      const { act } = key
      if (act === 'leave') openBookmark(undefined)
      else if (act === 'delete' && selected.size > 0) void removeAll(selected.chosen, selected.size)
      else if (act === 'copy' && selected.size > 0) void copyAddresses(selected.chosen)
      else if (isState(act) && selected.size > 0) void changes.toggleState(selected.chosen, act)
      else if (!bookmark && selected.size === 0) notify(t`That bookmark is no longer in this list.`)
      else if (act === 'tag' || act === 'move') {
        if (bookmark && selected.size === 0) selectForMenu(bookmark, index)
        bufferTyping()
        // After this event, because the menu must not handle the key that opens it.
        setTimeout(() => list.setMenu(act))
      } else if (!bookmark) notify(t`That bookmark is no longer in this list.`)
      else if (isState(act)) void changes.toggleState({ ids: [bookmark.id] }, act)
      else if (act === 'delete') void removeAll({ ids: [bookmark.id] }, 1, titleOf(bookmark))
      else if (act === 'edit') {
        // Keys that are typed before the panel is shown go into its first field.
        bufferTyping({ onlyField: true })
        openBookmark(bookmark.id)
      } else actOn(act, bookmark)
    },
    onAct(act: Act, bookmark: ShownBookmark, index: number, value: string) {
      if (act === 'select') list.toggle(bookmark, index)
      else if (act === 'open') noteOpenings([bookmark.id])
      else if (act === 'tag') show({ ...view, text: addTag(view.text, value) })
      else if (act === 'domain') show({ ...view, text: setFilter(view.text, 'site', value) })
      else if (act === 'copy') void copyText(value)
      else if (act === 'edit') openBookmark(bookmark.id)
      else if (act === 'delete') void removeAll({ ids: [bookmark.id] }, 1, titleOf(bookmark))
    },
    onDouble: (bookmark: ShownBookmark) => selected.size === 0 && actOn('open', bookmark),
    onDrag(bookmark: ShownBookmark): string {
      const all = selected.has(bookmark.id)
      const chosen: Chosen = all ? selected.chosen : { ids: [bookmark.id] }
      const only = all && selected.size > 1 ? undefined : titleOf(bookmark)
      dragging.set({
        drop(place) {
          dragging.set(undefined)
          if ('tag' in place) void changes.setTags(chosen, { add: [place.tag], remove: [] })
          else if ('organization' in place) void changes.move(chosen, place)
          else void removeAll(chosen, only === undefined ? selected.size : 1, only)
        }
      })
      return only ?? plural(selected.size, { one: '# bookmark', other: '# bookmarks' })
    }
  }
}

/** Selects a bookmark while a menu for it is open. */
function useMenuSelection({ menu, toggle, deselect }: List) {
  const temporary = useRef<Chosen>(undefined)
  const deselectTemporary = useEffectEvent(() => {
    if (temporary.current) deselect(temporary.current)
    temporary.current = undefined
  })
  useEffect(() => {
    if (menu === undefined) deselectTemporary()
  }, [menu])
  return (bookmark: ShownBookmark, index: number) => {
    toggle(bookmark, index)
    temporary.current = { ids: [bookmark.id] }
  }
}

/** Shows the bookmark that a key moved to in the open panel. The list keeps the focus. @returns whether it did */
function panelFollows(key: ListKey, bookmark: ShownBookmark | undefined): boolean {
  const follows = !('act' in key) && !key.extend && bookmark !== undefined
  if (follows) openBookmark(bookmark.id, { clicked: true })
  return follows
}

/** Opens or copies a bookmark. An image that is stored as a file has no address to copy. */
function actOn(act: Exclude<Extract<ListKey, { act: unknown }>['act'], State>, bookmark: ShownBookmark): void {
  const { id, url, content, picture } = bookmark
  const address = openable(url)
  if (act === 'open' && readsFirst(bookmark)) openReader(id)
  else if (act === 'open' && address) {
    window.open(address, '_blank', 'noopener,noreferrer')
    noteOpenings([id])
  } else if (act === 'open') openBookmark(id)
  else if (act === 'copy' && picture === null) void copyText(url ?? content)
}

/** Copies the addresses of the selected bookmarks, one per line. */
export async function copyAddresses(chosen: Chosen): Promise<void> {
  try {
    const { pages } = await ask(api.bookmarks.selections.$post({ json: chosen }))
    if (pages.length === 0) notify(t`None of these has an address to open.`)
    else await copyText(pages.map(({ url }) => url).join('\n'))
  } catch (error) {
    notifyError(error)
  }
}
