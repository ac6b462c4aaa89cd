import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rawRequest } from '../support/http.ts'
import { expect, listOf, PAGES, test } from '../support/playwright.ts'

test.use({ ownContext: true })

test('a login link opens the dashboard, which shows what the library holds, also after a reload', {
  tag: '@smoke'
}, async ({ page, service }) => {
  await page.goto(service.login)
  await expect(listOf(page).getByRole('row')).toHaveCount(PAGES.length)
  await expect(page.getByRole('status').filter({ hasText: `${PAGES.length} bookmarks` })).toBeVisible()
  await expect(page.getByRole('link', { name: `All ${PAGES.length}` })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText(new URL(service.mcp).host)).toBeVisible()
  await page.reload()
  await expect(listOf(page).getByRole('row')).toHaveCount(PAGES.length)
})

test('the token leaves the address bar and the history', async ({ page, service }) => {
  const token = new URL(service.login).hash.slice(1)
  await page.goto(service.login)
  await expect(page).toHaveURL(`${service.url}/`)
  await page.goBack().catch(() => {}) // there may be nothing to go back to
  expect(page.url()).not.toContain(token)
})

test('the token is sent in no address', async ({ page, service }) => {
  const token = new URL(service.login).hash.slice(1)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().split('#')[0] ?? ''))
  await page.goto(service.login)
  await expect(listOf(page)).toBeVisible()
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.filter((address) => address.includes(token))).toEqual([])
})

test('logging out ends the session, also for other tabs and after a reload', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(listOf(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto(service.url)
  await expect(listOf(other)).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog', { name: 'Log out?' }).getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  for (const tab of [page, other]) {
    await tab.reload()
    await expect(tab.getByRole('heading', { name: 'You are logged out' })).toBeVisible()
  }
  expect(await context.cookies()).toEqual([])
})

test('scripts of the page cannot read the session’s cookie', async ({ page, context, service }) => {
  await page.goto(service.login)
  await expect(listOf(page)).toBeVisible()
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const { hostname } = new URL(service.url)
  expect(await context.cookies()).toMatchObject([
    { name: 'earmark', domain: hostname, httpOnly: true, sameSite: 'Strict' }
  ])
})

test('a page of another program here is sent no cookie, and can neither read, nor change, nor frame anything', async ({
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
    response.setHeader('content-type', 'text/html').end(ATTACK)
  })
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  const { port } = foreign.address() as AddressInfo
  // The browser looks at a cookie's host only: under the dashboard's name, if they knew it, they would be sent ours.
  await page.evaluate((url) => location.assign(url), `http://127.0.0.1:${port}/`)
  await page.waitForURL(`http://127.0.0.1:${port}/`)
  for (const name of ['localhost', 'a.localhost', '127.0.0.1']) await page.goto(`http://${name}:${port}/`)
  const { hostname } = new URL(service.url)
  for (const headers of sent) {
    expect(headers.cookie).toBeUndefined()
    expect(JSON.stringify(headers)).not.toContain(hostname)
  }
  expect(sent.length).toBeGreaterThanOrEqual(4)
  // And one who got the cookie nevertheless cannot use it without the name.
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
  complaints.length = 0 // the browser said what it refused
  await page.goto(service.url)
  await expect(page.getByRole('link', { name: 'All 3' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'API Keys 0' })).toBeVisible()
})

const ATTACK = '<!doctype html><title>Another program</title><body></body>'

test('on a telephone’s width the page does not scroll sideways', async ({ page, service }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('a page can be reloaded, and left by going back', async ({ page, service }) => {
  await service.open(page)
  const rail = page.getByRole('navigation')
  for (const [name, path] of [
    ['API Keys', '/profile/api-keys'],
    ['Settings', '/settings']
  ] as const) {
    await rail.getByRole('link', { name }).click()
    await expect(page).toHaveURL(service.url + path)
    await page.reload()
    await expect(rail.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  }
  await page.goBack()
  await expect(page).toHaveURL(`${service.url}/profile/api-keys`)
})

test('where one is can be seen, and the rail can be skipped', async ({ page, service }) => {
  await service.open(page)
  await expect(listOf(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  const name = page.getByRole('link', { name: 'Earmark' })
  await expect(name).toBeFocused()
  expect(await name.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
})
