import type { Locator, Page } from '@playwright/test'
import { expectAccessible, tabTo } from '../support/accessible.ts'
import { httpClients } from '../support/mcp-clients.ts'
import { expect, type RunningService, screenshots, tabHeaders, test } from '../support/playwright.ts'

// axe reads every page four times or more.
test.describe.configure({ timeout: 180_000 })

const [editor] = httpClients

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

/** Logs in and goes to the keys. */
async function openKeys(page: Page, service: RunningService): Promise<void> {
  await service.open(page)
  await page.getByRole('link', { name: 'API Keys' }).click()
  await expect(page.getByRole('heading', { name: 'API Keys', level: 1 })).toBeVisible()
}

/** Makes a key with the form and gives its secret, which is then on the page. */
async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  return secretOf(page)
}

/** The secret the page shows. */
async function secretOf(page: Page): Promise<string> {
  const shown = page.getByText(/^emk_[0-9A-Za-z]{49}$/)
  await expect(shown).toBeVisible()
  return shown.innerText()
}

/** What the list says of a key. */
function card(page: Page, name: string): Locator {
  return page.getByRole('article', { name, exact: true })
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Is done with a key that is kept nowhere, and was not copied. */
async function leaveKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Leave it' }).click()
}

function connect(service: RunningService, key: string) {
  if (!editor) throw new Error('there is no client to test with')
  return editor.connect(service.mcp, key)
}

test('a key is made, copied, used by an editor, its inserts undone, and revoked', async ({ page, service }) => {
  await openKeys(page, service)
  await expectAccessible(page)
  await screenshots(page, 'keys-none')
  const key = await makeKey(page, 'My editor')
  await expect(page.getByRole('heading', { name: 'The key “My editor” is ready' })).toBeFocused()
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await clipboard(page)).toBe(key)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('It works')).toBeVisible()
  await expect(page.getByText('It can search and save.')).toBeVisible()
  await expectAccessible(page)
  await screenshots(page, 'key-made')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused()

  const client = await connect(service, key)
  await client.callTool({
    name: 'bookmarks.insert',
    arguments: { urls: ['https://new.example/', 'https://more.example/'] }
  })
  await expect(card(page, 'My editor')).toContainText('by earmark-tests')
  await expect(card(page, 'My editor').getByText('Calls today').locator('..')).toContainText('1')
  await screenshots(page, 'keys')

  const opener = page.getByRole('button', { name: 'Calls: My editor' })
  await opener.click()
  const ledger = page.getByRole('dialog', { name: 'Calls of “My editor”' })
  await expect(ledger.getByRole('row')).toHaveCount(2)
  await expect(ledger.getByRole('row').nth(1)).toContainText(/bookmarks\.insert.*earmark-tests.*2/)
  await expect(ledger.getByRole('list', { name: 'Saved' }).getByRole('link')).toHaveCount(2)
  await expectAccessible(page)
  await screenshots(page, 'key-calls')
  await ledger.getByRole('button', { name: /^Undo 2: put what was saved/ }).click()
  await expect(page.getByText('2 bookmarks are in the trash.')).toBeVisible()
  await expect(ledger.getByText('Undone')).toBeVisible()
  await expect(ledger.getByText('(in the trash)')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  const found = await client.callTool({ name: 'bookmarks.search', arguments: { search: 'new.example' } })
  expect(JSON.stringify(found)).toContain('\\"total\\":0')

  await page.getByRole('button', { name: 'Revoke: My editor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke “My editor”?' })
  await expectAccessible(page)
  await screenshots(page, 'key-revoke')
  const revoke = dialog.getByRole('button', { name: 'Revoke' })
  await expect(revoke).toBeDisabled()
  await dialog.getByRole('textbox').fill('My edito')
  await expect(revoke).toBeDisabled()
  await dialog.getByRole('textbox').fill('My editor')
  await revoke.click()
  await expect(card(page, 'My editor')).toHaveCount(0)
  await page.getByRole('button', { name: '1 ended key' }).click()
  await expect(card(page, 'My editor')).toContainText('Revoked')
  await expect(client.callTool({ name: 'bookmarks.search', arguments: {} })).rejects.toThrow()
  await expectAccessible(page)
  await screenshots(page, 'keys-ended')
})

