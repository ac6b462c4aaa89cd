import { violations } from '../support/accessible.ts'
import { expect, listOf, test } from '../support/playwright.ts'

test('tags of similar bookmarks are suggested for a link, and the right arrow adds one', async ({ page, service }) => {
  for (const grain of ['rye', 'wheat']) {
    const bookmark = { type: 'link', url: `https://${grain}.example/sourdough-bread`, tags: ['baking', 'read later'] }
    await service.ask('/bookmarks', bookmark)
  }
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.goto(new URL('/capture', page.url()).href)
  const field = page.getByRole('textbox', { name: 'What to save' })
  const suggested = page.getByRole('group', { name: 'Suggested tags' })
  await field.fill('sourdough bread')
  await field.fill('oats.example/sourdough-bread')
  await expect(suggested.getByRole('button')).toHaveText(['#baking→', '#read later'])
  await expect(field).toHaveValue('oats.example/sourdough-bread')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await expect(field).toHaveValue('oats.example/sourdough-bread #baking ')
  await suggested.getByRole('button', { name: 'Add the tag “read later”' }).click()
  await expect(field).toHaveValue('oats.example/sourdough-bread #baking #"read later" ')
  await expect(field).toBeFocused()
  await expect(suggested).toBeHidden()
})
