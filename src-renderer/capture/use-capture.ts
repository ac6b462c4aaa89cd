import { msg, t } from '@lingui/core/macro'
import { type ClipboardEvent, useEffect, useState } from 'react'
import { type BookmarkType, PICTURE_TOO_LARGE } from '../../src-main/contract/bookmark.ts'
import type { CaptureFields, CaptureStart, CaptureView, Clip, CopiedPicture } from '../../src-main/contract/desktop.ts'
import { api, ask, type ShownBookmark } from '../api/client.ts'
import { detect, fieldsOf, isColor, readClip } from '../features/bookmarks/add/detect.ts'
import { pastedPicture, savePicture } from '../features/bookmarks/add/picture-file.tsx'
import { i18n } from '../lib/locale.ts'
import { foldName } from '../lib/match-names.ts'
import { host } from './keys.tsx'
import { readEntry, writeTag } from './read-entry.ts'

/** The message below the window's field. */
export type Outcome = Existing | { kind: 'problem'; message: string }

/** The bookmark existed: the tags it got, and the undo step that removes them. */
interface Existing {
  kind: 'existing'
  id: string
  createdAt: string
  addedTags: string[]
  undo: number | null
}

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

  /** Empties the window before it closes. What waits while the window finds is there when it opens again. */
  function leave(): void {
    setState((now) =>
      now.finding && isBusy(now) ? { ...now, finding: false, open: false } : { ...EMPTY, round: now.round }
    )
  }

  function close(): void {
    leave()
    host.close()
  }

  async function save(): Promise<void> {
    if (state.saving) return
    if (state.outcome?.kind === 'existing') return close() // it was seen
    if (entry.text === '' && !picture) return change({ outcome: problem(i18n._(MISSING[type])) })
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
    /** Whether something that was typed waits while the window finds. */
    isWaiting: state.finding && isBusy(state),
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
      leave()
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

/** Saves what was captured. Returns what there is to report. */
async function saved(
  { entry: { text, tags }, detected, type, picture }: ReturnType<typeof takenFor>,
  fields: State['fields']
): Promise<Outcome | undefined> {
  try {
    if (picture) return await savePictureItself(picture, text, tags)
    const json = { ...fieldsOf(type, text, detected), ...fields, tags }
    const { status, bookmark, addedTags, undo } = await ask(api.bookmarks.captures.$post({ json }))
    return status === 'saved' ? undefined : existing(bookmark, addedTags, undo)
  } catch (error) {
    return problem(error)
  }
}

async function savePictureItself(picture: File, title: string, tags: string[]): Promise<Outcome | undefined> {
  const { status, bookmark } = await savePicture(picture, { title, tags })
  if (status === 'saved') return undefined
  const has = new Set(bookmark.tags.map(foldName))
  const add = tags.filter((tag) => !has.has(foldName(tag)))
  if (add.length === 0) return existing(bookmark, [], null)
  const json = { ids: [bookmark.id], change: { kind: 'tags' as const, add } }
  const { undo } = await ask(api.bookmarks.changes.$post({ query: {}, json }))
  return existing(bookmark, undo === null ? [] : add, undo)
}

function existing({ id, createdAt }: ShownBookmark, addedTags: string[], undo: number | null): Existing {
  return { kind: 'existing', id, createdAt, addedTags, undo }
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
  return {
    ...now,
    outcome: problem(copied === null ? t`The copied picture cannot be read. Copy it again.` : PICTURE_TOO_LARGE)
  }
}

function problem(error: unknown): Outcome {
  return { kind: 'problem', message: error instanceof Error ? error.message : String(error) }
}

/** The field's first content. */
interface Begun {
  typed: string
  chosen: BookmarkType | undefined
  /** Title and description, where a link brought any. */
  fields: { title: string; description: string } | undefined
}

const NOTHING: Begun = { typed: '', chosen: undefined, fields: undefined }

function begun(start: CaptureStart): Begun {
  if (start.kind === 'filled') return fromLink(start.fields)
  return start.kind === 'copied' ? fromClip(start.clip) : NOTHING
}

/** The copied picture itself is meant, and not an address or a text beside it. */
function isBarePicture(start: CaptureStart): boolean {
  return start.kind === 'copied' && start.clip !== null && readClip(start.clip)?.text === ''
}

function fromClip(clip: Clip | null): Begun {
  const wanted = clip && readClip(clip)
  if (!wanted) return NOTHING
  if (wanted.text === '') return { ...NOTHING, chosen: 'image' }
  return { ...NOTHING, typed: withRoom(wanted.text), chosen: wanted.picture ? 'image' : undefined }
}

function fromLink({ url, title = '', text = '', tags = [] }: CaptureFields): Begun {
  const what = url ?? text
  const description = url === undefined ? '' : text
  const words = tags.map(writeTag).join(' ')
  return {
    typed: words === '' ? withRoom(what) : `${what} ${words} `.trimStart(),
    chosen: undefined,
    fields: title === '' && description === '' ? undefined : { title, description }
  }
}

/** A space after an address, so that a tag typed next is one, and no part of the address. */
function withRoom(text: string): string {
  return text === '' || detect(text).type === 'text' ? text : `${text} `
}

const MISSING = {
  link: msg`Enter an address.`,
  image: msg`Enter the picture’s address.`,
  color: msg`Enter a color.`,
  text: msg`Enter a text.`
}
