import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessible.ts'
import { expect, listOf, screenshots, test } from '../support/playwright.ts'
import { launchProgram } from '../support/program.ts'
import { type Answering, page as answer, redirect, startTestWeb } from '../support/test-web.ts'

const row = (page: Page, title: string) => listOf(page).getByRole('row').filter({ hasText: title })

test('links are checked, what is broken is found, and what moved gets its new address, or is merged', async ({
  page
}) => {
  const data = await mkdtemp(join(tmpdir(), 'earmark-links-'))
  const afterwards: (() => Promise<void>)[] = [() => rm(data, { recursive: true, force: true })]
  try {
    const pages: Record<string, Answering> = {
      'well.example/': answer('<title>Well and there</title>'),
      'fades.example/story': answer('<title>Fading story</title>'),
      'old.example/one': answer('<title>First to move</title>'),
      'old.example/two': answer('<title>Second to move</title>'),
      'new.example/one': answer('<title>First to move</title>'),
      'new.example/two': answer('<title>Moved before</title>')
    }
    const web = await startTestWeb(
      (target) => pages[target],
      undefined,
      (close) => afterwards.unshift(close)
    )
    const program = launchProgram([data, String(web.wire.port)], {
      file: join(import.meta.dirname, '../support/web-service.ts'),
      afterwards: (end) => afterwards.unshift(end)
    })
    const service = JSON.parse((await program.firstLine) ?? '') as { url: string; key: string; login: string }
    const urls = ['well.example/', 'fades.example/story', 'old.example/one', 'old.example/two', 'new.example/two']
    await fetch(`${service.url}/api/tools/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.key },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'bookmarks.insert', arguments: { urls: urls.map((url) => `http://${url}`) } }
      })
    })
    await page.goto(service.login)
    for (const title of ['Well and there', 'Fading story', 'First to move', 'Second to move', 'Moved before']) {
      await expect(row(page, title)).toBeVisible()
    }

    delete pages['fades.example/story']
    pages['old.example/one'] = redirect('http://new.example/one', 301)
    pages['old.example/two'] = redirect('http://new.example/two', 301)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('textbox', { name: 'Find a bookmark or a command' }).fill('check links')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page.getByText(/^Last check .*: 5 links\. 1 broken, 2 moved\.$/)).toBeVisible()
    await expectAccessible(page, 'links in settings')
    await page.getByRole('link', { name: 'Broken links: 1' }).click()
    await expect(row(page, 'Fading story')).toContainText('Broken')
    await expect(listOf(page).getByRole('row')).toHaveCount(1)
    await row(page, 'Fading story').click()
    const panel = page.getByRole('complementary', { name: 'Bookmark' })
    await expect(panel.getByText('This link is broken: the page is no longer there.')).toBeVisible()
    await screenshots(page, 'broken-link')
    await expectAccessible(page, 'broken link')
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
  } finally {
    for (const work of afterwards) await work()
  }
})
