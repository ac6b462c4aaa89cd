import { useDebouncedCallback } from '@mantine/hooks'
import type { ReadingPlace } from '../../../../src-main/contract/bookmark-change.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/events.ts'
import { pageTextOptions } from '../../../api/queries.ts'

/** Pause in scrolling before the place is saved, in ms. */
const PAUSE_MS = 2000

/** Returns a function that saves the reading place of a bookmark: after a pause, or when the reader closes. */
export function useSavedPlace(id: string): (place: ReadingPlace) => void {
  const save = (place: ReadingPlace) => {
    queryClient.setQueryData(pageTextOptions(id).queryKey, (text) => text && { ...text, place })
    // Failures are ignored: the reader only opens at an older place.
    api.bookmarks[':id'].page.place.$put({ param: { id }, json: place }).catch(() => {})
  }
  return useDebouncedCallback(save, { delay: PAUSE_MS, flushOnUnmount: true })
}

/** Returns the place at the top of the visible part. @param text the element whose children are the blocks */
export function placeIn(article: Element, text: Element): ReadingPlace {
  const { top } = article.getBoundingClientRect()
  const blocks = [...text.children].map((block) => block.getBoundingClientRect())
  const block = blocks.findIndex(({ bottom }) => bottom > top)
  const box = blocks[block]
  return box ? { block, share: Math.max(0, (top - box.top) / box.height) } : { block: 0, share: 0 }
}

/** Scrolls to a place. Pictures that load later do not move it in browsers with scroll anchoring. */
export function showPlace(article: Element, text: Element, { block, share }: ReadingPlace): void {
  const blocks = text.children
  const box = blocks[Math.min(block, blocks.length - 1)]?.getBoundingClientRect()
  if (box) article.scrollTop += box.top + share * box.height - article.getBoundingClientRect().top
}
