/**
 * Saves what is typed into bookmarks' fields, in one queue for each bookmark. Each request sends the version of the
 * bookmark that this window last read. If the bookmark was changed elsewhere since, the service refuses. Unsaved edits stay
 * when the panel closes; as drafts, they stay when the window closes.
 */
import { t } from '@lingui/core/macro'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { openBookmark } from '../lib/opened.ts'
import { createStore, type Store, useStore } from '../lib/store.ts'
import { notify } from '../ui/notify.tsx'
import { ApiProblem, api, ask, type BookmarksPage, endsSession, type ShownBookmark } from './client.ts'
import { listDrafts, offerDraft, readDraft, takeOverDrafts, writeDraft } from './drafts.ts'
import {
  applyRead,
  applyRefused,
  applySaved,
  applyTyped,
  dropSaved,
  type Edits,
  type Field,
  type Fields,
  findConflicts,
  findUnsaved,
  listOpen,
  readFields,
  resumeEdits,
  showEdits,
  toPatch
} from './edits.ts'
import { endSession, queryClient, refetchSoon } from './events.ts'
import { bookmarkOptions } from './queries.ts'
import { remember, undoAfter } from './undo.ts'

/** Pause in typing before a field is saved, in ms. */
const PAUSE_MS = 500

/** Time before a save that got no answer is tried again, in ms. */
const RETRY_MS = 3000

/** The edits of a bookmark, and their requests. */
interface Editing {
  edits: Store<Edits>
  /** The bookmark as it was last read. */
  bookmark: ShownBookmark
  /** Number of panels that show it. */
  panels: number
  timer: ReturnType<typeof setTimeout> | undefined
  /** Requests run one after another. */
  queue: Promise<void>
  /** The error of the last request, if it concerns all fields. */
  fault?: unknown
  /** The id of the notice that reports what is not saved. */
  notice?: string | undefined
  /** Edits with the same id are undone together. */
  typingId: string
}

const editings = new Map<string, Editing>()

/** Nothing was typed; typed values are being saved; all are saved; or the service refused one. */
type Progress = 'untouched' | 'saving' | 'saved' | 'refused'

/** The fields of a bookmark for a form. Typed values are saved automatically. */
export function useAutosave(bookmark: ShownBookmark) {
  const [editing] = useState(() => startEditing(bookmark))
  const edits = useStore(editing.edits)
  const [isTouched, setTouched] = useState(false)
  const now = readFields(bookmark)

  useEffect(() => applyBookmark(editing, bookmark), [editing, bookmark])
  useEffect(() => {
    editings.set(editing.bookmark.id, editing)
    editing.panels += 1
    return () => {
      editing.panels -= 1
      void leavePanel(editing)
    }
  }, [editing])

  const conflicts = findConflicts(edits, now)
  const open = listOpen(edits)
  const isRefused = open.some(([field, { refused }]) => refused !== undefined || conflicts.includes(field))
  const isStuck = isRefused || bookmark.deletedAt !== null || isNotFound(editing.fault)
  const progress: Progress = open.length > 0 ? (isStuck ? 'refused' : 'saving') : isTouched ? 'saved' : 'untouched'
  return {
    fields: showEdits(edits, now),
    progress,
    /** The reason why the service refused a field. */
    faultOf: (field: Field) => edits[field]?.refused,
    /** The library's value of a field that was changed elsewhere while the user typed. */
    valueElsewhere: <F extends Field>(field: F): Fields[F] | undefined =>
      conflicts.includes(field) ? now[field] : undefined,
    set<F extends Field>(field: F, value: Fields[F]): void {
      setTouched(true)
      setEdits(editing, applyTyped(editing.edits.get(), field, value, readFields(editing.bookmark)))
      saveLater(editing, PAUSE_MS)
    },
    /** Resolves a conflict: keeps the typed value of the field, or the library's. */
    chooseVersion(field: Field, mine: boolean): void {
      const { [field]: edit, ...others } = editing.edits.get()
      const now = readFields(editing.bookmark)
      setEdits(editing, mine && edit ? applyTyped(others, field, edit.typed, now) : others)
      saveLater(editing, 0)
    },
    saveNow: () => saveNow(editing)
  }
}

