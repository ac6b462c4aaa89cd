import { expect, listOf, test } from '../support/playwright.ts'

test('what is selected is opened together, saved as a file and deleted', { tag: '@smoke' }, async ({
  page,
  context,
  service
}) => {
  await context.route('https://*.example/', (route) => route.fulfill({ body: 'a page' }))
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: '1 selected' })
  await bar.getByRole('button', { name: 'More' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Open 1 in tabs' }).click()
  await expect.poll(async () => (await opened).url()).toBe('https://c.example/')
  expect(await (await opened).evaluate(() => window.opener)).toBeNull()
  await (await opened).close()
  await bar.getByRole('button', { name: 'More' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'For spreadsheets (.csv)' }).click()
  const stream = await (await saving).createReadStream()
  const text = (await stream.toArray()).join('')
  expect(text).toContain('https://c.example/')
  expect(text).not.toContain('https://b.example/')
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(listOf(page).getByRole('row')).toHaveCount(2)
})
