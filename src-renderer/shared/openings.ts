import { api } from './api.ts'
import { openedOptions } from './bookmark-data.ts'
import { refresh } from './refresh.ts'
import { ask } from './request.ts'

/** Has the service note that the pages of these bookmarks were opened. Nobody waits for it, and it may fail. */
export function noteOpenings(ids: string[]): void {
  ask(api.bookmarks.openings.$post({ json: { ids } }))
    .then(() => refresh(openedOptions))
    .catch(() => {})
}

/** Props of a link to a bookmark's page. The middle button opens it, too. */
export function notedOpening(id: string) {
  const note = () => noteOpenings([id])
  return { onClick: note, onAuxClick: ({ button }: { button: number }) => button === 1 && note() }
}