export type Autosave = ReturnType<typeof useAutosave>

/** Saves the drafts of earlier pages. Values that the service refused are not sent again; the panel shows them. */
export async function resumeSaving(): Promise<void> {
  await takeOverDrafts(resume)
  for (const id of listDrafts()) {
    const draft = readDraft(id)
    if (editings.has(id) || listOpen(draft).every(([, { refused }]) => refused !== undefined)) continue
    try {
      const bookmark = await fetchBookmark(id)
      // The draft of a bookmark in the trash waits until its panel opens.
      if (bookmark.deletedAt === null) await leavePanel(startEditing(bookmark))
    } catch (error) {
      if (isNotFound(error)) offerDraft(id, draft)
    }
  }
}

const fetchBookmark = (id: string) => ask(api.bookmarks[':id'].$get({ param: { id } }))

const isNotFound = (error: unknown) => error instanceof ApiProblem && error.code === 'not-found'

/** Unique across pages, because undo steps outlive the page that made them. */
const newTypingId = () => crypto.randomUUID()

function startEditing(bookmark: ShownBookmark): Editing {
  const { id } = bookmark
  const editing = editings.get(id) ?? {
    edits: createStore<Edits>({}),
    bookmark,
    panels: 0,
    timer: undefined,
    queue: Promise.resolve(),
    typingId: newTypingId()
  }
  if (!editings.has(id)) {
    editings.set(id, editing)
    resume(id)
  }
  return editing
}

/** Loads the draft of a bookmark that is being edited, and saves it. */
function resume(id: string): void {
  const editing = editings.get(id)
  const edits = resumeEdits(readDraft(id))
  if (!editing || listOpen(edits).length === 0) return
  editing.edits.set(edits)
  saveLater(editing, 0)
}

/** Updates the edits after the bookmark was read again. */
function applyBookmark(editing: Editing, bookmark: ShownBookmark): void {
  const isRestored = editing.bookmark.deletedAt !== null && bookmark.deletedAt === null
  editing.bookmark = bookmark
  setEdits(editing, applyRead(editing.edits.get(), readFields(bookmark)))
  if (isRestored) saveLater(editing, 0)
}

/** Saves without a pause, after the user left the fields. */
async function saveNow(editing: Editing): Promise<void> {
  await save(editing)
  editing.typingId = newTypingId()
  setEdits(editing, dropSaved(editing.edits.get()))
}

/** Saves the edits. If no panel shows the bookmark any more, edits that cannot be saved are reported. */
async function leavePanel(editing: Editing): Promise<void> {
  await saveNow(editing)
  const { bookmark, panels } = editing
  const { id, deletedAt } = bookmark
  const open = listOpen(editing.edits.get())
  if (panels > 0 || open.length === 0) return
  // Edits of a bookmark in the trash are not sent. Check whether it was deleted permanently.
  if (deletedAt !== null) await fetchBookmark(id).catch((error) => (editing.fault = error))
  const { fault } = editing
  if (isNotFound(fault)) return offerDraft(id, editing.edits.get())
  const refused = open.find(([, edit]) => edit.refused)?.[1].refused
  const trashed = deletedAt === null ? undefined : t`This bookmark is in the trash.`
  const failed = fault instanceof Error ? fault.message : undefined
  const reason = refused ?? trashed ?? failed ?? t`This was changed elsewhere while you typed.`
  const show = { label: t`Open`, run: () => openBookmark(id) }
  editing.notice = notify(t`What you typed is kept, but not saved: ${reason}`, [show])
}

function setEdits(editing: Editing, edits: Edits): void {
  editing.edits.set(edits)
  writeDraft(editing.bookmark.id, edits)
}

function saveLater(editing: Editing, wait: number): void {
  clearTimeout(editing.timer)
  editing.timer = setTimeout(() => void save(editing), wait)
}

function save(editing: Editing): Promise<void> {
  clearTimeout(editing.timer)
  editing.queue = editing.queue.then(() => saveFields(editing))
  undoAfter(editing.queue)
  return editing.queue
}

