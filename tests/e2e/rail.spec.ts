import { tabTo } from '../support/accessible.ts'
import { expect, listOf, test } from '../support/playwright.ts'

test('what a saved search can do and the tags of the rail are reached by Tab', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
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
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
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
