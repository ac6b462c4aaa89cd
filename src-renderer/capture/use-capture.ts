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

interface State extends Content {
  /** Counts how often the window opened. */
  round: number
  /** Whether the window has received its content. Keys may arrive before that. */
  open: boolean
  /** Whether the window is in search mode. The typed text is kept. */
  finding: boolean
  /** Whether the user changed the first content. */
  touched: boolean
  /** The file of a picture to save. The typed text is its title. */
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

/** The state of the capture window: the typed text, its detected type, and the result of saving it. */
export function useCapture() {
  const [state, setState] = useCaptureState()
  const change = (changed: Partial<State>) => setState((current) => ({ ...current, ...changed }))
  const detection = detectEntry(state)
  const { entry, type, picture } = detection

  /** Clears the window before it closes. In search mode, a typed text is kept for the next time. */
  function leave(): void {
    setState((current) =>
      current.finding && isBusy(current)
        ? { ...current, finding: false, open: false }
        : { ...EMPTY, round: current.round }
    )
  }

  function close(): void {
    leave()
    host.close()
  }

  async function save(): Promise<void> {
    if (state.saving) return
    if (state.outcome?.kind === 'existing') return close() // the user has seen the message
    if (entry.text === '' && !picture) return change({ outcome: problem(i18n._(MISSING[type])) })
    change({ saving: true, outcome: undefined })
    const outcome = await saveEntry(detection, state.fields)
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
    ...detection,
    tags: entry.tags,
    /** Whether a typed text is kept while the window is in search mode. */
    isWaiting: state.finding && isBusy(state),
    change(typed: string) {
      if (typed === '/' && state.typed === '' && !picture) change({ finding: true })
      else change({ typed, touched: true, outcome: undefined })
    },
    changeFields: (changed: { title?: string; description?: string }) =>
      change({
        fields: { title: '', description: '', ...state.fields, ...changed },
        touched: true,
        outcome: undefined
      }),
    choose: (chosen: BookmarkType) => change({ chosen, outcome: undefined }),
    paste(event: ClipboardEvent) {
      const pasted = pastedPicture(event)
      if (pasted) change({ chosen: 'image', picture: pasted, touched: true, outcome: undefined })
    },
    /** Switches to search mode. */
    find: () => change({ finding: true }),
    save,
    undo,
    close,
    stopFinding: () => setState((current) => ({ ...current, finding: false, round: current.round + 1 })),
    openBookmark(id: string) {
      leave()
      host.openBookmark(id)
    }
  }
}

/** The state, which is reset when the window opens. Sets the size of the window. */
function useCaptureState() {
  const [state, setState] = useState(EMPTY)
  useEffect(() => {
    host.onBegin((start) => {
      setState((current) => openState(current, start))
      if (isOnlyPicture(start))
        void host.readPicture().then((copied) => setState((current) => withPicture(current, copied)))
    })
  }, [])

  const { round } = state
  const view: CaptureView = state.finding ? 'list' : state.fields ? 'fields' : 'field'
  useEffect(() => {
    if (round > 0) host.setView(view)
  }, [view, round])
  return [state, setState] as const
}

/** Returns the parts of the typed text and its detected type. */
function detectEntry({ typed, chosen, picture }: State) {
  const entry = readEntry(typed)
  const detected = detect(entry.text)
  const type = chosen ?? detected.type
  return {
    entry,
    detected,
    type,
    picture: type === 'image' ? picture : undefined,
    /** The color, if it can be shown. */
    color: type === 'color' && isColor(entry.text) ? entry.text : undefined
  }
}

/** Saves the entry. Returns a message to show, or `undefined` if a new bookmark was saved. */
async function saveEntry(
  { entry: { text, tags }, detected, type, picture }: ReturnType<typeof detectEntry>,
  fields: State['fields']
): Promise<Outcome | undefined> {
  try {
    if (picture) return await savePictureFile(picture, text, tags)
    const json = { ...fieldsOf(type, text, detected), ...fields, tags }
    const { status, bookmark, addedTags, undo } = await ask(api.bookmarks.captures.$post({ json }))
    return status === 'saved' ? undefined : existing(bookmark, addedTags, undo)
  } catch (error) {
    return problem(error)
  }
}

async function savePictureFile(picture: File, title: string, tags: string[]): Promise<Outcome | undefined> {
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

/** Returns the state after the window opened. Fields that the user has changed stay. */
function openState(current: State, start: CaptureStart): State {
  const opened = { round: current.round + 1, open: true }
  if (start.kind === 'find') return { ...current, ...opened, finding: true }
  // The clipboard must not replace what the user has typed already.
  if (start.kind === 'copied' && (current.finding || isBusy(current))) return current
  if (start.kind === 'save' && current.finding && !current.open) return { ...current, open: true }
  return isBusy(current) ? { ...current, ...opened, finding: false } : { ...EMPTY, ...createContent(start), ...opened }
}

function isBusy({ touched, typed, picture }: State): boolean {
  return touched && (typed.trim() !== '' || picture !== undefined)
}

function withPicture(current: State, copied: CopiedPicture | null): State {
  if (isBusy(current)) return current
  if (copied instanceof Uint8Array) return { ...current, picture: new File([copied], 'picture') }
  return {
    ...current,
    outcome: problem(copied === null ? t`The copied picture cannot be read. Copy it again.` : PICTURE_TOO_LARGE)
  }
}

function problem(error: unknown): Outcome {
  return { kind: 'problem', message: error instanceof Error ? error.message : String(error) }
}

/** The content of the window. */
interface Content {
  typed: string
  chosen: BookmarkType | undefined
  /** Title and description, if a link has set them. */
  fields: { title: string; description: string } | undefined
}

const NOTHING: Content = { typed: '', chosen: undefined, fields: undefined }

function createContent(start: CaptureStart): Content {
  if (start.kind === 'filled') return fromLink(start.fields)
  return start.kind === 'copied' ? fromClip(start.clip) : NOTHING
}

/** Whether a picture was copied without its address or a text. */
function isOnlyPicture(start: CaptureStart): boolean {
  return start.kind === 'copied' && start.clip !== null && readClip(start.clip)?.text === ''
}

function fromClip(clip: Clip | null): Content {
  const clipping = clip && readClip(clip)
  if (!clipping) return NOTHING
  if (clipping.text === '') return { ...NOTHING, chosen: 'image' }
  return { ...NOTHING, typed: addSpace(clipping.text), chosen: clipping.picture ? 'image' : undefined }
}

function fromLink({ url, title = '', text = '', tags = [] }: CaptureFields): Content {
  const content = url ?? text
  const description = url === undefined ? '' : text
  const typedTags = tags.map(writeTag).join(' ')
  return {
    typed: typedTags === '' ? addSpace(content) : `${content} ${typedTags} `.trimStart(),
    chosen: undefined,
    fields: title === '' && description === '' ? undefined : { title, description }
  }
}

/** Adds a space after an address, so that `#tag` can be typed after it without becoming a part of the address. */
function addSpace(text: string): string {
  return text === '' || detect(text).type === 'text' ? text : `${text} `
}

const MISSING = {
  link: msg`Enter an address.`,
  image: msg`Enter the picture’s address.`,
  color: msg`Enter a color.`,
  text: msg`Enter a text.`
}
