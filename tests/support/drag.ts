import type { Page } from '@playwright/test'

/** What is dragged: its forms by their type, and paths of files. */
export interface Dragged {
  items?: Record<string, string>
  files?: readonly string[]
}

/** Drags something from outside the browser over a point of the page, as the system reports it. */
export async function dragOver(page: Page, dragged: Dragged, at = { x: 600, y: 400 }): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const items = Object.entries(dragged.items ?? {}).map(([mimeType, data]) => ({ mimeType, data }))
  const data = { items, ...(dragged.files && { files: [...dragged.files] }), dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  return async () => {
    await session.send('Input.dispatchDragEvent', { type: 'drop', ...at, data })
    await session.detach()
  }
}

/** The same, and lets go of it. */
export async function dropOn(page: Page, dragged: Dragged, at?: { x: number; y: number }): Promise<void> {
  const drop = await dragOver(page, dragged, at)
  await drop()
}
