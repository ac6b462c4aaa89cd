import type { Page } from '@playwright/test'
import { expect, listOf, test } from '../support/playwright.ts'
import { type Answering, page as answer, redirect, withServedWeb } from '../support/test-web.ts'

const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })

test('links are checked, what is broken is found, and what moved gets its new address, or is merged', {
  tag: '@smoke'
}, async ({ page }) => {
  const pages: Record<string, Answering> = {
    'well.example/': answer('<title>Well and there</title>'),
    'fades.example/story': answer('<title>Fading story</title>'),
    'old.example/one': answer('<title>First to move</title>'),
    'old.example/two': answer('<title>Second to move</title>'),
    'new.example/one': answer('<title>First to move</title>'),
    'new.example/two': answer('<title>Moved before</title>')
  }
  await withServedWeb(pages, async (service) => {
    const urls = ['well.example/', 'fades.example/story', 'old.example/one', 'old.example/two', 'new.example/two']
    await service.insert(urls.map((url) => `http://${url}`))
    await page.goto(service.login)
    for (const title of ['Well and there', 'Fading story', 'First to move', 'Second to move', 'Moved before']) {
      await expect(row(page, title)).toBeVisible()
    }

    delete pages['fades.example/story']
    pages['old.example/one'] = redirect('http://new.example/one', 301)
    pages['old.example/two'] = redirect('http://new.example/two', 301)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('check links')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText(/^Last check .*: 5 links\. 1 broken, 2 moved\.$/)).toBeVisible()
    await page.getByRole('link', { name: 'Broken links: 1' }).click()
    await expect(row(page, 'Fading story')).toContainText('Broken')
    await expect(listOf(page).getByRole('row')).toHaveCount(1)
    await row(page, 'Fading story').click()
    const panel = page.getByRole('complementary', { name: 'Bookmark' })
    await expect(panel.getByText('This link is broken: the page is no longer there.')).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Remove filter Broken links' }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page
      .getByRole('combobox', { name: 'Link' })
      .or(page.getByRole('textbox', { name: 'Link' }))
      .first()
      .click()
    await page.getByRole('option', { name: 'Moved' }).click()
    await expect(listOf(page).getByRole('row')).toHaveCount(2)
    await row(page, 'First to move').click()
    await expect(panel.getByText('This page moved to')).toBeVisible()
    await panel.getByRole('button', { name: 'Use the new address' }).click()
    await expect(row(page, 'First to move')).toBeHidden()
    await expect(panel.getByLabel('Address')).toHaveValue('http://new.example/one')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'First to move')).toContainText('Moved')
    await page.keyboard.press('Escape')

    await row(page, 'First to move').getByRole('checkbox').click()
    await row(page, 'Second to move').getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Use new addresses' }).click()
    await expect(page.getByText(/1 bookmark has the new address\. Its new address is saved already/)).toBeVisible()
    await expect(row(page, 'Second to move')).toBeVisible()
    await expect(row(page, 'First to move')).toBeHidden()
  })
})
