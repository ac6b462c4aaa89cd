import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const LOGIN_COMMAND = 'npm run -s earmark -- login'

const STRANGER = { loggedIn: false }

/** The start page, which needs a session. */
function list({ page }: App): Promise<HTMLElement> {
  return page.findByRole('heading', { name: 'Welcome to Earmark' })
}

async function askToLogOut({ page, user }: App): Promise<HTMLElement> {
  await user.click(await page.findByRole('button', { name: 'Log out' }))
  return page.findByRole('dialog', { name: 'Log out?' })
}

test('a login link opens the dashboard once, then reports that it was used', async () => {
  const service = await testService()
  const { login } = (await (await callApi(service, 'POST', '/login-links')).json()) as { login: string }
  const { pathname, hash } = new URL(login)
  const app = await renderApp(service, pathname + hash, STRANGER)
  await list(app)
  expect(location.href).toBe(`http://${service.dashboardHost}:20727/`)
  await app.user.click(within(await askToLogOut(app)).getByRole('button', { name: 'Log out' }))
  await app.page.findByRole('heading', { name: 'You are logged out' })
  await app.load(pathname + hash)
  await app.page.findByRole('heading', { name: 'This link no longer works' })
  expect(app.page.getByRole('alert')).toHaveTextContent('once')
  app.page.getByText(LOGIN_COMMAND)
  expect(location.href).toBe(`http://${service.dashboardHost}:20727/login`)
  await app.load('/')
  await app.page.findByRole('heading', { name: 'You are logged out' })
})

test('a used link opens the dashboard if the browser is logged in', async () => {
  const service = await testService()
  const app = await renderApp(service, '/login#used')
  await list(app)
  expect(location.href).toBe(`http://${service.dashboardHost}:20727/`)
})

test('the login page without a token reports that it is missing', async () => {
  const app = await renderApp(await testService(), '/login', STRANGER)
  await app.page.findByRole('heading', { name: 'This is not a login link' })
  expect(app.page.getByRole('alert')).toHaveTextContent('no login token')
})

test('a session that expires while a page is open leads to the login instructions', async () => {
  let later = 0
  const app = await renderApp(await testService({ now: () => Date.now() + later }))
  await list(app)
  later = 30 * 86_400_000
  await app.user.type(app.page.getByRole('combobox', { name: 'Search bookmarks' }), 'a.example')
  await app.page.findByRole('heading', { name: 'You are logged out' })
  expect(app.page.queryByRole('navigation')).toBeNull()
})

test('a service that does not answer is reported with how to start it', async () => {
  const app = await renderApp(await testService())
  await list(app)
  app.cut('GET /api/status')
  await app.load()
  await app.page.findByRole('heading', { name: 'Earmark does not answer' })
  expect(app.page.getByRole('main')).toHaveTextContent('npm start')
})

test('a service that fails is reported with its message', async () => {
  const app = await renderApp(await testService())
  await list(app)
  const error = { code: 'disk-full', message: 'The disk is full.' }
  const restore = app.answer('GET /api/status', () => Response.json({ error }, { status: 507 }))
  await app.load()
  await app.page.findByRole('heading', { name: 'Earmark could not be opened' })
  expect(app.page.getByRole('main')).toHaveTextContent('The disk is full.')
  restore()
  await app.user.click(app.page.getByRole('button', { name: 'Try again' }))
  await list(app)
})

test('a logout that fails is reported', async () => {
  const app = await renderApp(await testService())
  app.cut('DELETE /api/session')
  await app.user.click(within(await askToLogOut(app)).getByRole('button', { name: 'Log out' }))
  expect(await app.page.findByRole('alert')).toHaveTextContent('You are still logged in.')
})

test('each page has an address and a title, and can be loaded there', async () => {
  const dashboard = tempFolder()
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html>')
  const service = await testService({ dashboard })
  expect((await callApi(service, 'POST', '/organizations', { name: 'Acme' })).status).toBe(201)
  const app = await renderApp(service)
  for (const [name, title, path] of [
    ['All tags', 'Tags', '/tags'],
    ['All organizations', 'Organizations', '/organizations'],
    ['Trash', 'Trash', '/trash'],
    ['API Keys', 'API Keys', '/profile/api-keys'],
    ['Settings', 'Settings', '/settings']
  ] as const) {
    const link = () => app.page.findByRole('link', { name: new RegExp(`^${name}`) })
    const titled = () => waitFor(() => expect(document.title).toBe(`${title} · Earmark`))
    await app.user.click(await link())
    await titled()
    expect(location.pathname).toBe(path)
    expect((await service.fetch(new Request(location.href))).status).toBe(200)
    await app.load()
    expect(await link()).toHaveAttribute('aria-current', 'page')
    await titled()
  }
  // The addresses that types had before they were filters.
  for (const title of ['Links', 'Images', 'Colors', 'Texts']) {
    const path = `/${title.toLowerCase()}`
    expect((await service.fetch(new Request(new URL(path, location.href)))).status).toBe(200)
    await app.load(path)
    await waitFor(() => expect(document.title).toBe(`${title} · Earmark`))
  }
})

test.each([
  ['/profile/api-keys', 'GET /api/keys', 'The keys could not be read.', 'Your first key'],
  [
    '/organizations',
    'GET /api/organizations',
    'The organizations could not be read.',
    /^There are no organizations yet/
  ],
  ['/settings', 'GET /api/settings', 'The settings could not be read.', 'Appearance'],
  [
    '/settings?part=browser',
    'GET /api/browsers',
    'The browsers could not be listed.',
    /^No supported browser was found/
  ],
  ['/', 'GET /api/bookmarks?', 'The bookmarks could not be loaded.', 'Nothing matches']
])('%s reports if “%s” fails, and tries again', async (path, request, problem, content) => {
  vi.stubEnv('HOME', tempFolder())
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  const service = await testService()
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const app = await renderApp(service, '/trash')
  await app.page.findByRole('navigation')
  const restore = app.cut(request)
  await app.load(path === '/' ? '/?q=zzz' : path)
  await app.page.findByText(problem)
  restore()
  await app.user.click(app.page.getByRole('button', { name: 'Try again' }))
  await app.page.findByText(content)
})
