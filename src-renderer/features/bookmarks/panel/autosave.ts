import { api } from '../../../shared/api.ts'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { withAction } from '../../../shared/notify.tsx'
import { openBookmark } from '../../../shared/opened.ts'
import { queryClient } from '../../../shared/query-client.ts'
import { refreshBookmarks } from '../../../shared/refresh.ts'
import { ApiProblem, ask, endsSession } from '../../../shared/request.ts'
import { endSession } from '../../../shared/session.ts'
import { type Store, storeOf } from '../../../shared/store.ts'
import { remember, undoAfter } from '../../../shared/undo.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { bookmarkOptions } from './bookmark-options.ts'
import { type Draft, draftOf, type Field, patchOf } from './draft.ts'
import { type Edits, entriesOf, refusedAs, resumed, savedAs, typedInto, unsaved, withoutSaved } from './edits.ts'
import { keepEdits, keptEdits, leftUnsaved } from './kept-edits.ts'

/** After so long without a key what was typed is saved, in milliseconds. */
const PAUSE_MS = 500

/** When the service did not answer, it is asked again after this, in milliseconds. */
const AGAIN_MS = 3000

/** One bookmark's edits. They outlive the panel that shows them. */
interface Session {
  edits: Store<Edits>
  /** The bookmark as it was last seen. */
  bookmark: ShownBookmark
  /** Panels that show it. */
  watched: number
  timer: ReturnType<typeof setTimeout> | undefined
  saving: Promise<void> | undefined
  /** Counts stretches of typing: each is one step back. */
  stretch: number
}

const sessions = new Map<string, Session>()

export function sessionOf(bookmark: ShownBookmark): Session {
  const known = sessions.get(bookmark.id)
  if (known) return known
  const edits = storeOf(resumed(keptEdits(bookmark.id), draftOf(bookmark)))
  const session = { edits, bookmark, watched: 0, timer: undefined, saving: undefined, stretch: 0 }
  sessions.set(bookmark.id, session)
  keepEdits(bookmark.id, edits.get())
  if (entriesOf(edits.get()).length > 0) saveLater(session, 0)
  return session
}

/** Takes what is typed into a field. It is saved by itself. */
export function typeInto<F extends Field>(session: Session, field: F, value: Draft[F]): void {
  change(session, typedInto(session.edits.get(), field, value, draftOf(session.bookmark)))
  saveLater(session, PAUSE_MS)
}

/** Nobody is in the fields any more: what was typed is saved now. */
export async function settle(session: Session): Promise<void> {
  await save(session)
  session.stretch += 1
  change(session, withoutSaved(session.edits.get()))
}

/** Settles what was changed here and elsewhere. */
export function decide(session: Session, field: Field, mine: boolean): void {
  const edit = session.edits.get()[field]
  const was = draftOf(session.bookmark)[field]
  change(session, { ...session.edits.get(), [field]: mine && edit ? { was, typed: edit.typed } : undefined })
  saveLater(session, 0)
}

/** The last panel that showed it is gone: what cannot be saved is told. */
export async function leave(session: Session): Promise<void> {
  await settle(session)
  if (session.watched > 0) return
  const { id } = session.bookmark
  const left = entriesOf(session.edits.get())
  if (left.length === 0) return void sessions.delete(id)
  const reason = left.find(([, { refused }]) => refused)?.[1].refused ?? strings.changedElsewhere
  withAction(strings.notSaved(reason), strings.savedOpen, () => openBookmark(id))
}

/** Saves what earlier pages left unsaved. */
export async function resumeSaving(): Promise<void> {
  for (const id of leftUnsaved().filter((one) => !sessions.has(one))) {
    const bookmark = await ask(api.bookmarks[':id'].$get({ param: { id } })).catch(() => undefined)
    if (bookmark) await leave(sessionOf(bookmark))
  }
}

function change(session: Session, edits: Edits): void {
  session.edits.set(edits)
  keepEdits(session.bookmark.id, edits)
}

function saveLater(session: Session, pause: number): void {
  clearTimeout(session.timer)
  session.timer = setTimeout(() => void save(session), pause)
}

/** Saves all that can be, one field after the other: what is wrong with one keeps none of the others. */
function save(session: Session): Promise<void> {
  clearTimeout(session.timer)
  if (session.saving) return session.saving.then(() => save(session))
  if (unsaved(session.edits.get(), draftOf(session.bookmark)).length === 0) return Promise.resolve()
  session.saving = saveFields(session).finally(() => {
    session.saving = undefined
  })
  undoAfter(session.saving)
  return session.saving
}

async function saveFields(session: Session): Promise<void> {
  const { id } = session.bookmark
  try {
    // Whoever changed it a moment ago is asked about, not overwritten.
    await seen(session, await ask(api.bookmarks[':id'].$get({ param: { id } })))
    const fields = unsaved(session.edits.get(), draftOf(session.bookmark))
    for (const field of fields) await saveField(session, field)
    if (fields.length > 0) await refreshBookmarks()
  } catch (error) {
    if (endsSession(error)) endSession()
    else if (error instanceof ApiProblem && error.status < 500) refuseAll(session, error)
    else saveLater(session, AGAIN_MS)
  }
}

/** @throws what keeps the other fields from being saved too */
async function saveField(session: Session, field: Field): Promise<void> {
  const { id } = session.bookmark
  const edit = session.edits.get()[field]
  if (!edit) return
  const { typed } = edit
  change(session, { ...session.edits.get(), [field]: { ...edit, sent: true } })
  try {
    const { bookmark, undo } = await ask(api.bookmarks[':id'].$patch({ param: { id }, json: patchOf(field, typed) }))
    await seen(session, bookmark)
    change(session, savedAs(session.edits.get(), field, typed, draftOf(bookmark)))
    if (undo !== null) remember(strings.editOf(field, bookmark.title), undo, `${id} ${field} ${session.stretch}`)
  } catch (error) {
    const refused = error instanceof ApiProblem && error.status < 500 && !endsSession(error)
    if (refused) change(session, refusedAs(session.edits.get(), field, typed, error.message))
    else {
      change(session, { ...session.edits.get(), [field]: { ...session.edits.get()[field], sent: false } })
      throw error
    }
  }
}

/** The bookmark as the service has it now; an answer that is older must not replace it. */
async function seen(session: Session, bookmark: ShownBookmark): Promise<void> {
  const { queryKey } = bookmarkOptions(bookmark.id)
  await queryClient.cancelQueries({ queryKey })
  session.bookmark = bookmark
  queryClient.setQueryData(queryKey, bookmark)
}

function refuseAll(session: Session, { code, message }: ApiProblem): void {
  const reason = code === 'not-found' ? strings.gone : message
  let edits = session.edits.get()
  for (const [field, { typed }] of entriesOf(edits)) edits = refusedAs(edits, field, typed, reason)
  change(session, edits)
}

/** The page goes: what was typed last goes along. Where it does not arrive, the next page finds it in storage. */
addEventListener('pagehide', () => {
  for (const session of sessions.values()) {
    const { id } = session.bookmark
    for (const field of unsaved(session.edits.get(), draftOf(session.bookmark))) {
      const edit = session.edits.get()[field]
      if (!edit || edit.sent) continue
      change(session, { ...session.edits.get(), [field]: { ...edit, sent: true } })
      const json = patchOf(field, edit.typed)
      void api.bookmarks[':id'].$patch({ param: { id }, json }, { init: { keepalive: true } }).catch(() => {})
    }
  }
})