test('a key is shown in full this once and never again', async ({ page, service }) => {
  await openKeys(page, service)
  const key = await makeKey(page, 'Once')
  await expect(page.getByRole('note')).toContainText('Stored nowhere')
  await page.getByRole('button', { name: 'Done' }).click()
  const warning = page.getByRole('dialog', { name: 'Leave without the key?' })
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: /^API Keys/ }).click()
  expect(await secretOf(page), 'it stays while another page is looked at').toBe(key)
  await leaveKey(page)
  await expect(card(page, 'Once')).toContainText(key.slice(0, 10))
  expect(await page.content()).not.toContain(key)
  await page.reload()
  await expect(card(page, 'Once')).toBeVisible()
  expect(await page.content()).not.toContain(key)
})

test('a rotated key gets a new secret; the old one is refused and the new one let in', async ({ page, service }) => {
  await openKeys(page, service)
  const old = await makeKey(page, 'My editor')
  const client = await connect(service, old)
  await leaveKey(page)
  const opener = page.getByRole('button', { name: 'Rotate: My editor' })
  await opener.click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(opener).toBeFocused()
  await opener.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await expect(page.getByRole('heading', { name: '“My editor” has a new key' })).toBeFocused()
  const key = await secretOf(page)
  expect(key).not.toBe(old)
  await expect(client.callTool({ name: 'bookmarks.search', arguments: {} })).rejects.toThrow()
  const again = await connect(service, key)
  expect((await again.listTools()).tools).toHaveLength(2)
  await expectAccessible(page)
})

test('the list says whose a key is, what it may and when it ends', async ({ page, service }) => {
  await service.open(page)
  await page.getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'API Keys' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Agent')
  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option', { name: 'Acme' }).click()
  await page.getByRole('combobox', { name: 'Ends' }).click()
  await expectAccessible(page)
  await page.getByRole('option', { name: 'After 30 days' }).click()
  await page.getByRole('switch', { name: 'Read-only' }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('This key is read-only')).toBeVisible()
  await leaveKey(page)
  const agent = card(page, 'Agent')
  await expect(agent).toContainText('Acme')
  await expect(agent).toContainText('Read-only')
  const end = new Date(Date.now() + 30 * 86_400_000)
  await expect(agent).toContainText(String(end.getFullYear()))
  await expect(agent.getByText('Ends').locator('..')).not.toContainText('Never')
})

test('a key may tag what it saves, and its card and its ledger say so', async ({ page, service }) => {
  await openKeys(page, service)
  await page.getByRole('textbox', { name: 'Name' }).fill('Agent')
  const tags = page.getByRole('combobox', { name: 'Tags' })
  await tags.fill('#agent')
  await tags.press('Enter')
  await tags.fill('to read')
  await page.getByRole('button', { name: 'Create key' }).click()
  const client = await connect(service, await secretOf(page))
  await client.callTool({ name: 'bookmarks.insert', arguments: { urls: 'https://tagged.example/' } })
  await leaveKey(page)
  const agent = card(page, 'Agent')
  await expect(agent).toContainText('#agent #to read')
  await agent.getByRole('button', { name: 'Calls: Agent' }).click()
  await expect(page.getByText('Everything it saves is tagged #agent #to read.')).toBeVisible()
  const found = await client.callTool({ name: 'bookmarks.search', arguments: { tags: ['agent', 'to read'] } })
  expect(JSON.stringify(found)).toContain('tagged.example')
})

