// Login, logout, the cookie, and a service that ends.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { rawRequest } from '../support/http.ts'
import { expect, listOf, look, PAGES, test } from '../support/playwright.ts'

test.use({ ownContext: true })

const loggedOut = (page: Page) => page.getByRole('heading', { name: 'You are logged out' })

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog', { name: 'Log out?' }).getByRole('button', { name: 'Log out' }).click()
  await expect(loggedOut(page)).toBeVisible()
}

test('a login link opens the dashboard, also after a reload', { tag: '@smoke' }, async ({ page, service }) => {
  await page.goto(service.login)
  await expect(listOf(page).getByRole('row')).toHaveCount(PAGES.length)
  await expect(page.getByRole('status').filter({ hasText: `${PAGES.length} bookmarks` })).toBeVisible()
  await expect(page.getByRole('link', { name: `All ${PAGES.length}` })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText(new URL(service.mcp).host)).toBeVisible()
  await page.reload()
  await expect(listOf(page).getByRole('row')).toHaveCount(PAGES.length)
})

test('the login token is in no request address and leaves the history; scripts cannot read the cookie', async ({
  page,
  context,
  service
}) => {
  const token = new URL(service.login).hash.slice(1)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url().split('#')[0] ?? ''))
  await page.goto(service.login)
  await expect(listOf(page)).toBeVisible()
  await expect(page).toHaveURL(`${service.url}/`)
  expect(requested.length).toBeGreaterThan(2)
  expect(requested.filter((address) => address.includes(token))).toEqual([])
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const { hostname } = new URL(service.url)
  expect(await context.cookies()).toMatchObject([
    { name: 'earmark', domain: hostname, httpOnly: true, sameSite: 'Strict' }
  ])
  await page.goBack().catch(() => {}) // fails if the history has no earlier page
  expect(page.url()).not.toContain(token)
})

test('logging out ends the session in every tab, also after a reload', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  const other = await context.newPage()
  await other.goto(service.url)
  await expect(other.getByRole('navigation')).toBeVisible()
  await other.getByRole('button', { name: 'Log out' }).click()
  const question = other.getByRole('dialog', { name: 'Log out?' })
  await expect(question).toContainText('npm run -s earmark -- login')
  await look(other, 'log-out')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await logOut(other)
  await expect(loggedOut(page)).toBeVisible()
  for (const tab of [page, other]) {
    await tab.reload()
    await expect(loggedOut(tab)).toBeVisible()
  }
  expect(await context.cookies()).toEqual([])
})

test('an expired session says why it ended, and a login in another tab continues it', async ({
  page,
  context,
  service
}) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  // No link leads there before the first one.
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { name: 'Organizations', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'API Keys' }).focus()
  ageSessions(service.data)
  // The page polls the status, so it may notice before the key opens the link.
  await page.keyboard.press('Enter')
  await expect(loggedOut(page)).toBeVisible()
  const address = page.url()
  await expect(page.getByText('after 30 days without use')).toBeVisible()
  await expect(page.getByText('npm run -s earmark -- login')).toBeVisible()
  await look(page, 'session-ended')
  const other = await context.newPage()
  await other.goto(await service.newLogin())
  await expect(other.getByRole('navigation')).toBeVisible()
  await expect(page.getByRole('navigation')).toBeVisible()
  expect(page.url()).toBe(address)
})

/** Makes every session in the library a week older. */
function ageSessions(data: string): void {
  const db = new Sqlite(join(data, 'library.sqlite'), { timeout: 2000 })
  db.prepare('UPDATE sessions SET created_at = created_at - 90 * 86400000').run()
  db.close()
}

test('a new tab is logged in, except at the address of the endpoint', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(page.getByRole('navigation')).toBeVisible()
  const second = await context.newPage()
  await second.goto(`${service.url}/profile/api-keys`)
  await expect(second.getByRole('heading', { name: 'API Keys' })).toBeVisible()
  await second.goto(new URL('/', service.mcp).href)
  await expect(loggedOut(second)).toBeVisible()
  await expect(second.getByText('The dashboard is at the address that ends in .localhost')).toBeVisible()
})

