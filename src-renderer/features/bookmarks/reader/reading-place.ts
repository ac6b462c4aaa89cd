import { useDebouncedCallback } from '@mantine/hooks'
import type { ReadingPlace } from '../../../../src-main/contract/bookmark-change.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/events.ts'
import { pageTextOptions } from '../../../api/queries.ts'

/** How long nothing is scrolled before the place is saved, in ms. */
const PAUSE_MS = 2000

/** Returns a function that saves where somebody reads the text of a bookmark: in a moment, or when the reader closes. */
export function useSavedPlace(id: string): (place: ReadingPlace) => void {
  const save = (place: ReadingPlace) => {
    queryClient.setQueryData(pageTextOptions(id).queryKey, (text) => text && { ...text, place })
    // A place that is lost disturbs nobody.
    api.bookmarks[':id'].page.place.$put({ param: { id }, json: place }).catch(() => {})
  }
  return useDebouncedCallback(save, { delay: PAUSE_MS, flushOnUnmount: true })
}

/** Returns the place at the top of what is seen. @param text its children are the blocks */
export function placeIn(article: Element, text: Element): ReadingPlace {
  const { top } = article.getBoundingClientRect()
  const blocks = [...text.children].map((block) => block.getBoundingClientRect())
  const block = blocks.findIndex(({ bottom }) => bottom > top)
  const seen = blocks[block]
  return seen ? { block, share: Math.max(0, (top - seen.top) / seen.height) } : { block: 0, share: 0 }
}

/** Scrolls to a place. Pictures that come later move nothing in browsers that anchor what is seen. */
export function showPlace(article: Element, text: Element, { block, share }: ReadingPlace): void {
  const blocks = text.children
  const seen = blocks[Math.min(block, blocks.length - 1)]?.getBoundingClientRect()
  if (seen) article.scrollTop += seen.top + share * seen.height - article.getBoundingClientRect().top
}
