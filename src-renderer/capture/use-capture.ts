import { useEffect, useRef, useState } from 'react'
import type { BookmarkType } from '../../src-main/contract/bookmark.ts'
import type { Clip } from '../../src-main/contract/desktop.ts'
import { api } from '../api.ts'
import { ask } from '../app/request.ts'
import { detect, fieldsOf, isColor } from '../features/bookmarks/add/detect.ts'
import { readClip } from '../features/bookmarks/add/read-clip.ts'
import { capture as strings } from '../strings/capture.ts'
import { host } from './host.ts'
import { readEntry } from './read-entry.ts'

/** What the window says below its field. */
export type Outcome = { kind: 'existing'; id: string } | { kind: 'problem'; message: string }

interface State {
  typed: string
  /** The person changed what the window began with. */
  touched: boolean
  /** As chosen; otherwise it is what the text is. */
  chosen: BookmarkType | undefined
  saving: boolean
  outcome: Outcome | undefined
}

const EMPTY: State = { typed: '', touched: false, chosen: undefined, saving: false, outcome: undefined }

/** One capture after another: what is typed, what it is taken for, and what became of saving it. */
export function useCapture(onBegin: () => void) {
  const [state, setState] = useState(EMPTY)
  const begin = useRef(onBegin)
  begin.current = onBegin

  useEffect(() => {
    host.onBegin((clip) => {
      setState((now) => (now.touched && now.typed.trim() !== '' ? now : begun(clip)))
      begin.current()
    })
  }, [])

  const entry = readEntry(state.typed)
  const detected = detect(entry.text)
  const type = state.chosen ?? detected.type

  function close(): void {
    setState(EMPTY)
    host.close()
  }

  async function save(): Promise<void> {
    if (state.saving) return
    if (entry.text === '') return setState({ ...state, outcome: { kind: 'problem', message: strings.missing[type] } })
    setState({ ...state, saving: true, outcome: undefined })
    try {
      const { status, bookmark } = await ask(
        api.bookmarks.$post({ json: { ...fieldsOf(type, entry.text, detected), tags: entry.tags } })
      )
      if (status === 'saved') return close()
      setState({ ...state, outcome: { kind: 'existing', id: bookmark.id } })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setState({ ...state, outcome: { kind: 'problem', message } })
    }
  }

  return {
    ...state,
    tags: entry.tags,
    /** The color itself, to be shown. */
    color: type === 'color' && isColor(entry.text) ? entry.text : undefined,
    type,
    change: (typed: string) => setState({ ...state, typed, touched: true, outcome: undefined }),
    choose: (chosen: BookmarkType) => setState({ ...state, chosen, outcome: undefined }),
    save,
    close,
    openExisting(id: string) {
      setState(EMPTY)
      host.openBookmark(id)
    }
  }
}

/** A space after an address, so that a tag typed next is one, and no part of the address. */
function begun(clip: Clip | null): State {
  const wanted = clip && readClip(clip)
  if (!wanted) return EMPTY
  const { text, picture } = wanted
  if (text === '') return { ...EMPTY, chosen: 'image', outcome: { kind: 'problem', message: strings.noAddress } }
  const typed = detect(text).type === 'text' ? text : `${text} `
  return { ...EMPTY, typed, ...(picture && { chosen: 'image' }) }
}
