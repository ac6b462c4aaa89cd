// What is typed in the panel while the service, another tab or an agent gets in the way: none of it is lost, and nobody
// else's change is overwritten.

import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { ShownBookmark } from '../../src-renderer/api/client.ts'
import { notice, openThreeLinks } from '../support/open-pages.ts'
import { callApi } from '../support/service.ts'

/** Opens the panel of b.example. */
async function openPanel() {
  const listed = await openThreeLinks()
  const { app, service, item, field, fill } = listed
  const read = async (path: string) => (await callApi(service, 'GET', path)).json()
  const { bookmarks } = (await read('/bookmarks?words=b.example')) as { bookmarks: ShownBookmark[] }
  const id = bookmarks[0]?.id ?? ''
  await app.user.click(await item('b.example'))
  await field('Title')
  return {
    ...listed,
    id,
    type: async (name: string, text: string) => fill(await field(name), text),
    /** The bookmark in the library. */
    bookmark: async () => (await read(`/bookmarks/${id}`)) as ShownBookmark,
    /** Changes it as an agent or another tab does. */
    edit: (change: object) => callApi(service, 'PATCH', `/bookmarks/${id}`, change),
    alert: async () => (await listed.panel()).findByRole('alert')
  }
}

type Opened = Awaited<ReturnType<typeof openPanel>>

const expectStatus = async ({ panel }: Opened, text: string) =>
  (await panel()).findByText(text, { selector: '[role="status"]' })

const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('earmark-draft'))

/** Stores what a tab that was closed could not save. */
function leaveDraft(id: string, edits: object): void {
  localStorage.setItem(`earmark-draft closed ${id}`, JSON.stringify(edits))
}

/** Acts as another tab with a draft that is open until the returned function is called. */
async function openOtherTab(id: string, edits: object): Promise<() => Promise<void>> {
  localStorage.setItem(`earmark-draft other ${id}`, JSON.stringify(edits))
  const closed = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const ended = navigator.locks.request('earmark-draft other', () => {
    opened.resolve()
    return closed.promise
  })
  await opened.promise
  return async () => {
    closed.resolve()
    await ended
  }
}

test('what a closed tab could not save is saved by the next page, also if that shows its bookmark', async () => {
  const opened = await openPanel()
  const { app, id, field, bookmark, panel } = opened
  for (const [path, typed] of [
    ['/', 'Mine'],
    [`/?open=${id}`, 'Mine again']
  ] as const) {
    const { title: was, updatedAt } = await bookmark()
    leaveDraft(id, { title: { was, version: updatedAt, typed } })
    await app.load(path)
    await waitFor(async () => expect((await bookmark()).title).toBe(typed))
    await waitFor(() => expect(drafts()).toEqual([]))
  }
  expect(await field('Title')).toHaveValue('Mine again')
  expect((await panel()).queryByRole('alert')).toBeNull()
})

