import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The keys of a service with its own library and home. */
async function openKeys(): Promise<{ app: App; service: Service }> {
  const data = tempFolder()
  vi.stubEnv('HOME', data)
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  const service = await testService({ data })
  const app = await renderApp(service, '/profile/api-keys')
  await app.page.findByRole('heading', { name: 'Your first key' })
  return { app, service }
}

/** Creates a key with the form and returns its secret. */
async function createKey({ page, user }: App, name: string): Promise<string> {
  await user.type(page.getByRole('textbox', { name: 'Name' }), name)
  await user.click(page.getByRole('button', { name: 'Create key' }))
  return secretOn(page)
}

async function secretOn(page: App['page']): Promise<string> {
  return (await page.findByText(/^emk_[0-9A-Za-z]{49}$/)).textContent ?? ''
}

/** Creates a key whose secret is stored in a file, as the command line can. */
function keepKey(service: Service): Promise<string> {
  return makeKey(service, { name: 'Kept', keyFile: true })
}

function card({ page }: App, name: string): Promise<HTMLElement> {
  return page.findByRole('article', { name })
}

/** The text of a term on a key's card. */
async function fact(app: App, name: string, term: string): Promise<string | null | undefined> {
  return within(await card(app, name)).getByText(term).parentElement?.textContent
}

async function press({ page, user }: App, name: string): Promise<HTMLElement> {
  const button = await page.findByRole('button', { name })
  await user.click(button)
  return button
}

function noDialog({ page }: App): Promise<void> {
  return waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
}

/** Leaves a key that is neither stored nor copied. */
async function leaveKey(app: App): Promise<void> {
  await press(app, 'Done')
  await press(app, 'Leave without copying')
  await waitFor(() => expect(app.page.queryByRole('button', { name: 'Done' })).toBeNull())
}

/** Sends the handshake of an editor. */
async function introduce(service: Service, key: string, name: string): Promise<void> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1.0.0' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const request = new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body })
  expect((await service.fetch(request)).status).toBe(200)
}

/** Whether the endpoint accepts a key. */
async function isAccepted(service: Service, key: string): Promise<boolean> {
  return (await callTool(service, key, 'bookmarks.search', {})).status === 200
}

function wholePage(): string {
  return document.documentElement.outerHTML
}

test('a key’s calls are listed, and the bookmarks it saved are moved to the trash', async () => {
  const { app, service } = await openKeys()
  const key = await makeKey(service, { name: 'My editor' })
  await introduce(service, key, 'earmark-tests')
  await callTool(service, key, 'bookmarks.insert', { urls: ['https://new.example/', 'https://more.example/'] })
  await waitFor(async () => expect(await card(app, 'My editor')).toHaveTextContent('by earmark-tests'))
  expect(await fact(app, 'My editor', 'Calls today')).toMatch(/1$/)
  const opener = await press(app, 'Activity: My editor')
  const ledger = within(await app.page.findByRole('dialog', { name: 'Activity of “My editor”' }))
  await waitFor(() => expect(ledger.getByText('Saved 2 bookmarks').closest('li')).toHaveTextContent('earmark-tests'))
  expect(within(ledger.getByRole('list', { name: 'Saved' })).getAllByRole('link')).toHaveLength(2)
  await app.user.click(ledger.getByRole('button', { name: /^Remove 2 bookmarks: those saved at / }))
  await app.page.findByText('2 bookmarks are in the trash.')
  await ledger.findByText('Removed')
  expect(ledger.getAllByText('(in the trash)', { exact: false })).toHaveLength(2)
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(opener).toHaveFocus())
  const { payload } = await callTool(service, key, 'bookmarks.search', { search: 'new.example' })
  expect(payload.total).toBe(0)
})

