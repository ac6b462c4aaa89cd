import type { Page } from '@playwright/test'
import { expectAccessible, tabTo } from '../support/accessible.ts'
import { expect, type RunningService, screenshots, tabHeaders, test } from '../support/playwright.ts'

// axe reads every page four times or more.
test.describe.configure({ timeout: 180_000 })

async function openOrganizations(page: Page, service: RunningService): Promise<void> {
  await service.open(page)
  await page.getByRole('link', { name: 'Organizations' }).click()
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
}

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('article', { name, exact: true })).toBeVisible()
}

/** Saves pages with a key of the organization, as its agent would. */
async function saveInto(page: Page, service: RunningService, organization: string, urls: string[]): Promise<void> {
  const made = await page.request.post(`${service.url}/api/keys`, {
    headers: await tabHeaders(page, service),
    data: { name: 'agent', organization }
  })
  const { key } = (await made.json()) as { key: string }
  const params = { name: 'bookmarks.insert', arguments: { urls } }
  const saved = await page.request.post(service.mcp, {
    headers: { 'x-api-key': key },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  })
  expect(saved.status()).toBe(200)
}

test('an organization is created, counted, renamed and deleted, and its bookmarks stay with their owner', async ({
  page,
  service
}) => {
  await openOrganizations(page, service)
  await expect(page.getByText('You have none yet.')).toBeVisible()
  await expectAccessible(page)
  await screenshots(page, 'organizations-none')
  await page.getByRole('button', { name: 'New organization' }).click()
  await expectAccessible(page)
  await screenshots(page, 'organization-new')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'New organization' })).toBeFocused()
  await create(page, 'Acme')
  await saveInto(page, service, 'Acme', ['https://a.example/', 'https://acme.example/'])
  await expect(page.getByRole('article', { name: 'Acme' })).toContainText('2 bookmarks, 1 key')
  await screenshots(page, 'organizations')

  await page.getByRole('button', { name: 'Rename: Acme' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Acme')
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme Ltd')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('article', { name: 'Acme Ltd' })).toBeVisible()

  await page.getByRole('button', { name: 'Delete: Acme Ltd' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Acme Ltd”?' })
  await expect(dialog).toContainText('It holds 2 bookmarks. Where should they go?')
  await expect(dialog).toContainText('One of these pages you have yourself')
  await expect(dialog).toContainText('This key is revoked')
  await expect(dialog.getByRole('listitem')).toHaveText(/^agent/)
  const submit = dialog.getByRole('button', { name: 'Delete' })
  await dialog.getByRole('textbox').fill('Acme')
  await expect(submit).toBeDisabled()
  await dialog.getByRole('textbox').fill(' acme ltd ')
  await expectAccessible(page)
  await screenshots(page, 'organization-delete')
  await submit.click()
  await expect(page.getByText('“Acme Ltd” is deleted. 1 bookmark moved to you. 1 united with yours.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Your organizations' })).toBeFocused()
  await page.getByRole('link', { name: 'API Keys' }).click()
  await page.getByRole('button', { name: '1 ended key' }).click()
  await expect(page.getByRole('article', { name: 'agent' })).toContainText('Acme Ltd')
})

test('its bookmarks can go to the trash instead', async ({ page, service }) => {
  await openOrganizations(page, service)
  await create(page, 'Acme')
  await saveInto(page, service, 'Acme', ['https://acme.example/'])
  await page.getByRole('button', { name: 'Delete: Acme' }).click()
  await page.getByRole('radio', { name: 'Put it into the trash' }).check()
  await page.getByRole('dialog').getByRole('textbox').fill('Acme')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('“Acme” is deleted. 1 bookmark in the trash.')).toBeVisible()
})

test('deleting can be thought better of', async ({ page, service }) => {
  await openOrganizations(page, service)
  await create(page, 'Acme')
  await page.getByRole('button', { name: 'Delete: Acme' }).click()
  await expect(page.getByRole('dialog')).toContainText('It holds no bookmarks.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('article', { name: 'Acme' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete: Acme' })).toBeFocused()
})

test('a name that is taken, and one that is missing, is told where it was typed', async ({ page, service }) => {
  await openOrganizations(page, service)
  await create(page, 'Acme')
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('An organization needs a name.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('ACME')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('There is already an organization named ACME.')).toBeVisible()
  await expectAccessible(page)
})

test('by keyboard alone', async ({ page, service }) => {
  await openOrganizations(page, service)
  await tabTo(page, page.getByRole('button', { name: 'New organization' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Acme')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'Acme' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Delete: Acme' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete “Acme”?' })
  await expect(dialog).toContainText('It holds no bookmarks.')
  await tabTo(page, dialog.getByRole('textbox'))
  await page.keyboard.type('Acme')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Your organizations' })).toBeFocused()
})

test('organizations that cannot be read are told, and read again when asked', async ({ page, service }) => {
  await service.open(page)
  await expect(page.getByRole('navigation')).toBeVisible()
  await page.route('**/api/organizations', (route) => route.abort())
  await page.goto(`${service.url}/organizations`)
  await expect(page.getByRole('alert')).toContainText('The organizations could not be read.')
  await expectAccessible(page)
  await page.unroute('**/api/organizations')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('You have none yet.')).toBeVisible()
})

test('what one tab does to them the other shows', async ({ page, context, service }) => {
  await openOrganizations(page, service)
  const other = await context.newPage()
  await other.goto(`${service.url}/organizations`)
  await expect(other.getByText('You have none yet.')).toBeVisible()
  await create(page, 'Acme')
  await expect(other.getByRole('article', { name: 'Acme' })).toBeVisible()
})
