import { type ClipboardEvent, useEffect, useState } from 'react'
import type { BookmarkType } from '../../src-main/contract/bookmark.ts'
import { PICTURE_TOO_LARGE } from '../../src-main/contract/bookmark.ts'
import type { CaptureStart, CaptureView, CopiedPicture } from '../../src-main/contract/desktop.ts'
import { detect, fieldsOf, isColor } from '../features/bookmarks/add/detect.ts'
import { pastedPicture } from '../features/bookmarks/add/picture-file.ts'
import { api } from '../shared/api.ts'
import { ask } from '../shared/request.ts'
import { capture as strings } from '../strings/capture.ts'
import { type Begun, begun, isBarePicture } from './begin.ts'
import { host } from './host.ts'
import { readEntry } from './read-entry.ts'
import { type Kept, saveEntry, savePictureEntry } from './save-entry.ts'

/** The message below the window's field. */
export type Outcome = ({ kind: 'existing' } & Kept) | { kind: 'problem'; message: string }

interface State extends Begun {
  /** Counts how often the window opened. */
  round: number
  /** The purpose of the window is known; keys may come before. */
  open: boolean
  /** The window finds, and what was typed waits. */
  finding: boolean
  /** The person changed what the window began with. */
  touched: boolean
  /** The picture itself that is to be saved; what is typed is then its title. */
  picture: File | undefined
  saving: boolean
  outcome: Outcome | undefined
}

const EMPTY: State = {
  round: 0,
  open: false,
  finding: false,
  typed: '',
  touched: false,
  chosen: undefined,
  fields: undefined,
  picture: undefined,
  saving: false,
  outcome: undefined
}

export type Capture = ReturnType<typeof useCapture>

/** One capture after another: what is typed, what it is taken for, and what became of saving it. */
export function useCapture() {
  const [state, setState] = useCaptureState()
  const change = (some: Partial<State>) => setState((now) => ({ ...now, ...some }))
  const taken = takenFor(state)
  const { entry, type, picture } = taken

  function close(): void {
    setState(({ round }) => ({ ...EMPTY, round }))
    host.close()
  }

  async function save(): Promise<void> {
    if (state.saving) return
    if (state.outcome?.kind === 'existing') return close() // it was seen
    if (entry.text === '' && !picture) return change({ outcome: problem(strings.missing[type]) })
    change({ saving: true, outcome: undefined })
    const outcome = await saved(taken, state.fields)
    if (!outcome) return close()
    change({ saving: false, outcome })
  }

  async function undo(): Promise<void> {
    const { outcome } = state
    if (outcome?.kind !== 'existing' || outcome.undo === null) return
    try {
      await ask(api.undo[':id'].$post({ param: { id: String(outcome.undo) }, query: {} }))
      change({ outcome: { ...outcome, addedTags: [], undo: null } })
    } catch (error) {
      change({ outcome: problem(error) })
    }
  }

  return {
    ...state,
    ...taken,
    tags: entry.tags,
    change(typed: string) {
      if (typed === '/' && state.typed === '' && !picture) change({ finding: true })
      else change({ typed, touched: true, outcome: undefined })
    },
    changeFields: (some: { title?: string; description?: string }) =>
      change({ fields: { title: '', description: '', ...state.fields, ...some }, touched: true, outcome: undefined }),
    choose: (chosen: BookmarkType) => change({ chosen, outcome: undefined }),
    paste(event: ClipboardEvent) {
      const pasted = pastedPicture(event)
      if (pasted) change({ chosen: 'image', picture: pasted, touched: true, outcome: undefined })
    },
    /** Turns to finding; what was typed waits. */
    find: () => change({ finding: true }),
    save,
    undo,
    close,
    stopFinding: () => setState((now) => ({ ...now, finding: false, round: now.round + 1 })),
    openBookmark(id: string) {
      setState(({ round }) => ({ ...EMPTY, round }))
      host.openBookmark(id)
    }
  }
}

/** The state, which begins anew as the window opens; the window takes the size of what is shown. */
function useCaptureState() {
  const [state, setState] = useState(EMPTY)
  useEffect(() => {
    host.onBegin((start) => {
      setState((now) => opened(now, start))
      if (isBarePicture(start)) void host.readPicture().then((copied) => setState((now) => withPicture(now, copied)))
    })
  }, [])

  const { round } = state
  const view: CaptureView = state.finding ? 'list' : state.fields ? 'fields' : 'field'
  useEffect(() => {
    if (round > 0) host.setView(view)
  }, [view, round])
  return [state, setState] as const
}

/** Returns the type that the typed text is taken for, and its parts. */
function takenFor({ typed, chosen, picture }: State) {
  const entry = readEntry(typed)
  const detected = detect(entry.text)
  const type = chosen ?? detected.type
  return {
    entry,
    detected,
    type,
    picture: type === 'image' ? picture : undefined,
    /** The color itself, to be shown. */
    color: type === 'color' && isColor(entry.text) ? entry.text : undefined
  }
}

/** Saves what was captured. Returns what is to be told, if anything is. */
async function saved(
  { entry: { text, tags }, detected, type, picture }: ReturnType<typeof takenFor>,
  fields: State['fields']
): Promise<Outcome | undefined> {
  try {
    const about = { title: fields?.title, description: fields?.description, tags }
    const kept = await (picture
      ? savePictureEntry(picture, text, tags)
      : saveEntry(fieldsOf(type, text, detected), about))
    return kept && { kind: 'existing', ...kept }
  } catch (error) {
    return problem(error)
  }
}

/** Returns the state after the window opened. The fields a person changed stay. */
function opened(now: State, start: CaptureStart): State {
  const round = now.round + 1
  const known = { round, open: true }
  if (start.kind === 'find') return { ...now, ...known, finding: true }
  // Who typed already goes on.
  if (start.kind === 'copied' && (now.finding || isBusy(now))) return now
  if (start.kind === 'save' && now.finding && !now.open) return { ...now, open: true }
  return isBusy(now) ? { ...now, ...known, finding: false } : { ...EMPTY, ...begun(start), ...known }
}

function isBusy({ touched, typed, picture }: State): boolean {
  return touched && (typed.trim() !== '' || picture !== undefined)
}

function withPicture(now: State, copied: CopiedPicture | null): State {
  if (isBusy(now)) return now
  if (copied instanceof Uint8Array) return { ...now, picture: new File([copied], 'picture') }
  return { ...now, outcome: problem(copied === null ? strings.noPicture : PICTURE_TOO_LARGE) }
}

function problem(error: unknown): Outcome {
  return { kind: 'problem', message: error instanceof Error ? error.message : String(error) }
}
