import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const LOGIN_COMMAND = 'npm run -s earmark -- login'

const STRANGER = { loggedIn: false }

/** The list of bookmarks, which nobody sees who is not let in. */
function list({ page }: App): Promise<HTMLElement> {
  return page.findByRole('heading', { name: 'Welcome to Earmark' })
}

/** Presses the button that logs out and gives the question that follows. */
async function askToLogOut({ page, user }: App): Promise<HTMLElement> {
  await user.click(await page.findByRole('button', { name: 'Log out' }))
  return page.findByRole('dialog', { name: 'Log out?' })
}

test('a link made by the command line opens the dashboard once, and from then on says so and lets nobody in', async () => {
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

test('whoever is logged in already is let in by a used link too', async () => {
  const service = await testService()
  const app = await renderApp(service, '/login#used')
  await list(app)
  expect(location.href).toBe(`http://${service.dashboardHost}:20727/`)
})

test('the login page without a token says what is missing', async () => {
  const app = await renderApp(await testService(), '/login', STRANGER)
  await app.page.findByRole('heading', { name: 'This is not a login link' })
  expect(app.page.getByRole('alert')).toHaveTextContent('no login token')
})

test('without a session the dashboard says that one is logged out, and how to log in', async () => {
  const app = await renderApp(await testService(), '/', STRANGER)
  await app.page.findByRole('heading', { name: 'You are logged out' })
  app.page.getByText(LOGIN_COMMAND)
  expect(app.page.queryByRole('navigation')).toBeNull()
})

test('a session that ends while a page is open leads to how to log in again', async () => {
  let later = 0
  const app = await renderApp(await testService({ now: () => Date.now() + later }))
  await list(app)
  later = 7 * 86_400_000
  await app.user.type(app.page.getByRole('searchbox', { name: 'Search bookmarks' }), 'a.example')
  await app.page.findByRole('heading', { name: 'You are logged out' })
  expect(app.page.queryByRole('navigation')).toBeNull()
})

test('a service that has stopped is told to the owner, in words', async () => {
  const app = await renderApp(await testService())
  await list(app)
  app.cut('GET /api/status')
  await app.load()
  await app.page.findByRole('heading', { name: 'Earmark does not answer' })
  expect(app.page.getByRole('main')).toHaveTextContent('npm start')
})

test('a service that fails is not said to be silent', async () => {
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

test('a log out that fails is told to the owner', async () => {
  const app = await renderApp(await testService())
  app.cut('DELETE /api/session')
  await app.user.click(within(await askToLogOut(app)).getByRole('button', { name: 'Log out' }))
  expect(await app.page.findByRole('alert')).toHaveTextContent('You are still logged in.')
})

test('each page has an address and a title of its own, and can be loaded there', async () => {
  const dashboard = tempFolder()
  writeFileSync(join(dashboard, 'index.html'), '<!doctype html>')
  const service = await testService({ dashboard })
  const app = await renderApp(service)
  for (const [name, title, path] of [
    ['Links', 'Links', '/links'],
    ['Images', 'Images', '/images'],
    ['Colors', 'Colors', '/colors'],
    ['Texts', 'Texts', '/texts'],
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
})
