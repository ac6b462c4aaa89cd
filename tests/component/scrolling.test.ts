// Where a long list is scrolled to.
import { Readable } from 'node:stream'
import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type App, renderApp } from '../support/render-app.ts'
import { postImport, testService } from '../support/service.ts'

/** Opens a grid of 600 bookmarks. */
async function openGrid() {
  const service = await testService()
  const urls = Array.from({ length: 600 }, (_, index) => `https://many.example/${index}\n`)
  await postImport(service, Readable.from([Buffer.from(urls.join(''))]), 'urls.txt')
  const app = await renderApp(service)
  await app.page.findByText('600 bookmarks')
  await app.user.click(app.page.getByRole('radio', { name: 'Grid' }))
  return app
}

async function gridOf({ page }: App): Promise<HTMLElement> {
  const grid = await page.findByRole('grid')
  // Until its cards are placed it has one in a row.
  await waitFor(() => expect(cardAt(0)?.getAttribute('style')).toContain('width'))
  return grid
}

const cardAt = (index: number) => document.querySelector(`[role="gridcell"][data-index="${index}"]`)

/** Scrolls the grid, and returns the index of the first card that is seen. */
async function scroll(grid: HTMLElement, top: number): Promise<number> {
  grid.scrollTop = top
  fireEvent.scroll(grid)
  await waitFor(() => expect(history.state?.scroll).toBe(top))
  return history.state.item
}

test('Back to the grid shows the same card', async () => {
  const app = await openGrid()
  const index = await scroll(await gridOf(app), 8000)
  await waitFor(() => expect(cardAt(index)).not.toBeNull())
  const text = cardAt(index)?.textContent
  await app.user.click(within(app.page.getByRole('navigation')).getByRole('link', { name: 'Settings' }))
  await app.page.findByRole('heading', { name: 'Settings' })
  history.back()
  await waitFor(async () => expect((await app.page.findByRole('grid')).scrollTop).toBeGreaterThan(0))
  // A browser reports that the page scrolled something, too.
  fireEvent.scroll(await app.page.findByRole('grid'))
  await waitFor(() => expect(cardAt(index)?.textContent).toBe(text))
  expect(cardAt(0)).toBeNull()
})
