import { api } from '../../shared/api.ts'
import { copyText } from '../../shared/copy-text.ts'
import { notify, notifyError } from '../../shared/notify.tsx'
import { ask } from '../../shared/request.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import type { Chosen } from './list/selection.ts'

/** Copies the addresses of what is selected, one a line. */
export async function copyAddresses(chosen: Chosen): Promise<void> {
  try {
    const { pages } = await ask(api.bookmarks.selections.$post({ json: chosen }))
    if (pages.length === 0) notify(strings.nothingToOpen)
    else await copyText(pages.map(({ url }) => url).join('\n'))
  } catch (error) {
    notifyError(error)
  }
}
