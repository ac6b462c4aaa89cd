import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from '../support/playwright.ts'

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
  // Nothing on this page asks again by itself.
  await page.getByRole('link', { name: 'Organizations' }).click()
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  letAWeekGoBy(service.data)
  await page.getByRole('link', { name: 'API Keys' }).click()
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible()
  await expect(page.getByText('12 hours went by without use')).toBeVisible()
  await expect(page.getByText('npm run -s earmark -- login')).toBeVisible()
  const other = await context.newPage()
  await other.goto(await service.newLogin())
  await expect(other.getByRole('navigation')).toBeVisible()
  await expect(page.getByRole('navigation')).toBeVisible()
  await expect(page).toHaveURL(`${service.url}/profile/api-keys`)
})

test('a second tab is let in only after the first one allows it', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  const second = await context.newPage()
  await second.goto(`${service.url}/profile/api-keys`)
  await expect(second.getByRole('heading', { name: 'This tab is not let in yet' })).toBeVisible()
  await expect(second.getByText('Answer in the tab you logged in with')).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Let another tab in?' })
  await page.bringToFront()
  await expect(question.getByRole('button', { name: 'Don’t allow' })).toBeFocused()
  await question.getByRole('button', { name: 'Don’t allow' }).click()
  await expect(second.getByText('The other tab said no.')).toBeVisible()
  await second.getByRole('button', { name: 'Ask the other tab' }).click()
  await question.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(second.getByRole('heading', { name: 'API Keys' })).toBeVisible()
})

test('a tab whose first tab is gone needs a new login link, and says how', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  await page.close()
  const second = await context.newPage()
  await second.goto(service.url)
  await expect(second.getByText('No other tab of this login is open.')).toBeVisible()
  await expect(second.getByText('npm run -s earmark -- login')).toBeVisible()
  const third = await context.newPage()
  await third.goto(await service.newLogin())
  await expect(second.getByRole('navigation')).toBeVisible()
})

test('logging out in one tab is noticed in the other', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  const other = await context.newPage()
  await other.goto(service.url)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(other.getByRole('navigation')).toBeVisible()
  await other.getByRole('button', { name: 'Log out' }).click()
  const question = other.getByRole('dialog', { name: 'Log out?' })
  await expect(question).toContainText('npm run -s earmark -- login')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await other.getByRole('button', { name: 'Log out' }).click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(other.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible()
})
