import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openThreeLinks } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'

async function openList() {
  const listed = await openThreeLinks()
  await listed.expectRows(3)
  const { app } = listed
  const expectClosed = () => waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  return { ...listed, grid: await listed.list(), expectClosed }
}

/** Loads the toolbar of the selection. On its first load, React's strict mode mounts it twice, which drops a key's action. */
async function loadBulkBar({ page, user }: App): Promise<void> {
  await user.keyboard('x')
  await page.findByRole('toolbar')
  await user.keyboard('x')
}

test('a letter on a button of the panel acts on the bookmark of the panel', async () => {
  const { app, panel } = await openList()
  await app.user.keyboard('j{Enter}')
  const star = (await panel()).getByRole('button', { name: 'Favorite' })
  await app.user.click(star)
  await app.page.findByText('1 bookmark added to favorites.')
  expect(star).toHaveFocus()
  await app.user.keyboard('u')
  await app.page.findByText('1 bookmark marked as unread.')
})

test('the list has the keys at the start, the panel follows the cursor, and the open row is marked', async () => {
  const { app, grid, active, panel, field } = await openList()
  await app.user.keyboard('j')
  expect(grid).toHaveFocus()
  await app.user.keyboard('{Enter}')
  await panel()
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(grid).toHaveFocus())
  await app.user.click(active() as HTMLElement)
  const second = await field('Address')
  expect(second).toHaveValue('https://b.example/')
  await app.user.keyboard('k')
  await waitFor(async () => expect(await field('Address')).toHaveValue('https://c.example/'))
  const opened = [...grid.querySelectorAll('[data-opened]')]
  expect(opened).toEqual([active()])
  await app.user.keyboard('{ArrowDown}')
  await waitFor(async () => expect(await field('Address')).toHaveValue('https://b.example/'))
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('complementary', { name: 'Bookmark' })).toBeNull())
})

test('text typed immediately after Enter goes into the panel and does nothing in the list', async () => {
  const { app, grid, field } = await openList()
  grid.focus()
  for (const pressed of ['Enter', ...' more']) {
    const init = { key: pressed, bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init))
  }
  const title = await field('Title')
  await waitFor(() => expect(title).toHaveValue('https://c.example/ more'))
  expect(title).toHaveFocus()
  expect(app.tabs).toEqual([])
})

test('a bookmark selected by a key for a menu is deselected when the menu closes', async () => {
  const { app, grid } = await openList()
  await loadBulkBar(app)
  for (const key of ['m', 't']) {
    grid.focus()
    await app.user.keyboard(key)
    await waitFor(() => expect(app.page.queryByRole(key === 'm' ? 'menu' : 'dialog')).not.toBeNull())
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(app.page.queryByRole('toolbar')).toBeNull())
  }
})

const FIELDS: [key: string, dialog: string, role: string][] = [
  ['k', 'Find a bookmark or a command', 'combobox'],
  ['n', 'Add a bookmark', 'textbox'],
  ['t', 'Tags of the selected bookmarks', 'combobox']
]
for (const [key, dialog, role] of FIELDS) {
  test(`text typed immediately after ${key} goes into the field of “${dialog}” and does nothing else`, async () => {
    const { app, grid, expectClosed } = await openList()
    await loadBulkBar(app)
    grid.focus()
    // In one task, before the dialog is rendered.
    for (const pressed of [key, 'x', 'Backspace', ...'order']) {
      const init = { key: pressed, ctrlKey: pressed === 'k', bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init))
    }
    const field = (await within(await app.page.findByRole('dialog', { name: dialog })).findAllByRole(role))[0]
    await waitFor(() => expect(field).toHaveValue('order'))
    expect(field).toHaveFocus()
    await app.user.keyboard('s')
    expect(field).toHaveValue('orders')
    await app.user.keyboard('{Escape}{Escape}')
    await expectClosed()
    expect(app.tabs).toEqual([])
    expect(location.search).toBe('')
    expect(app.rows()).toHaveLength(3)
  })
}

test('letters in a field and keys in a dialog are no shortcuts, and Ctrl-B hides the sidebar even from a field', async () => {
  const { app, expectClosed } = await openList()
  const field = app.page.getByRole('combobox', { name: 'Search bookmarks' })
  await app.user.keyboard('/')
  expect(field).toHaveFocus()
  await app.user.keyboard('n?{Control>}b{/Control}')
  expect(field).toHaveValue('n?')
  expect(app.page.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(app.page.getByRole('navigation', { hidden: true })).toHaveAttribute('inert'))
  field.blur()
  await app.user.keyboard('{Shift>}?{/Shift}')
  await app.page.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await app.user.keyboard('n{Control>}k{/Control}')
  expect(app.page.getAllByRole('dialog')).toHaveLength(1)
  await app.user.keyboard('{Escape}')
  await expectClosed()
})

test('the list has the keys again after an overlay closes', async () => {
  const { app, grid, active, expectClosed } = await openList()
  for (const overlay of ['?', '{Control>}k{/Control}', 'n']) {
    await app.user.keyboard(overlay)
    await app.page.findByRole('dialog')
    await app.user.keyboard('{Escape}')
    await expectClosed()
    const before = active()
    await app.user.keyboard(overlay === '?' ? 'j' : '{ArrowUp}')
    if (overlay === '?') await waitFor(() => expect(active()).not.toBe(before))
    expect(grid).toHaveFocus()
  }
})

test('t tags and m moves the bookmark under the cursor; g and a letter open a page', async () => {
  const { app, grid, active, list } = await openList()
  await loadBulkBar(app)
  await app.user.keyboard('jt')
  await waitFor(() => expect(app.page.getByRole('combobox', { name: 'Find a tag, or name a new one' })).toHaveFocus())
  await app.user.keyboard('by key')
  const create = await app.page.findByRole('option', { name: 'Create “by key”' })
  expect(create).toHaveAttribute('data-combobox-selected')
  await app.user.keyboard('{Enter}')
  await app.page.findByRole('option', { name: 'by key, on all' })
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(active()).toHaveTextContent('by key'))
  await app.user.keyboard('{Escape}')
  grid.focus()
  await app.user.keyboard('m')
  await app.page.findByRole('menuitem', { name: 'Public' })
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('menuitem', { name: 'Public' })).toBeNull())
  await app.user.keyboard('gt')
  await waitFor(() => expect(location.pathname).toBe('/tags'))
  await app.user.keyboard('ga')
  await list()
})

test('shortcuts work on a keyboard with another alphabet', async () => {
  const { app } = await openList()
  const press = (key: string, code: string, more = {}) => fireEvent.keyDown(document.body, { key, code, ...more })
  press('и', 'KeyB', { ctrlKey: true })
  await waitFor(() => expect(app.page.getByRole('navigation', { hidden: true })).toHaveAttribute('inert'))
  press('п', 'KeyG')
  press('е', 'KeyT')
  await waitFor(() => expect(location.pathname).toBe('/tags'))
})
