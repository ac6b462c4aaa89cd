import { fireEvent } from '@testing-library/dom'

/** What a drag or a clipboard holds: a text in forms by their type, or files. */
interface Held {
  items?: Record<string, string>
  files?: File[]
}

/** The same as a page sees it. */
export function transferOf({ items = {}, files = [] }: Held) {
  return {
    types: [...Object.keys(items), ...(files.length > 0 ? ['Files'] : [])],
    items: files.map(({ type }) => ({ kind: 'file', type })),
    files,
    getData: (type: string) => items[type] ?? ''
  }
}

/**
 * Drags something over the page and lets go of it.
 *
 * @returns whether the page took it; otherwise a browser leaves the page for what was dropped
 */
export function dropOnPage(held: Held): boolean {
  const dataTransfer = transferOf(held)
  fireEvent.dragOver(document.body, { dataTransfer })
  return !fireEvent.drop(document.body, { dataTransfer })
}
