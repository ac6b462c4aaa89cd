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

/** Time without a key after which what was typed is saved, in ms. */
const PAUSE_MS = 500

/** Time until a save that the service did not answer is repeated, in ms. */
const RETRY_MS = 3000

/** One bookmark's edits. */
interface Editing {
  edits: Store<Edits>
  /** The bookmark as it was last read. */
  bookmark: ShownBookmark
  /** Number of panels that show it. */
  panels: number
  timer: ReturnType<typeof setTimeout> | undefined
  /** Its requests, one after the other. */
  queue: Promise<void>
  /** The error of the last request, if it concerns all fields. */
  fault?: unknown
  /** The id of the notice that reports what is not saved. */
  notice?: string | undefined
  /** Edits with the same id are undone together. */
  typingId: string
}

const editings = new Map<string, Editing>()

/** The state of what was typed: nothing was, it is being saved, all of it is saved, or the service refuses some of it. */
type Progress = 'untouched' | 'saving' | 'saved' | 'refused'

/** A bookmark's fields as they are typed into. They save themselves. */
export function useAutosave(bookmark: ShownBookmark) {
  const [editing] = useState(() => edit(bookmark))
  const edits = useStore(editing.edits)
  const [isTouched, setTouched] = useState(false)
  const now = readFields(bookmark)

  useEffect(() => read(editing, bookmark), [editing, bookmark])
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
    /** Why a field cannot be saved as it is. */
    faultOf: (field: Field) => edits[field]?.refused,
    /** The library's value of a field that was changed elsewhere while one typed. */
    valueElsewhere: <F extends Field>(field: F): Fields[F] | undefined =>
      conflicts.includes(field) ? now[field] : undefined,
    set<F extends Field>(field: F, value: Fields[F]): void {
      setTouched(true)
      change(editing, applyTyped(editing.edits.get(), field, value, readFields(editing.bookmark)))
      saveLater(editing, PAUSE_MS)
    },
    /** Keeps one version of a contested field. */
    chooseVersion(field: Field, mine: boolean): void {
      const { [field]: edit, ...others } = editing.edits.get()
      const now = readFields(editing.bookmark)
      change(editing, mine && edit ? applyTyped(others, field, edit.typed, now) : others)
      saveLater(editing, 0)
    },
    saveNow: () => saveNow(editing)
  }
}

export type Autosave = ReturnType<typeof useAutosave>

/** Saves what earlier pages left unsaved. A refused text is reported once, and shown in its panel. */
export async function resumeSaving(): Promise<void> {
  await takeOverDrafts(resume)
  for (const id of listDrafts()) {
    const draft = readDraft(id)
    if (editings.has(id) || listOpen(draft).every(([, { refused }]) => refused !== undefined)) continue
    try {
      const bookmark = await askBookmark(id)
      // The panel shows what was typed into a bookmark in the trash.
      if (bookmark.deletedAt === null) await leavePanel(edit(bookmark))
    } catch (error) {
      if (isNotFound(error)) offerDraft(id, draft)
    }
  }
}

const askBookmark = (id: string) => ask(api.bookmarks[':id'].$get({ param: { id } }))

const isNotFound = (error: unknown) => error instanceof ApiProblem && error.code === 'not-found'

/** No other page has had the name, because changes that can be undone outlive a page. */
const newTypingId = () => crypto.randomUUID()