test('a new key is shown once, until it is left with a warning', async () => {
  const { app } = await openKeys()
  const key = await createKey(app, 'Once')
  expect(app.page.getByRole('note')).toHaveTextContent('Not stored')
  await press(app, 'Done')
  const warning = within(await app.page.findByRole('dialog', { name: 'Leave without the key?' }))
  await app.user.click(warning.getByRole('button', { name: 'Cancel' }))
  await noDialog(app)
  await app.user.click(app.page.getByRole('link', { name: 'Settings' }))
  await app.page.findByRole('heading', { name: 'Appearance' })
  await app.user.click(app.page.getByRole('link', { name: /^API Keys/ }))
  expect(await secretOn(app.page), 'the secret stays while another page is open').toBe(key)
  await leaveKey(app)
  await waitFor(() => expect(wholePage()).not.toContain(key))
  expect(await card(app, 'Once')).toHaveTextContent(key.slice(0, 10))
  await app.load()
  await card(app, 'Once')
  expect(wholePage()).not.toContain(key)
})

test('a rotated key gets a new secret, and the old secret is refused', async () => {
  const { app, service } = await openKeys()
  const old = await makeKey(service, { name: 'My editor' })
  const opener = await press(app, 'Rotate: My editor')
  await press(app, 'Cancel')
  await waitFor(() => expect(opener).toHaveFocus())
  expect(await isAccepted(service, old)).toBe(true)
  await app.user.click(opener)
  await press(app, 'Rotate')
  await waitFor(() => expect(app.page.getByRole('heading', { name: '“My editor” has a new key' })).toHaveFocus())
  const key = await secretOn(app.page)
  expect(key).not.toBe(old)
  expect(await isAccepted(service, old)).toBe(false)
  expect(await isAccepted(service, key)).toBe(true)
})

test('the list shows a key’s owner, permission and expiry', async () => {
  const { app, service } = await openKeys()
  await callApi(service, 'POST', '/organizations', { name: 'Acme' })
  await app.page.findByRole('link', { name: /^Acme/ })
  for (const [list, option] of [
    ['Owner', 'Acme'],
    ['Expires', 'After 30 days']
  ] as const) {
    await app.user.click(app.page.getByRole('combobox', { name: list }))
    await app.user.click(await app.page.findByRole('option', { name: option }))
  }
  await app.user.click(app.page.getByRole('switch', { name: /^Read-only/ }))
  await createKey(app, 'Agent')
  await press(app, 'Test connection')
  await app.page.findByText(/This key is read-only/)
  await leaveKey(app)
  const agent = await card(app, 'Agent')
  expect(agent).toHaveTextContent('Acme')
  expect(agent).toHaveTextContent('Read-only')
  const end = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.now() + 30 * 86_400_000)
  expect(await fact(app, 'Agent', 'Expires')).toBe(`Expires${end}`)
})

test('a key tags what it saves, and its card and ledger show the tags', async () => {
  const { app, service } = await openKeys()
  const tags = app.page.getByRole('combobox', { name: 'Tags' })
  await app.user.type(tags, '#agent{Enter}')
  await app.user.type(tags, 'to read')
  const key = await createKey(app, 'Agent')
  await callTool(service, key, 'bookmarks.insert', { urls: 'https://tagged.example/' })
  await leaveKey(app)
  expect(await card(app, 'Agent')).toHaveTextContent('#agent #to read')
  await press(app, 'Activity: Agent')
  await app.page.findByText('Everything it saves is tagged #agent #to read.')
  const { payload } = await callTool(service, key, 'bookmarks.search', { tags: ['agent', 'to read'] })
  expect(JSON.stringify(payload)).toContain('tagged.example')
})

test('a key made for an editor has its name, and is connected to it first', async () => {
  const { app } = await openKeys()
  const chips = (name: string) => within(app.page.getByRole('radiogroup', { name }))
  await app.user.click(chips('Name it after an editor').getByText('Windsurf'))
  expect(app.page.getByRole('textbox', { name: 'Name' })).toHaveValue('Windsurf')
  await press(app, 'Create key')
  await secretOn(app.page)
  expect(chips('Editor').getByRole('radio', { name: 'Windsurf' })).toBeChecked()
  await app.user.click(chips('Editor').getByText('Zed'))
  await leaveKey(app)
  await press(app, 'Connect: Windsurf')
  expect(await app.page.findByRole('radio', { name: 'Windsurf' })).toBeChecked()
})

