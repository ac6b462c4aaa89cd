import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, listOf, test } from '../support/playwright.ts'

test.use({ ownContext: true })

/** Lets a week go by for every session, as far as the library can tell. */
function letAWeekGoBy(data: string): void {
  const db = new Sqlite(join(data, 'library.sqlite'), { timeout: 2000 })
  db.prepare('UPDATE sessions SET created_at = created_at - 7 * 86400000').run()
  db.close()
}

test('a session that has ended says so and why, and a new login in another tab goes on here', async ({
  page,
  context,
  service
}) => {
  await page.goto(service.login)
  await page.getByRole('link', { name: 'Organizations' }).click()
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'API Keys' }).focus()
  letAWeekGoBy(service.data)
  // The page asks for the status now and then, so it may notice before the key opens the link.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  const address = page.url()
  await expect(page.getByText('after 12 hours without use')).toBeVisible()
  await expect(page.getByText('npm run -s earmark -- login')).toBeVisible()
  const other = await context.newPage()
  await other.goto(await service.newLogin())
  await expect(other.getByRole('navigation')).toBeVisible()
  await expect(page.getByRole('navigation')).toBeVisible()
  expect(page.url()).toBe(address)
})

test('a new tab is let in at once, and the address of another port, or of another name, is not', async ({
  page,
  context,
  service
}) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  const second = await context.newPage()
  await second.goto(`${service.url}/profile/api-keys`)
  await expect(second.getByRole('heading', { name: 'API Keys' })).toBeVisible()
  await second.goto(new URL('/', service.mcp).href)
  await expect(second.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await expect(second.getByText('The dashboard is at the address that ends in .localhost')).toBeVisible()
})

test('where the browser cannot find the dashboard’s name, its tab is logged in at 127.0.0.1 without a cookie', async ({
  page,
  context,
  service
}) => {
  const { origin } = new URL(service.mcp)
  await service.ask('/bookmarks', { type: 'color', content: '#336699' })
  await page.goto(service.login.replace(service.url, origin))
  await expect(listOf(page).getByText('#336699').first()).toBeVisible()
  expect(await context.cookies()).toEqual([])
  await service.insert('https://live.example/')
  await expect(listOf(page).getByText('https://live.example/')).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(`${origin}/`)
  await listOf(page).getByRole('row').first().focus()
  await page.keyboard.press('ControlOrMeta+a')
  const bar = page.getByRole('toolbar', { name: '5 selected' })
  await bar.getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'For spreadsheets (.csv)' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('#336699')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog', { name: 'Log out?' }).getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
})

test('logging out in one tab is noticed in the other', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  const other = await context.newPage()
  await other.goto(service.url)
  await expect(other.getByRole('navigation')).toBeVisible()
  await other.getByRole('button', { name: 'Log out' }).click()
  const question = other.getByRole('dialog', { name: 'Log out?' })
  await expect(question).toContainText('npm run -s earmark -- login')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await other.getByRole('button', { name: 'Log out' }).click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(other.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
})