function edit(bookmark: ShownBookmark): Editing {
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

/** Goes on with what an earlier page typed, if the bookmark is shown. */
function resume(id: string): void {
  const editing = editings.get(id)
  const edits = resumeEdits(readDraft(id))
  if (!editing || listOpen(edits).length === 0) return
  editing.edits.set(edits)
  saveLater(editing, 0)
}

/** Takes the bookmark as it was read. */
function read(editing: Editing, bookmark: ShownBookmark): void {
  const isRestored = editing.bookmark.deletedAt !== null && bookmark.deletedAt === null
  editing.bookmark = bookmark
  change(editing, applyRead(editing.edits.get(), readFields(bookmark)))
  if (isRestored) saveLater(editing, 0)
}

/** One has left the fields, so what was typed is saved now. */
async function saveNow(editing: Editing): Promise<void> {
  await save(editing)
  editing.typingId = newTypingId()
  change(editing, dropSaved(editing.edits.get()))
}

/** The last panel that showed the bookmark is closed, so what cannot be saved is reported. */
async function leavePanel(editing: Editing): Promise<void> {
  await saveNow(editing)
  const { bookmark, panels } = editing
  const { id, deletedAt } = bookmark
  const open = listOpen(editing.edits.get())
  if (panels > 0 || open.length === 0) return
  // Nothing was sent to a bookmark in the trash, which may have been emptied since.
  if (deletedAt !== null) await askBookmark(id).catch((error) => (editing.fault = error))
  const { fault } = editing
  if (isNotFound(fault)) return offerDraft(id, editing.edits.get())
  const refused = open.find(([, edit]) => edit.refused)?.[1].refused
  const trashed = deletedAt === null ? undefined : t`This bookmark is in the trash.`
  const failed = fault instanceof Error ? fault.message : undefined
  const reason = refused ?? trashed ?? failed ?? t`This was changed elsewhere while you typed.`
  const show = { label: t`Open`, run: () => openBookmark(id) }
  editing.notice = notify(t`What you typed is kept, but not saved: ${reason}`, [show])
}

function change(editing: Editing, edits: Edits): void {
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

/** Lists the fields to save. A bookmark in the trash keeps what was typed until it is restored. */
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
    if (isNotFound(error)) change(editing, { ...editing.edits.get() })
    else saveLater(editing, RETRY_MS)
  }
  if (listOpen(editing.edits.get()).length > 0) return
  if (editing.notice !== undefined) notifications.hide(editing.notice)
  if (editing.panels === 0) editings.delete(editing.bookmark.id)
}

function nameOfEdit(field: Field, title: string): string {
  const name = title || t`Untitled`
  if (field === 'title') return t`Title of “${name}”`
  if (field === 'url') return t`Address of “${name}”`
  if (field === 'description') return t`Description of “${name}”`
  if (field === 'content') return t`Content of “${name}”`
  return field === 'tags' ? t`Tags of “${name}”` : t`Visibility of “${name}”`
}

/** @throws what prevents the other fields from being saved too */
async function saveField(editing: Editing, field: Field): Promise<void> {
  const { id } = editing.bookmark
  const edits = editing.edits.get()
  const edit = edits[field]
  if (!edit || !listUnsaved(editing).includes(field)) return
  change(editing, { ...edits, [field]: { ...edit, sent: edit.typed } })
  try {
    const { bookmark, undo } = await ask(api.bookmarks[':id'].$patch({ param: { id }, json: toPatch(edits, [field]) }))
    await accept(editing, bookmark)
    change(editing, applySaved(editing.edits.get(), field, readFields(bookmark)))
    if (undo !== null) remember(nameOfEdit(field, bookmark.title), undo, `${id} ${field} ${editing.typingId}`)
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500 || endsSession(error)) throw error
    const { code, message } = error
    if (code === 'conflict' || code === 'not-found') await accept(editing, await askBookmark(id))
    if (code !== 'conflict') return change(editing, applyRefused(editing.edits.get(), field, message))
    const now = editing.edits.get()[field]
    change(editing, { ...editing.edits.get(), [field]: now && { ...now, sent: undefined } })
    // Tries again, unless this field itself was changed elsewhere: then the user chooses.
    return saveField(editing, field)
  }
}

/** Takes the bookmark as the service has it now. An older answer must not replace it. */
async function accept(editing: Editing, bookmark: ShownBookmark): Promise<void> {
  const { id } = bookmark
  const { queryKey } = bookmarkOptions(id)
  await queryClient.cancelQueries({ queryKey })
  read(editing, bookmark)
  queryClient.setQueryData(queryKey, bookmark)
  // Lists that wait with new bookmarks show the edited one.
  queryClient.setQueriesData<BookmarksPage>({ queryKey: ['bookmarks', 'list'] }, (page) => {
    if (!page?.bookmarks.some((other) => other.id === id)) return page
    return { ...page, bookmarks: page.bookmarks.map((other) => (other.id === id ? bookmark : other)) }
  })
}

// A page that resumes nothing else shows what was typed before it was loaded.
void takeOverDrafts(resume)

// The page is left, so what was typed last is sent along. If it does not arrive, the next page has the draft.
addEventListener('pagehide', () => {
  for (const [id, editing] of editings) {
    const fields = listUnsaved(editing)
    if (fields.length === 0) continue
    const json = toPatch(editing.edits.get(), fields)
    void api.bookmarks[':id'].$patch({ param: { id }, json }, { init: { keepalive: true } }).catch(() => {})
  }
})
