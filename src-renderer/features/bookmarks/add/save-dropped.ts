import { plural, t } from '@lingui/core/macro'
import { LIMITS, type Visibility } from '../../../../src-main/contract/bookmark.ts'
import { ApiProblem, api, ask, endsSession } from '../../../api/client.ts'
import { endSession, refetch } from '../../../api/events.ts'
import { offerUndo, type UndoPart } from '../../../api/undo.ts'
import { number } from '../../../lib/locale.ts'
import { notify, notifyError, notifyWithActions } from '../../../ui/notify.tsx'
import { detect, fieldsOf } from './detect.ts'
import { savePicture, titleOfFile } from './picture-file.tsx'
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
    const open = { label: t`Open`, run: () => first !== undefined && onOpen(first) }
    offerUndo(
      plural(saved.length, { one: 'Saved.', other: '# bookmarks saved.' }) +
        (existing.length > 0 ? ` ${t`${number(existing.length)} you had already.`}` : ''),
      partsOf(outcome),
      saved.length === 1 ? [open] : []
    )
  } else if (steps.length > 0)
    offerUndo(
      t`You have ${plural(existing.length, { one: 'this', other: 'all #' })} already. Tags were added.`,
      partsOf(outcome)
    )
  else if (only !== undefined && existing.length === 1) {
    notifyWithActions(t`You have this already`, [{ label: t`Open`, run: () => onOpen(only) }])
  } else if (existing.length > 1) notify(t`You have all ${number(existing.length)} already.`)
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
