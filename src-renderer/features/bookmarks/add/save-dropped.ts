import { LIMITS, type Visibility } from '../../../../src-main/contract/bookmark.ts'
import { ApiProblem, api, ask, endsSession } from '../../../api/client.ts'
import { endSession, refetch } from '../../../api/events.ts'
import { offerUndo, type UndoPart } from '../../../api/undo.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { notify, notifyError, notifyWithActions } from '../../../ui/notify.tsx'
import { detect, fieldsOf } from './detect.ts'
import { savePicture, titleOfFile } from './picture-file.ts'
import type { Dropped } from './read-drop.ts'

/**
 * Saves what was dropped, one after another, and says what became of it. One that is refused keeps none from it.
 *
 * @param said tags and place for all of them; what is there already gets the tags too
 * @returns those that were not saved
 */
export async function saveDropped(
  dropped: Dropped[],
  onOpen: (id: string) => void,
  fields: SharedFields = {}
): Promise<Dropped[]> {
  const saved: string[] = []
  const existing: string[] = []
  const steps: number[] = []
  const left = new Set(dropped)
  for (const one of dropped) {
    try {
      const { status, bookmark, undo } = await save(one, fields)
      ;(status === 'saved' ? saved : existing).push(bookmark.id)
      if (undo !== null && status === 'existing') steps.push(undo)
      left.delete(one)
    } catch (error) {
      if (endsSession(error)) {
        endSession()
        break
      }
      notifyError(error)
      if (!(error instanceof ApiProblem)) break
    }
  }
  tell({ saved, existing, steps }, onOpen)
  if (saved.length > 0 || steps.length > 0) await refetch(['bookmarks'])
  return [...left]
}

/** Fields that all of them get. */
interface SharedFields {
  tags?: string[]
  visibility?: Visibility
  organization?: string | undefined
}

/** Bookmarks by their ids, and the steps that take back the tags that some of them got. */
interface Outcome {
  saved: string[]
  existing: string[]
  steps: number[]
}

function tell(outcome: Outcome, onOpen: (id: string) => void): void {
  const { saved, existing, steps } = outcome
  const [only] = existing
  if (saved.length > 0) {
    const [first] = saved
    const open = { label: strings.savedOpen, run: () => first !== undefined && onOpen(first) }
    offerUndo(strings.dropSaved(saved.length, existing.length), partsOf(outcome), saved.length === 1 ? [open] : [])
  } else if (steps.length > 0) offerUndo(strings.dropTagged(existing.length), partsOf(outcome))
  else if (only !== undefined && existing.length === 1) {
    notifyWithActions(strings.already, [{ label: strings.savedOpen, run: () => onOpen(only) }])
  } else if (existing.length > 1) notify(strings.dropExisting(existing.length))
}

function partsOf({ saved, steps }: Outcome): UndoPart[] {
  const tagged = steps.toReversed().map((step) => ({ step }))
  return saved.length > 0 ? [...tagged, { trash: saved }] : tagged
}

async function save(one: Dropped, fields: SharedFields) {
  if (!('file' in one)) return ask(api.bookmarks.captures.$post({ json: { ...requestOf(one), ...fields } }))
  return { ...(await savePicture(one.file, { title: titleOfFile(one.file) })), undo: null }
}

function requestOf({ text, picture, title }: Exclude<Dropped, { file: File }>) {
  const detected = detect(text)
  return {
    ...fieldsOf(picture ? 'image' : detected.type, text, detected),
    title: title?.slice(0, LIMITS.title)
  }
}
