import { useDebouncedCallback } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { BookmarkType } from '../../../../src-main/contract/bookmark.ts'
import { withoutOpened, withSameOpened } from '../../../lib/opened.ts'
import { queryOf, readView, type View, viewAddress } from './view.ts'

/** How long after a key the service is asked, in milliseconds. It answers in half of that. */
const PAUSE_MS = 30

/** The view of Home, kept in the address, and the function that changes it. */
export function useView(type: BookmarkType | undefined) {
  const search = withoutOpened(useSearch())
  const [, go] = useLocation()
  const view = useMemo(() => readView(type, search), [type, search])
  const [typed, setTyped] = useState(view.words)
  const [typing, setTyping] = useState(false)
  const query = useMemo(() => queryOf(view, typing && !/\s$/.test(view.words)), [view, typing])

  const show = useCallback((next: View, replace = false) => go(withSameOpened(viewAddress(next)), { replace }), [go])
  // What is typed replaces the address: one step back leaves the search, not a letter of it.
  const ask = useDebouncedCallback((words: string) => show({ ...view, words }, view.words !== ''), PAUSE_MS)

  // Back, forward and links change the words too.
  useEffect(() => setTyped((now) => (now.trim() === view.words.trim() ? now : view.words)), [view.words])

  return {
    view,
    query,
    show,
    typed,
    type(words: string) {
      setTyped(words)
      setTyping(true)
      ask(words)
    },
    /** The words are complete. */
    commit() {
      setTyping(false)
      ask.flush()
    }
  }
}
