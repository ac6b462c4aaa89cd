/**
 * Saves what is typed into bookmarks' fields, in one queue. Each request has the version of the bookmark that was read, so
 * that the service refuses to overwrite what was changed elsewhere. Unsaved edits outlive the panel and the page.
 */
import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { openBookmark } from '../lib/opened.ts'
import { createStore, type Store, useStore } from '../lib/store.ts'
import { notifyWithActions } from '../ui/notify.tsx'
import { ApiProblem, api, ask, endsSession, type ShownBookmark } from './client.ts'
import {
  applyRefused,
  applySaved,
  applyTyped,
  type Draft,
  dropSaved,
  type Edits,
  type Field,
  findConflicts,
  findUnsaved,
  listEdits,
  resumeEdits,
  showEdits,
  toDraft
} from './edits.ts'
import { endSession, queryClient, refetch } from './events.ts'
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
  /** Counts stretches of typing, of which each is undone at once. */
  stretch: number
}

const editings = new Map<string, Editing>()

/** The state of what was typed: nothing was, it is being saved, all of it is saved, or the service refuses some of it. */
export type Progress = 'untouched' | 'saving' | 'saved' | 'refused'

/** A bookmark's fields as they are typed into. They save themselves. */
export function useAutosave(bookmark: ShownBookmark) {
  const [editing] = useState(() => edit(bookmark))
  const edits = useStore(editing.edits)
  const [isTouched, setTouched] = useState(false)
  const now = toDraft(bookmark)

  useEffect(() => {
    editing.bookmark = bookmark
  }, [editing, bookmark])
  useEffect(() => {
    editing.panels += 1
    return () => {
      editing.panels -= 1
      void leave(editing)
    }
  }, [editing])

  const conflicts = findConflicts(edits, now)
  return {
    draft: showEdits(edits, now),
    progress: progressOf(edits, conflicts, isTouched),
    /** Why a field cannot be saved as it is. */
    faultOf: (field: Field) => edits[field]?.refused,
    /** Whether a field was changed elsewhere while one typed. */
    isContested: (field: Field) => conflicts.includes(field),
    /** The other version of a contested field, if it is a text. */
    theirs: (field: Field) => (typeof now[field] === 'string' ? t`It is now “${now[field]}”.` : ''),
    set<F extends Field>(field: F, value: Draft[F]): void {
      setTouched(true)
      change(editing, applyTyped(editing.edits.get(), field, value, toDraft(editing.bookmark)))
      saveLater(editing, PAUSE_MS)
    },
    /** Keeps one version of a contested field. */
    decide(field: Field, mine: boolean): void {
      const typed = editing.edits.get()[field]?.typed
      const resolved = mine && typed !== undefined ? { was: toDraft(editing.bookmark)[field], typed } : undefined
      change(editing, { ...editing.edits.get(), [field]: resolved })
      saveLater(editing, 0)
    },
    settle: () => settle(editing)
  }
}

export type Autosave = ReturnType<typeof useAutosave>

function progressOf(edits: Edits, conflicts: Field[], isTouched: boolean): Progress {
  const open = listEdits(edits).filter(([, { saved }]) => !saved)
  if (open.some(([field, { refused }]) => refused !== undefined || conflicts.includes(field))) return 'refused'
  if (open.length > 0) return 'saving'
  return isTouched ? 'saved' : 'untouched'
}

/** Saves what earlier pages left unsaved. */
export async function resumeSaving(): Promise<void> {
  for (const id of listStored().filter((id) => !editings.has(id))) {
    const bookmark = await ask(api.bookmarks[':id'].$get({ param: { id } })).catch(() => undefined)
    if (bookmark) await leave(edit(bookmark))
  }
}

function edit(bookmark: ShownBookmark): Editing {
  const present = editings.get(bookmark.id)
  if (present) return present
  const edits = createStore(resumeEdits(readStored(bookmark.id), toDraft(bookmark)))
  const editing = { edits, bookmark, panels: 0, timer: undefined, stretch: 0 }
  editings.set(bookmark.id, editing)
  writeStored(bookmark.id, edits.get())
  if (listEdits(edits.get()).length > 0) saveLater(editing, 0)
  return editing
}

/** One has left the fields, so what was typed is saved now. */
async function settle(editing: Editing): Promise<void> {
  await save(editing)
  editing.stretch += 1
  change(editing, dropSaved(editing.edits.get()))
}

/** The last panel that showed the bookmark is closed, so what cannot be saved is reported. */
async function leave(editing: Editing): Promise<void> {
  await settle(editing)
  if (editing.panels > 0) return
  const { id } = editing.bookmark
  const open = listEdits(editing.edits.get())
  if (open.length === 0) return void editings.delete(id)
  const reason = open.find(([, { refused }]) => refused)?.[1].refused ?? t`This was changed elsewhere while you typed.`
  notifyWithActions(t`What you typed is kept, but not saved: ${reason}`, [
    { label: t`Open`, run: () => openBookmark(id) }
  ])
}

function change(editing: Editing, edits: Edits): void {
  editing.edits.set(edits)
  writeStored(editing.bookmark.id, edits)
}