/** Lists the fields to save. Edits of a bookmark in the trash wait until it is restored. */
function listUnsaved({ bookmark, edits }: Editing): Field[] {
  return bookmark.deletedAt === null ? findUnsaved(edits.get(), readFields(bookmark)) : []
}

/** Saves one field after the other, so that a refused one does not prevent the others. */
async function saveFields(editing: Editing): Promise<void> {
  const fields = listUnsaved(editing)
  try {
    for (const field of fields) await saveField(editing, field)
    editing.fault = undefined
    if (fields.length > 0) void refetchSoon('bookmarks')
  } catch (error) {
    if (endsSession(error)) return endSession()
    editing.fault = error
    if (isNotFound(error)) setEdits(editing, { ...editing.edits.get() })
    else saveLater(editing, RETRY_MS)
  }
  if (listOpen(editing.edits.get()).length > 0) return
  if (editing.notice !== undefined) notifications.hide(editing.notice)
  if (editing.panels === 0) editings.delete(editing.bookmark.id)
}

function describeEdit(field: Field, title: string): string {
  const name = title || t`Untitled`
  if (field === 'title') return t`Title of “${name}”`
  if (field === 'url') return t`Address of “${name}”`
  if (field === 'description') return t`Description of “${name}”`
  if (field === 'content') return t`Content of “${name}”`
  return field === 'tags' ? t`Tags of “${name}”` : t`Visibility of “${name}”`
}

/** @throws an error that also prevents saving the other fields */
async function saveField(editing: Editing, field: Field): Promise<void> {
  const { id } = editing.bookmark
  const edits = editing.edits.get()
  const edit = edits[field]
  if (!edit || !listUnsaved(editing).includes(field)) return
  setEdits(editing, { ...edits, [field]: { ...edit, sent: edit.typed } })
  try {
    const { bookmark, undo } = await ask(api.bookmarks[':id'].$patch({ param: { id }, json: toPatch(edits, [field]) }))
    await storeBookmark(editing, bookmark)
    setEdits(editing, applySaved(editing.edits.get(), field, readFields(bookmark)))
    if (undo !== null) remember(describeEdit(field, bookmark.title), undo, `${id} ${field} ${editing.typingId}`)
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500 || endsSession(error)) throw error
    const { code, message } = error
    if (code === 'conflict' || code === 'not-found') await storeBookmark(editing, await fetchBookmark(id))
    if (code !== 'conflict') return setEdits(editing, applyRefused(editing.edits.get(), field, message))
    const latest = editing.edits.get()[field]
    setEdits(editing, { ...editing.edits.get(), [field]: latest && { ...latest, sent: undefined } })
    // Tries again, unless this field itself was changed elsewhere: then the user chooses.
    return saveField(editing, field)
  }
}

/** Stores an answer of the service. Running requests are cancelled, because their answers may be older. */
async function storeBookmark(editing: Editing, bookmark: ShownBookmark): Promise<void> {
  const { id } = bookmark
  const { queryKey } = bookmarkOptions(id)
  await queryClient.cancelQueries({ queryKey })
  applyBookmark(editing, bookmark)
  queryClient.setQueryData(queryKey, bookmark)
  // A list that is on hold is not fetched again, so the bookmark is replaced in its data.
  queryClient.setQueriesData<BookmarksPage>({ queryKey: ['bookmarks', 'list'] }, (page) => {
    if (!page?.bookmarks.some((other) => other.id === id)) return page
    return { ...page, bookmarks: page.bookmarks.map((other) => (other.id === id ? bookmark : other)) }
  })
}

// Pages that do not call `resumeSaving` show earlier drafts too.
void takeOverDrafts(resume)

// Sends unsaved edits while the page closes. If they do not arrive, the next page has the draft.
addEventListener('pagehide', () => {
  for (const [id, editing] of editings) {
    const fields = listUnsaved(editing)
    if (fields.length === 0) continue
    const json = toPatch(editing.edits.get(), fields)
    void api.bookmarks[':id'].$patch({ param: { id }, json }, { init: { keepalive: true } }).catch(() => {})
  }
})