test('a key made for an editor is named after it, and is connected to that one first', async ({ page, service }) => {
  await openKeys(page, service)
  const tiles = page.getByRole('radiogroup', { name: 'Name it after an editor' })
  await tiles.getByText('Windsurf', { exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Windsurf')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create key' }).click()
  const editors = page.getByRole('radiogroup', { name: 'Editor', exact: true })
  await expect(editors.getByRole('radio', { name: 'Windsurf' })).toBeChecked()
  await editors.getByText('Zed', { exact: true }).click()
  await leaveKey(page)
  await page.getByRole('button', { name: 'Connect: Windsurf' }).click()
  await expect(page.getByRole('dialog').getByRole('radio', { name: 'Windsurf' })).toBeChecked()
})

test('a key without a name is not made, and the form says what is missing', async ({ page, service }) => {
  await openKeys(page, service)
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText('A key needs a name.')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByText('Your first key')).toBeVisible()
})

test('every editor has its snippet with the address and the key', async ({ page, service }) => {
  await openKeys(page, service)
  const key = await makeKey(page, 'My editor')
  const editors = page.getByRole('radiogroup', { name: 'Editor', exact: true })
  const names = await editors.getByRole('radio').count()
  expect(names).toBe(14)
  for (let index = 0; index < names; index++) {
    await editors.locator('label').nth(index).click()
    const text = await page.getByRole('region', { name: /is ready/ }).innerText()
    const program = text.includes('mcp-stdio')
    if (!program) expect(text).toContain(service.mcp)
    // Once as what it is, and once in what is to be pasted.
    expect(text.split(key).length, text).toBeGreaterThan(2)
  }
  await editors.getByText('Cursor').click()
  await expect(page.getByRole('link', { name: 'Install in Cursor' })).toHaveAttribute('href', /^cursor:\/\//)
  const systems = page.getByRole('radiogroup', { name: 'Commands for' })
  await systems.getByText('PowerShell').click()
  await expect(page.getByText(`setx EARMARK_KEY "${key}"`)).toBeVisible()
  await systems.getByText('macOS').click()
  await expect(page.getByText('Opened from the Dock, it does not see what a shell exports')).toBeVisible()
  await editors.getByText('Claude Desktop').click()
  await expectAccessible(page)
  await screenshots(page, 'key-claude-desktop')
  await page.reload()
  await page.getByRole('button', { name: 'Connect: My editor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect an editor to “My editor”' })
  // The choice is remembered.
  await expect(dialog.getByRole('radio', { name: 'Claude Desktop' })).toBeChecked()
  await dialog.getByText('Zed', { exact: true }).click()
  await expect(dialog).toContainText('or put it in place of PUT_YOUR_KEY_HERE yourself.')
  await expectAccessible(page)
  await screenshots(page, 'key-connect')
  await dialog.getByLabel('The key', { exact: true }).fill('emk_mistyped')
  await expect(dialog.getByText('PUT_YOUR_KEY_HERE', { exact: false }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText('It does not work yet')).toBeVisible()
  await expect(dialog.getByText('This is not a whole key')).toHaveCount(2)
  await expectAccessible(page)
  await screenshots(page, 'key-test-failed')
  await dialog.getByLabel('The key', { exact: true }).fill(`emk_${'x'.repeat(49)}`)
  await expect(dialog.getByText(`begins with ${key.slice(0, 10)}`)).toBeVisible()
  await expect(dialog).toContainText('PUT_YOUR_KEY_HERE')
})

test('a pasted key is filled in everywhere, leaves the page for the test alone, and is forgotten', async ({
  page,
  service
}) => {
  await openKeys(page, service)
  const key = await makeKey(page, 'My editor')
  await page.reload()
  const carrying: string[] = []
  page.on('request', (request) => {
    if (`${request.url()} ${request.postData()}`.includes(key)) carrying.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Connect: My editor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect an editor to “My editor”' })
  await expect(dialog.getByRole('link', { name: 'Install in VS Code' })).toHaveCount(0)
  await dialog.getByLabel('The key', { exact: true }).fill(` ${key}\n`)
  await expect(dialog).not.toContainText('PUT_YOUR_KEY_HERE')
  await expect(dialog).toContainText(`"x-api-key":"${key}"`)
  const link = dialog.getByRole('link', { name: 'Install in VS Code' })
  expect(decodeURIComponent((await link.getAttribute('href')) ?? '')).toContain(key)
  await dialog.getByText('Gemini CLI', { exact: true }).click()
  await expect(dialog).toContainText(`-H "x-api-key: ${key}"`)
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText('It works')).toBeVisible()
  expect(carrying).toEqual(['/api/connection-tests'])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Connect: My editor' }).click()
  await expect(dialog.getByLabel('The key', { exact: true })).toHaveValue('')
  expect(await page.content()).not.toContain(key)
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(key)
})

test('what was copied is waited for: the handshake, then the first call, and not the owner’s own test', async ({
  page,
  service
}) => {
  await openKeys(page, service)
  const key = await makeKey(page, 'Gemini')
  const line = page.getByRole('status').filter({ hasText: /first call|refused|Connected:/ })
  await expect(line).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy Run in a terminal', exact: true }).click()
  await expect(line).toHaveText(
    'Waiting for the first call … Restart Gemini CLI, then ask it to search your bookmarks.'
  )
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('It works')).toBeVisible()
  const client = await connect(service, key)
  await expect(line).toHaveText(/^earmark-tests.* reached Earmark at .*\. Waiting for its first call …$/)
  await expectAccessible(page)
  await client.callTool({ name: 'bookmarks.search', arguments: { limit: 0 } })
  await expect(line).toHaveText(/^earmark-tests called and was refused: .*limit/)
  await client.callTool({ name: 'bookmarks.search', arguments: {} })
  await expect(line).toHaveText(/^Connected: earmark-tests.* called at \d+:\d\d\s[AP]M\.$/)
  await expectAccessible(page)
  await screenshots(page, 'key-connected')
})

test('the whole life of a key by keyboard alone', async ({ page, service }) => {
  await openKeys(page, service)
  const { keyboard } = page
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
  await keyboard.type('Keyboard')
  await keyboard.press('Enter')
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
  await tabTo(page, page.getByRole('button', { name: 'Done' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Cancel' }))
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused()

  for (const action of ['Calls', 'Connect', 'Rotate', 'Revoke']) {
    const opener = page.getByRole('button', { name: `${action}: Keyboard` })
    await tabTo(page, opener)
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await keyboard.type('Keyboard')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your keys' })).toBeFocused()
  await expect(page.getByRole('button', { name: '1 ended key' })).toBeVisible()
})

test('a long ledger is shown page by page', async ({ page, service }) => {
  await openKeys(page, service)
  const client = await connect(service, await makeKey(page, 'Busy'))
  for (let count = 0; count < 60; count++) await client.callTool({ name: 'bookmarks.search', arguments: {} })
  await leaveKey(page)
  await expect(card(page, 'Busy').getByText('Calls today').locator('..')).toContainText('60')
  await page.getByRole('button', { name: 'Calls: Busy' }).click()
  const rows = page.getByRole('dialog').getByRole('row')
  await expect(rows).toHaveCount(51)
  await page.getByRole('button', { name: 'Older calls' }).click()
  await expect(rows).toHaveCount(61)
  await expect(page.getByRole('button', { name: 'Older calls' })).toHaveCount(0)
})

test('keys that cannot be read are told, and read again when asked', async ({ page, service }) => {
  await service.open(page)
  await page.route('**/api/keys', (route) => route.abort())
  await page.getByRole('link', { name: 'API Keys' }).click()
  await expect(page.getByRole('alert')).toContainText('The keys could not be read.')
  await expectAccessible(page)
  await page.unroute('**/api/keys')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Your first key' })).toBeVisible()
})

test('a key that cannot be made is told in the form, which keeps what was typed', async ({ page, service }) => {
  await openKeys(page, service)
  await page.route('**/api/keys', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()))
  await page.getByRole('textbox', { name: 'Name' }).fill('My editor')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText('Earmark does not answer')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('My editor')
})

test.describe('a kept key', () => {
  /** Makes a key whose secret is kept in a file, as the command line can. */
  async function keepKey(page: Page, service: RunningService): Promise<string> {
    const response = await page.request.post(`${service.url}/api/keys`, {
      headers: await tabHeaders(page, service),
      data: { name: 'Kept', keyFile: true }
    })
    return ((await response.json()) as { key: string }).key
  }

  test('is copied again in the tab that logged in, once that was confirmed', async ({ page, service }) => {
    await openKeys(page, service)
    const key = await keepKey(page, service)
    const opener = page.getByRole('button', { name: 'Copy from file: Kept' })
    await opener.click()
    await expectAccessible(page)
    await screenshots(page, 'key-copy')
    expect(await clipboard(page)).not.toBe(key)
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('The key is on the clipboard.')).toBeVisible()
    expect(await clipboard(page)).toBe(key)
    await expect(opener).toBeFocused()
    expect(await page.content()).not.toContain(key)
  })

  test('is written into an editor’s own file once the change was seen, and taken out again', async ({
    page,
    service
  }) => {
    await openKeys(page, service)
    await keepKey(page, service)
    await page.getByRole('button', { name: 'Connect: Kept' }).click()
    await page.getByText('Cursor', { exact: true }).click()
    await expect(page.getByRole('radio', { name: 'Cursor', exact: true })).toBeChecked()
    await page.getByRole('button', { name: 'Connect Cursor' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(/^earmark connect cursor --key-id \S+$/)).toBeVisible()
    await expect(dialog.getByText(/This would change in .*\.cursor\/mcp\.json/)).toBeVisible()
    await expect(dialog.getByText('+ {')).toContainText('mcp-stdio')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Write it' }).click()
    await expect(dialog.getByText(/Written into .* Restart the editor/)).toBeVisible()
    await expect(dialog.getByText('Waiting for the first call … Restart Cursor')).toBeVisible()
    await dialog.getByRole('button', { name: 'Put back' }).click()
    await expect(dialog.getByText(/mcp\.json is as it was/)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Put back' })).toBeHidden()
    await expect(dialog.getByText('Waiting for the first call')).toBeHidden()
  })

  test('offers the editor’s own file as soon as it is kept, also in a dialog that was open before', async ({
    page,
    service
  }) => {
    await openKeys(page, service)
    let storing = true
    await page.route('**/api/keys', async (route) => {
      if (!storing || route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      const keys = (await response.json()) as object[]
      await route.fulfill({ response, json: keys.map((key) => ({ ...key, keychain: 'shown-once' })) })
    })
    await page.route('**/api/editors', (route) => route.abort())
    await keepKey(page, service)
    await page.getByRole('button', { name: 'Connect: Kept' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Cursor', { exact: true }).click()
    await expect(dialog.getByRole('button', { name: 'Connect Cursor' })).toHaveCount(0)
    storing = false
    await keepKey(page, service) // the list is read again
    await expect(dialog.getByRole('alert')).toContainText('The editors of this machine could not be read.')
    await expectAccessible(page)
    await page.unroute('**/api/editors')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByRole('button', { name: 'Connect Cursor' })).toBeVisible()
  })

  test('says so where it cannot be read any more', async ({ page, service }) => {
    await openKeys(page, service)
    await keepKey(page, service)
    await page.route('**/secret', (route) =>
      route.fulfill({
        status: 404,
        json: { error: { code: 'not-found', message: 'It could not be read from its file.' } }
      })
    )
    await page.getByRole('button', { name: 'Copy from file: Kept' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('It could not be read from its file.')
    await expectAccessible(page)
  })
})

test.describe('with a keychain', () => {
  test.use({ keychain: true })
  test.skip(process.platform !== 'linux', 'only Linux lets a test have a keychain of its own')

  test('a key is stored there, and copied from there later', async ({ page, service }) => {
    await openKeys(page, service)
    const key = await makeKey(page, 'My editor')
    await expect(page.getByText('Stored in your keychain. You can copy it from there later.')).toBeVisible()
    await screenshots(page, 'key-stored')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Copy from keychain: My editor' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('The key is on the clipboard.')).toBeVisible()
    expect(await clipboard(page)).toBe(key)
  })
})
