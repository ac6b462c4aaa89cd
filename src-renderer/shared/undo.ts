import { common } from '../strings/common.ts'
import { api } from './api.ts'
import { told, undoable } from './notify.tsx'
import { queryClient } from './query-client.ts'
import { ask } from './request.ts'

/** Says what was done, and offers to take it back where the service kept a step for that. */
export function toldWithUndo(message: string, step: number | null): void {
  if (step === null) told(message)
  else undoable(message, () => takeBack(step))
}

async function takeBack(step: number): Promise<void> {
  const { kept } = await ask(api.undo[':id'].$post({ param: { id: String(step) } }))
  await refreshBookmarks()
  told(kept > 0 ? common.undoneBut(kept) : common.undone)
}

/** Asks again for everything that shows bookmarks, after a change to some. */
export async function refreshBookmarks(): Promise<void> {
  const kinds = ['bookmarks', 'counts', 'tags', 'status']
  await Promise.all(kinds.map((kind) => queryClient.invalidateQueries({ queryKey: [kind] })))
}
