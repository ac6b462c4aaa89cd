import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'

const row = (page: Page, text: string) => listOf(page).getByRole('row').filter({ hasText: text })

test('a row under the pointer shows what chooses it, and copies its address', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await service.open(page)
  const box = page.getByRole('checkbox', { name: /Select .*b\.example/ })
  await expect(box).toHaveCSS('opacity', '0')
  await row(page, 'b.example').hover()
  await expect(box).toHaveCSS('opacity', '1')
  await page.getByRole('button', { name: /Copy .*b\.example/ }).click()
  await expect(page.getByText('Copied https://b.example/')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://b.example/')
})

test('a compact list has a line for each bookmark, and stays one', async ({ page, service }) => {
  await service.open(page)
  const height = async () => (await row(page, 'b.example').boundingBox())?.height
  expect(await height()).toBe(44)
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Compact list').click({ force: true })
  await expect.poll(height).toBe(34)
  await page.reload()
  await expect.poll(height).toBe(34)
})

test('actions under the pointer leave the focus ring of their row whole', async ({ page, service }) => {
  await service.open(page)
  const cell = listOf(page).getByRole('gridcell').filter({ hasText: 'b.example' })
  await cell.hover()
  const actions = page.getByRole('button', { name: /Copy .*b\.example/ }).locator('..')
  const [inner, outer] = [await actions.boundingBox(), await cell.boundingBox()]
  // The ring is 2 pixels wide, and 3 pixels inside.
  expect((inner?.y ?? 0) - (outer?.y ?? 0)).toBeGreaterThanOrEqual(5)
  expect((outer?.height ?? 0) - (inner?.height ?? 0)).toBeGreaterThanOrEqual(10)
})

test('in the grid the open card is marked, and one card alone shows what can be done with it', async ({
  page,
  service
}) => {
  await service.open(page)
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click({ force: true })
  const cards = listOf(page).getByRole('gridcell')
  await cards.nth(2).click({ position: { x: 100, y: 60 } })
  await expect(page.getByRole('complementary', { name: 'Bookmark' })).toBeVisible()
  const open = cards.nth(2)
  await expect(open).toHaveAttribute('aria-current', 'true')
  await expect(open).not.toHaveCSS('box-shadow', 'none')
  await expect(cards.nth(0)).toHaveCSS('box-shadow', 'none')
  const seen = () =>
    cards.evaluateAll((all) =>
      all.map((card) => [
        getComputedStyle(card.querySelector('[role="checkbox"]') as Element).opacity === '1',
        card.querySelector('[data-act="delete"]') !== null
      ])
    )
  for (const [box, actions] of await seen()) expect(box).toBe(actions)
  await cards.nth(0).hover()
  await expect.poll(seen).toEqual([
    [true, true],
    [false, false],
    [false, false]
  ])
})
