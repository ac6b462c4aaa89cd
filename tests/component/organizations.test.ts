import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

/** The page of a library with these organizations. */
async function openOrganizations(...names: string[]): Promise<{ app: App; service: Service }> {
  const service = await testService()
  for (const name of names) await callApi(service, 'POST', '/organizations', { name })
  const app = await renderApp(service, '/organizations')
  await app.page.findByRole('heading', { name: 'Your organizations' })
  for (const name of names) await row(app, name)
  return { app, service }
}

/** Saves pages with a key of the organization, as its agent does. */
async function saveInto(service: Service, organization: string, ...urls: string[]): Promise<void> {
  const key = await makeKey(service, { name: 'agent', organization })
  expect((await callTool(service, key, 'bookmarks.insert', { urls })).isError).toBe(false)
}

function row({ page }: App, name: string): Promise<HTMLElement> {
  return page.findByRole('article', { name })
}

/** Presses a button, and returns the dialog that it opens, once it has the focus: one that closes before keeps it. */
async function openBy({ page, user }: App, name: string): Promise<HTMLElement> {
  await user.click(page.getByRole('button', { name }))
  const dialog = await page.findByRole('dialog')
  await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement))
  return dialog
}

/** Replaces the text in a dialog's field. */
async function fill({ user }: App, dialog: HTMLElement, text: string): Promise<void> {
  const field = await within(dialog).findByRole('textbox')
  await user.clear(field)
  await user.type(field, text)
}

/** Presses a button of a dialog. */
function press({ user }: App, dialog: HTMLElement, name: string): Promise<void> {
  return user.click(within(dialog).getByRole('button', { name }))
}

test('an organization is created, counted and renamed', async () => {
  const { app, service } = await openOrganizations()
  app.page.getByText(/^There are no organizations yet\./)
  await openBy(app, 'New organization')
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.getByRole('button', { name: 'New organization' })).toHaveFocus())
  const creating = await openBy(app, 'New organization')
  await fill(app, creating, 'Acme')
  await press(app, creating, 'Create')
  await row(app, 'Acme')
  await saveInto(service, 'Acme', 'https://a.example/', 'https://acme.example/')
  await waitFor(async () => expect(await row(app, 'Acme')).toHaveTextContent('2 bookmarks, 1 key'))
  const renaming = await openBy(app, 'Rename: Acme')
  expect(within(renaming).getByRole('textbox', { name: 'Name' })).toHaveValue('Acme')
  await fill(app, renaming, 'Acme Ltd')
  await press(app, renaming, 'Rename')
  await row(app, 'Acme Ltd')
})

test('a deleted organization leaves its bookmarks to their owner, and its key ends', async () => {
  const { app, service } = await openOrganizations('Acme Ltd')
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  await saveInto(service, 'Acme Ltd', 'https://a.example/', 'https://acme.example/')
  const dialog = await openBy(app, 'Delete: Acme Ltd')
  await waitFor(() => expect(dialog).toHaveAccessibleName('Delete “Acme Ltd”?'))
  await waitFor(() => expect(dialog).toHaveTextContent('It has 2 bookmarks. Where should they go?'))
  expect(dialog).toHaveTextContent('You already have one of these pages')
  expect(dialog).toHaveTextContent('This key is revoked')
  expect(within(dialog).getByRole('listitem')).toHaveTextContent(/^agent/)
  await fill(app, dialog, 'Acme')
  expect(within(dialog).getByRole('button', { name: 'Delete' })).toBeDisabled()
  await fill(app, dialog, ' acme ltd ')
  await press(app, dialog, 'Delete')
  await app.page.findByText('“Acme Ltd” is deleted. 1 bookmark moved to you. 1 merged with yours.')
  await waitFor(() => expect(app.page.queryByRole('article')).toBeNull())
  await waitFor(() => expect(app.page.getByRole('heading', { name: 'Your organizations' })).toHaveFocus())
  await app.user.click(app.page.getByRole('link', { name: /^API Keys/ }))
  await app.user.click(await app.page.findByRole('button', { name: '1 ended key' }))
  expect(await row(app, 'agent')).toHaveTextContent('Acme Ltd')
})

test('Cancel keeps an organization; the bookmarks of a deleted one can go to the trash', async () => {
  const { app, service } = await openOrganizations('Acme')
  await saveInto(service, 'Acme', 'https://acme.example/')
  await press(app, await openBy(app, 'Delete: Acme'), 'Cancel')
  await waitFor(() => expect(app.page.getByRole('button', { name: 'Delete: Acme' })).toHaveFocus())
  await row(app, 'Acme')
  const dialog = await openBy(app, 'Delete: Acme')
  await app.user.click(await within(dialog).findByRole('radio', { name: /^Move it to the trash/ }))
  await fill(app, dialog, 'Acme')
  await press(app, dialog, 'Delete')
  await app.page.findByText('“Acme” is deleted. 1 bookmark in the trash.')
})

test('a missing name and a taken name are reported in the dialog', async () => {
  const { app } = await openOrganizations('Acme')
  const dialog = await openBy(app, 'New organization')
  await press(app, dialog, 'Create')
  await within(dialog).findByText('An organization needs a name.')
  await fill(app, dialog, 'ACME')
  await press(app, dialog, 'Create')
  await within(dialog).findByText('There is already an organization named ACME.')
})