test('a browser that cannot resolve the dashboard’s name logs in at 127.0.0.1 without a cookie', async ({
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
  await page.getByRole('toolbar', { name: '5 selected' }).getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'For spreadsheets (.csv)' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('#336699')
  await logOut(page)
})

test('a page of another local program gets no cookie, and cannot read, change or frame anything', async ({
  page,
  service,
  complaints
}) => {
  await page.goto(service.login)
  await expect(listOf(page)).toBeVisible()
  const [cookie] = await page.context().cookies()
  const sent: IncomingHttpHeaders[] = []
  const foreign = createServer(({ headers }, response) => {
    sent.push(headers)
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another program</title><body></body>')
  })
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  const { port } = foreign.address() as AddressInfo
  // Browsers scope cookies by host, not by port: only the dashboard's secret name keeps its cookie from other programs.
  await page.evaluate((url) => location.assign(url), `http://127.0.0.1:${port}/`)
  await page.waitForURL(`http://127.0.0.1:${port}/`)
  for (const name of ['localhost', 'a.localhost', '127.0.0.1']) await page.goto(`http://${name}:${port}/`)
  const { hostname } = new URL(service.url)
  for (const headers of sent) {
    expect(headers.cookie).toBeUndefined()
    expect(JSON.stringify(headers)).not.toContain(hostname)
  }
  expect(sent.length).toBeGreaterThanOrEqual(4)
  // A stolen cookie is useless without the name.
  const { origin, host } = new URL(service.mcp)
  const stolen = { host, origin, cookie: `${cookie?.name}=${cookie?.value}` }
  expect((await rawRequest(origin, { path: '/api/status', headers: stolen })).status).toBe(401)
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(service.url)) statuses.push(response.status())
  })
  await page.evaluate(async (url) => {
    const ask = (path: string, init: RequestInit) =>
      fetch(url + path, { credentials: 'include', ...init }).catch(() => {})
    const insert = { name: 'bookmarks.insert', arguments: { urls: 'https://evil.example/' } }
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: insert })
    await ask('/api/status', {})
    await ask('/api/tools/mcp', { method: 'POST', mode: 'no-cors', body: call })
    await ask('/api/keys', { method: 'POST', mode: 'no-cors', body: '{"name":"evil"}' })
    await ask('/api/session', { method: 'DELETE' })
    const frame = document.createElement('iframe')
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    frame.src = `${url}/`
    document.body.append(frame)
    await loaded
  }, service.url)
  expect(new Set(statuses)).toEqual(new Set([403]))
  foreign.close()
  complaints.length = 0 // the browser reports what it blocked
  await page.goto(service.url)
  await expect(page.getByRole('link', { name: 'All 3' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'API Keys 0' })).toBeVisible()
})

test('the page reports that the service ended, disables changes, and recovers when it is back', async ({
  page,
  service,
  host,
  shared,
  complaints
}) => {
  await service.open(page)
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('img', { name: 'Connected', exact: true })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const title = page.getByRole('complementary', { name: 'Bookmark' }).getByLabel('Title')
  await expect(title).toBeVisible()

  await host('close', service.data, shared.port)
  const banner = page.getByRole('alert', { name: 'Earmark does not answer' })
  await expect(banner).toContainText('npm start')
  await expect(page.getByRole('button', { name: 'Add' })).toBeDisabled()
  await expect(page.getByRole('combobox', { name: 'Search bookmarks' })).toBeDisabled()
  await expect(listOf(page).getByRole('row')).toHaveCount(3)
  await title.fill('Typed offline')
  await look(page, 'gone')

  await host('open', service.data, shared.port)
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add' })).toBeEnabled()
  await title.press('Control+Enter')
  await expect(listOf(page).getByRole('row').filter({ hasText: 'Typed offline' })).toHaveCount(1)
  complaints.length = 0 // the browser reports each connection that is refused
})
