import type { Page } from '@playwright/test'
import { tabTo } from '../support/accessible.ts'
import { httpClients } from '../support/mcp-clients.ts'
import { expect, look, type RunningService, test } from '../support/playwright.ts'

const [editor] = httpClients

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

async function openKeys(page: Page, service: RunningService): Promise<void> {
  await service.open(page)
  await page.getByRole('link', { name: 'API Keys' }).click()
  await expect(page.getByRole('heading', { name: 'API Keys', level: 1 })).toBeVisible()
}

async function secretOf(page: Page): Promise<string> {
  const shown = page.getByText(/^emk_[0-9A-Za-z]{49}$/)
  await expect(shown).toBeVisible()
  return shown.innerText()
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

function connect(service: RunningService, key: string) {
  if (!editor) throw new Error('no client to test with')
  return editor.connect(service.mcp, key)
}

test('a key is created, tested, used and revoked by keyboard alone', { tag: '@smoke' }, async ({ page, service }) => {
  await openKeys(page, service)
  await look(page, 'keys-none')
  const { keyboard } = page
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
  await keyboard.type('Keyboard')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The key “Keyboard” is ready' })).toBeFocused()
  const key = await secretOf(page)
  await tabTo(page, page.getByRole('button', { name: 'Copy the key' }))
  await keyboard.press('Enter')
  await expect.poll(() => clipboard(page)).toBe(key)
  await tabTo(page, page.getByRole('radio', { name: 'VS Code' }))
  await keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Cursor' })).toBeChecked()
  await tabTo(page, page.getByRole('button', { name: 'Test connection' }))
  await keyboard.press('Enter')
  await expect(page.getByText('It works')).toBeVisible()
  await look(page, 'key-made')
  await tabTo(page, page.getByRole('button', { name: 'Done' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Cancel' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused()

  const client = await connect(service, key)
  await client.callTool({ name: 'bookmarks.insert', arguments: { urls: 'https://new.example/' } })
  await expect(page.getByRole('article', { name: 'Keyboard' })).toContainText('by earmark-tests')
  for (const action of ['Activity', 'Connect', 'Rotate', 'Revoke']) {
    const opener = page.getByRole('button', { name: `${action}: Keyboard` })
    await tabTo(page, opener)
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await look(page, `key-${action.toLowerCase()}`)
    await keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Revoke' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your keys' })).toBeFocused()
  await page.getByRole('button', { name: '1 ended key' }).click()
  await expect(page.getByRole('article', { name: 'Keyboard' })).toContainText('Revoked')
  await expect(client.callTool({ name: 'bookmarks.search', arguments: {} })).rejects.toThrow()
})

test.describe('with a keychain', () => {
  test.use({ keychain: true })
  test.skip(process.platform !== 'linux', 'only Linux lets a test have a keychain of its own')

  test('a key is stored in the keychain and copied from it later', async ({ page, service }) => {
    await openKeys(page, service)
    await page.getByRole('textbox', { name: 'Name' }).fill('My editor')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await secretOf(page)
    await expect(page.getByText('Stored in your keychain. You can copy it from there later.')).toBeVisible()
    await look(page, 'key-stored')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Copy from keychain: My editor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('The key is on the clipboard.')).toBeVisible()
    expect(await clipboard(page)).toBe(key)
  })
})
