import type { Page } from '@playwright/test'

/** What is dragged: its forms by their type, and paths of files. */
export interface Dragged {
  items?: Record<string, string>
  files?: readonly string[]
}

/** A browser under load now and then takes a drag for one that left the page; a person drags again then. */
const MOST_TRIES = 5

export interface Drag {
  /** Reports once more that it is over the point. */
  again: () => Promise<void>
  /** Lets go of it. */
  drop: () => Promise<void>
}

/** Drags something from outside the browser over a point of the page, as the system reports it. */
export async function dragOver(page: Page, dragged: Dragged, at = { x: 600, y: 400 }): Promise<Drag> {
  const session = await page.context().newCDPSession(page)
  const items = Object.entries(dragged.items ?? {}).map(([mimeType, data]) => ({ mimeType, data }))
  const data = { items, ...(dragged.files && { files: [...dragged.files] }), dragOperationsMask: 1 }
  const report = async (...types: ('dragEnter' | 'dragOver' | 'drop')[]) => {
    for (const type of types) await session.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await page.evaluate(() => {
    window.wasDropped = false
    addEventListener('drop', () => Object.assign(window, { wasDropped: true }), { capture: true, once: true })
  })
  const again = () => report('dragEnter', 'dragOver')
  async function drop(): Promise<void> {
    await report('drop')
    for (let tries = 1; tries < MOST_TRIES && !(await page.evaluate(() => window.wasDropped)); tries++) {
      await report('dragEnter', 'dragOver', 'drop')
    }
    await session.detach()
  }
  await again()
  return { again, drop }
}

declare global {
  interface Window {
    /** Whether the page was told of the drop. */
    wasDropped?: boolean
  }
}

/** The same, and lets go of it. */
export async function dropOn(page: Page, dragged: Dragged, at?: { x: number; y: number }): Promise<void> {
  const drag = await dragOver(page, dragged, at)
  await drag.drop()
}