function saveLater(editing: Editing, wait: number): void {
  clearTimeout(editing.timer)
  editing.timer = setTimeout(() => void save(editing), wait)
}

let queue: Promise<void> = Promise.resolve()

function save(editing: Editing): Promise<void> {
  clearTimeout(editing.timer)
  queue = queue.then(() => saveFields(editing))
  undoAfter(queue)
  return queue
}

/** Saves one field after the other, so that a refused one does not prevent the others. */
async function saveFields(editing: Editing): Promise<void> {
  const fields = findUnsaved(editing.edits.get(), toDraft(editing.bookmark))
  try {
    for (const field of fields) await saveField(editing, field)
    if (fields.length > 0) void refetch(['bookmarks'])
  } catch (error) {
    if (endsSession(error)) endSession()
    else if (error instanceof ApiProblem && error.status < 500) refuseAll(editing, error)
    else saveLater(editing, RETRY_MS)
  }
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
  const { id, updatedAt: version } = editing.bookmark
  const edits = editing.edits.get()
  const edit = edits[field]
  if (!edit || !findUnsaved(edits, toDraft(editing.bookmark)).includes(field)) return
  const { typed } = edit
  change(editing, { ...edits, [field]: { ...edit, sent: true } })
  try {
    const json = { ...toPatch(field, typed), version }
    const { bookmark, undo } = await ask(api.bookmarks[':id'].$patch({ param: { id }, json }))
    await accept(editing, bookmark)
    change(editing, applySaved(editing.edits.get(), field, typed, toDraft(bookmark)))
    if (undo !== null) remember(nameOfEdit(field, bookmark.title), undo, `${id} ${field} ${editing.stretch}`)
  } catch (error) {
    change(editing, { ...editing.edits.get(), [field]: { ...editing.edits.get()[field], sent: false } })
    if (!(error instanceof ApiProblem) || error.status >= 500 || endsSession(error)) throw error
    const { code, message } = error
    if (code === 'conflict' || code === 'not-found') {
      await accept(editing, await ask(api.bookmarks[':id'].$get({ param: { id } })))
    }
    // Unless this field is what was changed elsewhere: then its owner decides.
    if (code === 'conflict') return saveField(editing, field)
    change(editing, applyRefused(editing.edits.get(), field, typed, message))
  }
}

/** Takes the bookmark as the service has it now. An older answer must not replace it. */
async function accept(editing: Editing, bookmark: ShownBookmark): Promise<void> {
  const { queryKey } = bookmarkOptions(bookmark.id)
  await queryClient.cancelQueries({ queryKey })
  editing.bookmark = bookmark
  queryClient.setQueryData(queryKey, bookmark)
}

function refuseAll(editing: Editing, { code, message }: ApiProblem): void {
  const reason = code === 'not-found' ? t`This bookmark is no longer there.` : message
  let edits = editing.edits.get()
  for (const [field, { typed }] of listEdits(edits)) edits = applyRefused(edits, field, typed, reason)
  change(editing, edits)
}

type Patch = Parameters<(typeof api.bookmarks)[':id']['$patch']>[0]['json']

/** Returns one field's change as a request describes it. */
function toPatch(field: Field, typed: Draft[Field]): Patch {
  return (field === 'place' ? typed : { [field]: typed }) as Patch
}

// The page is left, so what was typed last is sent along. If it does not arrive, the next page finds it in storage.
addEventListener('pagehide', () => {
  for (const editing of editings.values()) {
    const { id } = editing.bookmark
    for (const field of findUnsaved(editing.edits.get(), toDraft(editing.bookmark))) {
      const edit = editing.edits.get()[field]
      if (!edit || edit.sent) continue
      change(editing, { ...editing.edits.get(), [field]: { ...edit, sent: true } })
      const json = toPatch(field, edit.typed)
      void api.bookmarks[':id'].$patch({ param: { id }, json }, { init: { keepalive: true } }).catch(() => {})
    }
  }
})

const PREFIX = 'earmark-unsaved-'

/** Time after which the edits of another tab are saved here, in ms. Until then that tab may save them. */
const ABANDONED_MS = 60_000

interface StoredEdits {
  tab: string
  at: number
  edits: Edits
}

function writeStored(id: string, edits: Edits): void {
  const open = dropSaved(edits)
  if (Object.keys(open).length === 0) localStorage.removeItem(PREFIX + id)
  else {
    const stored: StoredEdits = { tab: thisTab(), at: Date.now(), edits: open }
    localStorage.setItem(PREFIX + id, JSON.stringify(stored))
  }
}

function readStored(id: string): Edits {
  const stored = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') as StoredEdits | null
  return stored && (stored.tab === thisTab() || Date.now() - stored.at > ABANDONED_MS) ? stored.edits : {}
}

/** Returns the bookmarks with edits that may still be saved. A refused one is reported once, and shown in its panel. */
function listStored(): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length))
    .filter((id) => listEdits(readStored(id)).some(([, { refused }]) => refused === undefined))
}

/** Returns a name for this tab, which a reload keeps. */
function thisTab(): string {
  const name = sessionStorage.getItem('earmark-tab-name') ?? crypto.randomUUID()
  sessionStorage.setItem('earmark-tab-name', name)
  return name
}