test('the first organization is made from the page, or as the owner of a new key', async () => {
  const { app, service } = await openKeys()
  await app.user.click(await app.page.findByRole('button', { name: 'New organization' }))
  const dialog = within(await app.page.findByRole('dialog', { name: 'New organization' }))
  await app.user.type(dialog.getByRole('textbox'), 'Acme')
  await app.user.click(dialog.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(app.page.queryByRole('button', { name: 'New organization' })).toBeNull())
  await app.user.click(app.page.getByRole('combobox', { name: 'Owner' }))
  await app.user.click(await app.page.findByRole('option', { name: 'New organization …' }))
  const second = within(await app.page.findByRole('dialog', { name: 'New organization' }))
  await app.user.type(second.getByRole('textbox'), 'Initech')
  await app.user.click(second.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(app.page.getByRole('combobox', { name: 'Owner' })).toHaveValue('Initech'))
  const names = async () =>
    ((await (await callApi(service, 'GET', '/organizations')).json()) as { name: string }[]).map(({ name }) => name)
  expect(await names()).toEqual(['Acme', 'Initech'])
})

test('a key without a name is not created, and the form reports it', async () => {
  const { app } = await openKeys()
  await press(app, 'Create key')
  await app.page.findByText('A key needs a name.')
  app.page.getByText('Your first key')
})