test('what a closed tab could not save is a conflict if its field was changed since', async () => {
  const opened = await openPanel()
  const { app, id, field, bookmark, alert } = opened
  const { title, updatedAt: version } = await bookmark()
  await opened.edit({ title: 'Theirs' })
  leaveDraft(id, { title: { was: title, version, typed: 'Mine' }, description: { was: '', version, typed: 'Said' } })
  await app.load()
  expect(await alert()).toHaveTextContent('It is now “Theirs”.')
  expect(await field('Title')).toHaveValue('Mine')
  await waitFor(async () => expect(await bookmark()).toMatchObject({ title: 'Theirs', description: 'Said' }))
  await app.user.click(within(await alert()).getByRole('button', { name: 'Keep mine' }))
  await waitFor(async () => expect((await bookmark()).title).toBe('Mine'))
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('each tab has drafts of its own, and takes over those of another tab only after that was closed', async () => {
  const opened = await openPanel()
  const { app, id, bookmark } = opened
  const { updatedAt: version } = await bookmark()
  const close = await openOtherTab(id, { description: { was: '', version, typed: 'Of the other tab' } })
  await opened.type('Title', 'Of this tab')
  await expectStatus(opened, 'Saved')
  await app.load('/')
  await opened.item('Of this tab')
  expect(drafts()).toEqual([`earmark-draft other ${id}`])
  await close()
  await app.load('/')
  await waitFor(async () => {
    expect(await bookmark()).toMatchObject({ title: 'Of this tab', description: 'Of the other tab' })
  })
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('a page that is left sends all typed fields in one request, which overwrites nothing', async () => {
  const opened = await openPanel()
  const { app, bookmark, field, alert } = opened
  app.cut('GET /api/events')
  await app.load()
  const { updatedAt: version } = await bookmark()
  await field('Title')
  await opened.edit({ title: 'Theirs' })
  const sent: unknown[] = []
  app.answer('PATCH /api/bookmarks/', async (request) => void sent.push(await request.clone().json()) as undefined)
  await opened.type('Title', 'Mine')
  await opened.type('Description', 'Said')
  await app.load()
  expect(sent[0]).toEqual({ title: 'Mine', description: 'Said', version })
  expect(await alert()).toHaveTextContent('It is now “Theirs”.')
  await waitFor(async () => expect(await bookmark()).toMatchObject({ title: 'Theirs', description: 'Said' }))
  await app.user.click(within(await alert()).getByRole('button', { name: 'Use the other version' }))
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('text that a page sent when it was left is no conflict if the library spells it differently', async () => {
  const opened = await openPanel()
  const { app, bookmark, field, panel } = opened
  await opened.type('Title', ' Mine  too ')
  await opened.type('Description', 'Said ')
  await app.load()
  await waitFor(async () => expect(await bookmark()).toMatchObject({ title: 'Mine too', description: 'Said' }))
  await waitFor(() => expect(drafts()).toEqual([]))
  expect(await field('Title')).toHaveValue('Mine too')
  expect((await panel()).queryByRole('alert')).toBeNull()
})

test('a bookmark that is moved to the trash while one types keeps the focus, and the text until it is restored', async () => {
  const opened = await openPanel()
  const { app, service, id, field, panel, bookmark, expectRows } = opened
  const description = await field('Description')
  await app.user.type(description, 'Half')
  await callApi(service, 'POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
  await expectRows(2)
  await (await panel()).findByText(/^In the trash since/)
  await app.user.keyboard('{Delete}jx{Backspace}')
  expect(description).toHaveFocus()
  expect(description).toHaveValue('Half')
  await expectStatus(opened, 'Not saved')
  await expectRows(2)
  expect(app.page.queryByRole('alert')).toBeNull()
  await app.user.keyboard('{Escape}')
  await notice(app, 'What you typed is kept, but not saved: This bookmark is in the trash.')
  await app.load(`/trash?open=${id}`)
  const shown = await field('Description')
  await waitFor(() => expect(shown).toHaveValue('Half'))
  expect(await field('Title')).not.toHaveFocus()
  await app.user.click((await panel()).getByRole('button', { name: 'Restore' }))
  await waitFor(async () => expect(await bookmark()).toMatchObject({ description: 'Half', deletedAt: null }))
})

test('tags that are added here and renamed elsewhere are merged', async () => {
  const opened = await openPanel()
  const { app, service, panel, bookmark } = opened
  await opened.edit({ tags: ['alpha', 'beta'] })
  await (await panel()).findByText('beta')
  const answerAgain = app.cut('PATCH /api/bookmarks/')
  await app.user.type((await panel()).getByRole('combobox', { name: 'Tags' }), 'gamma{Enter}')
  await callApi(service, 'PATCH', '/tags/alpha', { name: 'omega' })
  await (await panel()).findByText('omega')
  answerAgain()
  await waitFor(async () => expect((await bookmark()).tags).toEqual(['beta', 'gamma', 'omega']))
  await expectStatus(opened, 'Saved')
  expect((await panel()).queryByRole('alert')).toBeNull()
})

test('a conflict of visibilities names the other one', async () => {
  const opened = await openPanel()
  const { app, panel, alert } = opened
  const answerAgain = app.cut('PATCH /api/bookmarks/')
  // Without organizations there is nobody to share with.
  expect((await panel()).queryByRole('combobox', { name: 'Visibility' })).toBeNull()
  await callApi(opened.service, 'POST', '/organizations', { name: 'Acme' })
  await app.user.click(await (await panel()).findByRole('combobox', { name: 'Visibility' }))
  await app.user.click(await app.page.findByRole('option', { name: 'Public' }))
  await opened.edit({ organization: 'Acme' })
  answerAgain()
  expect(await alert()).toHaveTextContent('It is now “Acme”.')
  await app.user.click(within(await alert()).getByRole('button', { name: 'Use the other version' }))
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('a panel that is closed while the service does not answer says so until its text is saved', async () => {
  const opened = await openPanel()
  const { app, bookmark } = opened
  const answerAgain = app.cut('PATCH /api/bookmarks/')
  await opened.type('Title', 'Typed in vain')
  await app.user.keyboard('{Escape}')
  await notice(app, 'What you typed is kept, but not saved: Earmark does not answer.')
  answerAgain()
  await waitFor(async () => expect((await bookmark()).title).toBe('Typed in vain'))
  await waitFor(() => expect(app.page.queryByRole('alert')).toBeNull(), { timeout: 5000 })
  expect(drafts()).toEqual([])
})

test('text typed into a bookmark that was deleted permanently can be copied', async () => {
  const opened = await openPanel()
  const { app, service, id, bookmark } = opened
  const { updatedAt: version } = await bookmark()
  const title = { was: '', version, typed: 'Mine' }
  const description = { was: '', version, typed: 'Said' }
  leaveDraft(id, { title, description })
  for (const kind of ['delete', 'purge']) {
    await callApi(service, 'POST', '/bookmarks/changes', { ids: [id], change: { kind } })
  }
  await app.load('/')
  const told = await notice(app, 'What you typed is kept, but not saved: This bookmark is no longer there.')
  await app.user.click(told.getByRole('button', { name: 'Copy' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('Mine\nSaid'))
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('text typed into a bookmark that was deleted permanently can be discarded', async () => {
  const opened = await openPanel()
  const { app, service, id } = opened
  leaveDraft(id, { title: { was: '', version: (await opened.bookmark()).updatedAt, typed: 'Mine' } })
  for (const kind of ['delete', 'purge']) {
    await callApi(service, 'POST', '/bookmarks/changes', { ids: [id], change: { kind } })
  }
  await app.load('/')
  const told = await notice(app, 'What you typed is kept, but not saved: This bookmark is no longer there.')
  await app.user.click(told.getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(drafts()).toEqual([]))
})

test('what is typed in two visits is undone one visit after the other', async () => {
  const opened = await openPanel()
  const { app, item, bookmark } = opened
  const { title } = await bookmark()
  for (const typed of ['First', 'Second']) {
    await opened.type('Title', typed)
    await app.user.keyboard('{Escape}')
    await waitFor(async () => expect((await bookmark()).title).toBe(typed))
    if (typed === 'First') await app.user.click(await item('First'))
  }
  await app.user.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect((await bookmark()).title).toBe('First'))
  await app.user.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect((await bookmark()).title).toBe(title))
})
