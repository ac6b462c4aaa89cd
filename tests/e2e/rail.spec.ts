import { tabTo } from '../support/accessible.ts'
import { expect, listOf, test } from '../support/playwright.ts'

test('what a saved search can do and the tags of the rail are reached by Tab', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'All tags 0' })).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('img', { name: 'Connected' })).toBeVisible()
  for (const [path, data] of [
    ['searches', { name: 'Site A', address: '/?q=a.example' }],
    ['bookmarks', { type: 'link', url: 'https://tagged.example/', tags: ['blue'] }]
  ] as const) {
    await service.ask(`/${path}`, data)
  }
  const rail = page.getByRole('navigation')
  const more = rail.getByRole('button', { name: 'More about Site A' })
  await expect(more).toHaveCount(1)
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Pin to the top' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  const tag = rail.getByRole('link', { name: 'blue 1', exact: true })
  await expect(tag).toBeVisible()
  const toggle = rail.getByRole('button', { name: 'Tags' })
  await tabTo(page, toggle)
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(tag).toBeHidden()
})

test('the rail and the panel are dragged wider by their edges, as far as they may', async ({ page, service }) => {
  await service.open(page)
  await listOf(page).getByRole('row').first().click()
  const rail = page.getByRole('navigation')
  const panel = page.getByRole('complementary', { name: 'Bookmark' })
  const drag = async (name: string, by: number) => {
    const box = await page.getByRole('separator', { name }).boundingBox()
    if (!box) throw new Error('The edge is not to be seen.')
    const [x, y] = [box.x + box.width / 2, box.y + 300]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by, y, { steps: 4 })
    await page.mouse.up()
    await page.mouse.move(x + by - 200, y) // it no longer follows
  }
  const widthOf = async (part: typeof rail) => Math.round((await part.boundingBox())?.width ?? 0)
  await drag('Width of the sidebar', 60)
  await expect.poll(() => widthOf(rail)).toBe(292)
  await drag('Width of the panel', -100)
  await expect.poll(() => widthOf(panel)).toBe(500)
  await drag('Width of the panel', -500)
  await expect.poll(() => widthOf(panel)).toBe(640)
  await page.keyboard.press('Control+b')
  await expect(rail).not.toBeInViewport()
  await page.reload()
  await expect(panel).toBeVisible()
  await expect(rail).toHaveAttribute('inert')
  await expect(rail).not.toBeInViewport()
  await page.keyboard.press('Control+b')
  await expect.poll(() => widthOf(rail)).toBe(292)
})