test('a chosen editor gets its snippet with address and key, its link, and commands for each system', async () => {
  const { app } = await openKeys()
  const key = await createKey(app, 'My editor')
  const editors = within(app.page.getByRole('radiogroup', { name: 'Editor' }))
  await app.user.click(editors.getByRole('radio', { name: 'Zed' }))
  const text = app.page.getByRole('region', { name: /is ready/ }).textContent ?? ''
  expect(text).toContain('http://127.0.0.1:20727/api/tools/mcp')
  expect(text.split(key), 'the key, and the key in the snippet').toHaveLength(3)
  await app.user.click(editors.getByRole('radio', { name: 'Cursor' }))
  const install = app.page.getByRole('link', { name: 'Install in Cursor' })
  expect(install).toHaveAttribute('href', expect.stringMatching(/^cursor:\/\//))
  const systems = within(app.page.getByRole('radiogroup', { name: 'Commands for' }))
  await app.user.click(systems.getByRole('radio', { name: 'PowerShell' }))
  app.page.getByText(`setx EARMARK_KEY "${key}"`)
  await app.user.click(systems.getByRole('radio', { name: 'macOS' }))
  app.page.getByText(/start from the Dock does not get the variables of a shell/)
})

test('the last chosen editor comes first, and an incomplete or another key is not filled in', async () => {
  const { app } = await openKeys()
  const key = await createKey(app, 'My editor')
  await app.user.click(app.page.getByRole('radio', { name: 'Claude Desktop' }))
  await app.load()
  await press(app, 'Connect: My editor')
  const element = await app.page.findByRole('dialog', { name: 'Connect an editor with the key “My editor”' })
  const dialog = within(element)
  expect(dialog.getByRole('radio', { name: 'Claude Desktop' })).toBeChecked()
  await app.user.click(dialog.getByRole('radio', { name: 'Zed' }))
  expect(element).toHaveTextContent('or put it in place of PUT_YOUR_KEY_HERE yourself.')
  const field = dialog.getByLabelText('The key')
  await app.user.type(field, 'emk_mistyped')
  dialog.getByText(/^\{.*PUT_YOUR_KEY_HERE/s)
  await app.user.click(dialog.getByRole('button', { name: 'Test connection' }))
  await dialog.findByText('It does not work yet')
  expect(dialog.getAllByText(/This key is incomplete/)).toHaveLength(2)
  await app.user.clear(field)
  await app.user.type(field, `emk_${'x'.repeat(49)}`)
  dialog.getByText(new RegExp(`begins with ${key.slice(0, 10)}`))
  expect(element).toHaveTextContent('PUT_YOUR_KEY_HERE')
})

test('a pasted key is filled in everywhere, sent only for the test, and forgotten', async () => {
  const { app, service } = await openKeys()
  const key = await makeKey(service, { name: 'My editor' })
  const carrying: string[] = []
  app.answer('', async (request) => {
    if (`${request.url} ${await request.clone().text()}`.includes(key)) carrying.push(new URL(request.url).pathname)
    return undefined
  })
  await press(app, 'Connect: My editor')
  const element = await app.page.findByRole('dialog')
  const dialog = within(element)
  expect(dialog.queryByRole('link', { name: 'Install in VS Code' })).toBeNull()
  await app.user.click(dialog.getByLabelText('The key'))
  await app.user.paste(` ${key}\n`)
  await waitFor(() => expect(element).not.toHaveTextContent('PUT_YOUR_KEY_HERE'))
  // Other users of the computer can see opened links.
  const link = await dialog.findByRole('link', { name: 'Install in VS Code' })
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).not.toContain(key)
  await app.user.click(dialog.getByRole('radio', { name: 'Gemini CLI' }))
  expect(element).toHaveTextContent(`export EARMARK_KEY=${key}`)
  await app.user.click(dialog.getByRole('button', { name: 'Test connection' }))
  await dialog.findByText('It works')
  expect(carrying).toEqual(['/api/connection-tests'])
  await app.user.keyboard('{Escape}')
  await noDialog(app)
  await press(app, 'Connect: My editor')
  expect(await app.page.findByLabelText('The key')).toHaveValue('')
  expect(wholePage()).not.toContain(key)
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(key)
})

test('after a copy the page waits for the handshake and the first call, ignoring its own test', async () => {
  const { app, service } = await openKeys()
  const key = await createKey(app, 'Gemini')
  const waiting = () =>
    app.page.getAllByRole('status').find((line) => /first call|refused|Connected:/.test(line.textContent))
  const expectStatus = (text: string | RegExp) => waitFor(() => expect(waiting()).toHaveTextContent(text))
  expect(waiting()).toBeUndefined()
  await press(app, 'Copy Run in a terminal')
  const start = 'Waiting for the first call … Restart Gemini CLI, then ask it to search your bookmarks.'
  await expectStatus(start)
  await press(app, 'Test connection')
  await app.page.findByText('It works')
  expect(waiting()).toHaveTextContent(start)
  await introduce(service, key, 'earmark-tests')
  await expectStatus(/^earmark-tests reached Earmark at .*\. Waiting for its first call …$/)
  await callTool(service, key, 'bookmarks.search', { limit: 0 })
  await expectStatus(/^earmark-tests called and was refused: .*limit/)
  await callTool(service, key, 'bookmarks.search', {})
  await expectStatus(/^Connected: earmark-tests called at \d+:\d\d\s[AP]M\.$/)
})

test('a long ledger is shown in pages', async () => {
  const { app, service } = await openKeys()
  const key = await makeKey(service, { name: 'Busy' })
  for (let count = 0; count < 60; count++)
    await callTool(service, key, 'bookmarks.search', { search: `word ${count}`, tags: ['x'] })
  await waitFor(async () => expect(await fact(app, 'Busy', 'Calls today')).toBe('Calls today60'))
  await press(app, 'Activity: Busy')
  const rows = () => app.page.getAllByText(/^Searched “word \d+ tag:x”: 0 bookmarks$/)
  await waitFor(() => expect(rows()).toHaveLength(50))
  expect(rows()[0]).toHaveTextContent('word 59')
  await press(app, 'Show older')
  await waitFor(() => expect(rows()).toHaveLength(60))
  expect(app.page.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('a key that cannot be created is reported in the form, which keeps its text', async () => {
  const { app } = await openKeys()
  app.cut('POST /api/keys')
  const name = app.page.getByRole('textbox', { name: 'Name' })
  await app.user.type(name, 'My editor{Enter}')
  await app.page.findByText(/Earmark does not answer/)
  expect(name).toHaveValue('My editor')
})

test('a stored key is copied after a confirmation', async () => {
  const { app, service } = await openKeys()
  const key = await keepKey(service)
  const opener = await press(app, 'Copy from file: Kept')
  const copy = await app.page.findByRole('button', { name: 'Copy' })
  expect(await navigator.clipboard.readText()).toBe('')
  await app.user.click(copy)
  await app.page.findByText('The key is on the clipboard.')
  expect(await navigator.clipboard.readText()).toBe(key)
  await waitFor(() => expect(opener).toHaveFocus())
  expect(wholePage()).not.toContain(key)
})

test('a stored key that cannot be read is reported in its dialog', async () => {
  const { app, service } = await openKeys()
  await keepKey(service)
  const error = { code: 'not-found', message: 'It could not be read from its file.' }
  app.answer('GET /api/keys/', () => Response.json({ error }, { status: 404 }))
  await press(app, 'Copy from file: Kept')
  await press(app, 'Copy')
  await within(app.page.getByRole('dialog')).findByText('It could not be read from its file.')
})

test('a stored key is written into an editor’s file after a preview, and the file is restored', async () => {
  const { app, service } = await openKeys()
  await keepKey(service)
  await press(app, 'Connect: Kept')
  const dialog = within(await app.page.findByRole('dialog'))
  const cursor = dialog.getByRole('radio', { name: 'Cursor' })
  await app.user.click(cursor)
  expect(cursor).toBeChecked()
  await press(app, 'Connect Cursor')
  await dialog.findByText(/earmark connect cursor --key-id \S+$/)
  await dialog.findByText(/This would change in .*\.cursor\/mcp\.json/)
  expect(dialog.getByText(/\+ \{/)).toHaveTextContent('mcp-stdio')
  await press(app, 'Save changes')
  await dialog.findByText(/Saved in .* Restart the editor/)
  await dialog.findByText(/Waiting for the first call … Restart Cursor/)
  await press(app, 'Restore the file')
  await dialog.findByText(/mcp\.json is restored/)
  await waitFor(() => expect(dialog.queryByRole('button', { name: 'Restore the file' })).toBeNull())
  await waitFor(() => expect(dialog.queryByText(/Waiting for the first call/)).toBeNull())
  dialog.getByText('The key “Kept” still works. Revoke it if nothing else uses it.')
  await press(app, 'Revoke the key')
  await app.page.findByText('“Kept” is revoked.')
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  expect(app.page.getByRole('heading', { name: 'Your keys' })).toHaveFocus()
  app.page.getByRole('button', { name: '1 ended key' })
})

test('an editor that is not on this computer is connected with a note that it was not found', async () => {
  const { app, service } = await openKeys()
  await keepKey(service)
  await press(app, 'Connect: Kept')
  const dialog = within(await app.page.findByRole('dialog'))
  await app.user.click(dialog.getByRole('radio', { name: 'Zed' }))
  await press(app, 'Connect Zed')
  await dialog.findByText('Zed was not found on this computer. The file is for it all the same.')
})

test('an open dialog offers the editor’s file once the key is stored', async () => {
  const { app, service } = await openKeys()
  const kept = app.answer('GET /api/keys', async () => {
    const keys = (await (await callApi(service, 'GET', '/keys')).json()) as object[]
    return Response.json(keys.map((key) => ({ ...key, keychain: 'shown-once' })))
  })
  const answer = app.cut('GET /api/editors')
  await keepKey(service)
  await press(app, 'Connect: Kept')
  const dialog = within(await app.page.findByRole('dialog'))
  await app.user.click(dialog.getByRole('radio', { name: 'Cursor' }))
  expect(dialog.queryByRole('button', { name: 'Connect Cursor' })).toBeNull()
  kept()
  await keepKey(service) // the list is read again
  expect(await dialog.findByRole('alert')).toHaveTextContent('The editors of this machine could not be read.')
  answer()
  await press(app, 'Try again')
  await dialog.findByRole('button', { name: 'Connect Cursor' })
})
