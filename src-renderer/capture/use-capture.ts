import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import type { BookmarkType } from '../../src-main/contract/bookmark.ts'
import type { Clip, CopiedPicture } from '../../src-main/contract/desktop.ts'
import { PICTURE_TOO_LARGE } from '../../src-main/contract/picture-limit.ts'
import { detect, fieldsOf, isColor } from '../features/bookmarks/add/detect.ts'
import { picturesIn, savePicture } from '../features/bookmarks/add/picture-file.ts'
import { readClip } from '../features/bookmarks/add/read-clip.ts'
import { api } from '../shared/api.ts'
import { ask } from '../shared/request.ts'
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
  /** The picture itself that is to be saved; what is typed is then its title. */
  picture: File | undefined
  saving: boolean
  outcome: Outcome | undefined
}

const EMPTY: State = {
  typed: '',
  touched: false,
  chosen: undefined,
  picture: undefined,
  saving: false,
  outcome: undefined
}

/** One capture after another: what is typed, what it is taken for, and what became of saving it. */
export function useCapture(onBegin: () => void) {
  const [state, setState] = useState(EMPTY)
  const begin = useRef(onBegin)
  begin.current = onBegin

  useEffect(() => {
    host.onBegin((clip) => {
      setState((now) => (isBusy(now) ? now : begun(clip)))
      begin.current()
      if (isBarePicture(clip)) void host.readPicture().then((copied) => setState((now) => withPicture(now, copied)))
    })
  }, [])

  const entry = readEntry(state.typed)
  const detected = detect(entry.text)
  const type = state.chosen ?? detected.type
  const picture = type === 'image' ? state.picture : undefined

  function close(): void {
    setState(EMPTY)
    host.close()
  }

  async function save(): Promise<void> {
    if (state.saving) return
    if (entry.text === '' && !picture)
      return setState({ ...state, outcome: { kind: 'problem', message: strings.missing[type] } })
    setState({ ...state, saving: true, outcome: undefined })
    try {
      const { status, bookmark } = await (picture
        ? savePicture(picture, { title: entry.text, tags: entry.tags })
        : ask(api.bookmarks.$post({ json: { ...fieldsOf(type, entry.text, detected), tags: entry.tags } })))
      if (status === 'saved') return close()
      setState({ ...state, outcome: { kind: 'existing', id: bookmark.id } })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setState({ ...state, outcome: { kind: 'problem', message } })
    }
  }

  return {
    ...state,
    picture,
    tags: entry.tags,
    /** The color itself, to be shown. */
    color: type === 'color' && isColor(entry.text) ? entry.text : undefined,
    type,
    change: (typed: string) => setState({ ...state, typed, touched: true, outcome: undefined }),
    choose: (chosen: BookmarkType) => setState({ ...state, chosen, outcome: undefined }),
    paste(event: ClipboardEvent) {
      const [pasted] = picturesIn(event.clipboardData)
      if (!pasted || event.clipboardData.getData('text/plain').trim() !== '') return
      event.preventDefault()
      setState({ ...state, chosen: 'image', picture: pasted, touched: true, outcome: undefined })
    },
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
  if (text === '') return { ...EMPTY, chosen: 'image' }
  const typed = detect(text).type === 'text' ? text : `${text} `
  return { ...EMPTY, typed, chosen: picture ? 'image' : undefined }
}

/** What a person changed stays. */
function isBusy({ touched, typed, picture }: State): boolean {
  return touched && (typed.trim() !== '' || picture !== undefined)
}

function isBarePicture(clip: Clip | null): boolean {
  return clip !== null && readClip(clip)?.text === ''
}

function withPicture(now: State, copied: CopiedPicture | null): State {
  if (isBusy(now)) return now
  if (copied instanceof Uint8Array) return { ...now, picture: new File([copied], 'picture') }
  const message = copied === null ? strings.noPicture : PICTURE_TOO_LARGE
  return { ...now, outcome: { kind: 'problem', message } }
}
