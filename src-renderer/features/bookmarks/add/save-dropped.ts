import { LIMITS } from '../../../../src-main/contract/bookmark.ts'
import { api } from '../../../shared/api.ts'
import { failed, told, withAction } from '../../../shared/notify.tsx'
import { ApiProblem, ask, endsSession } from '../../../shared/request.ts'
import { endSession } from '../../../shared/session.ts'
import { refreshBookmarks, undoable } from '../../../shared/undo.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { detect, fieldsOf } from './detect.ts'
import { savePicture, titleOfFile } from './picture-file.ts'
import type { Dropped } from './read-drop.ts'

/** Saves what was dropped, one after another, and says what became of it. One that is refused keeps none from it. */
export async function saveDropped(dropped: Dropped[], onOpen: (id: string) => void): Promise<void> {
  const saved: string[] = []
  const existing: string[] = []
  for (const one of dropped) {
    try {
      const { status, bookmark } = await save(one)
      ;(status === 'saved' ? saved : existing).push(bookmark.id)
    } catch (error) {
      if (endsSession(error)) return endSession()
      failed(error)
      if (!(error instanceof ApiProblem)) break
    }
  }
  tell(saved, existing, onOpen)
  if (saved.length > 0) await refreshBookmarks()
}

function tell(saved: string[], existing: string[], onOpen: (id: string) => void): void {
  const [only] = existing
  if (saved.length > 0) undoable(strings.dropSaved(saved.length, existing.length), () => takeBack(saved))
  else if (only !== undefined && existing.length === 1) {
    withAction(strings.already, strings.savedOpen, () => onOpen(only))
  } else if (existing.length > 1) told(strings.dropExisting(existing.length))
}

async function takeBack(ids: string[]): Promise<string> {
  const { changed } = await ask(api.bookmarks.changes.$post({ json: { ids, change: { kind: 'delete' } } }))
  return strings.deleted(changed)
}

async function save(one: Dropped) {
  if (!('file' in one)) return ask(api.bookmarks.$post({ json: requestOf(one) }))
  return savePicture(one.file, { title: titleOfFile(one.file) })
}

function requestOf({ text, picture, title }: Exclude<Dropped, { file: File }>) {
  const detected = detect(text)
  return {
    ...fieldsOf(picture ? 'image' : detected.type, text, detected),
    title: title?.slice(0, LIMITS.title)
  }
}
