import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, fill, notice, openPages, panelOf, transferOf } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'

/** Opens the dialog and pastes a text. */
async function openDialog(app: App, what: string) {
  const { page, user } = app
  await user.click(await page.findByRole('button', { name: 'Add' }))
  const element = await page.findByRole('dialog', { name: 'Add a bookmark' })
  const dialog = within(element)
  await fill(app, dialog.getByLabelText('What to save'), what)
  return {
    element,
    ...dialog,
    type: (name: string) => user.click(dialog.getByRole('radio', { name })),
    tag: (name: string) => user.type(dialog.getByRole('combobox', { name: 'Tags' }), `${name}{Enter}`),
    press: async (name: string) => user.click(await dialog.findByRole('button', { name }))
  }
}

/** Fills the dialog and saves. */
async function add(app: App, what: string, { title = '', tags = [] as string[] } = {}): Promise<void> {
  const dialog = await openDialog(app, what)
  if (title) await app.user.type(dialog.getByRole('textbox', { name: 'Title' }), title)
  for (const tag of tags) await dialog.tag(tag)
  await dialog.press('Save')
  await waitFor(() => expect(dialog.element).not.toBeInTheDocument())
}

test('the dialog recognizes the type of what is saved: link, image, color, text', async () => {
  const { app } = await openPages([])
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  await add(app, 'example.com/page', { title: 'A page', tags: ['one', 'two'] })
  await add(app, 'https://images.example/cat.png', { title: 'A cat' })
  await add(app, 'oklch(70% 0.15 160)', { title: 'Mint' })
  await add(app, 'First line\nsecond line')
  await expectRows(app, 4)
  await expectRows(app, 1, 'two')
  expect(app.rows('two')[0]).toHaveTextContent(/A page.*example\.com/)
  await waitFor(() => expect(app.rows('Mint')[0]).toHaveTextContent(/#23ba7d.*rgb\(35 186 125\)/))
  const rail = within(app.page.getByRole('navigation'))
  for (const name of ['All 4', 'All tags 2']) await rail.findByRole('link', { name })
  const types = within(await app.page.findByRole('group', { name: 'Types' }))
  for (const name of ['Links 1', 'Images 1', 'Colors 1', 'Texts 1']) await types.findByRole('button', { name })
  await app.user.click(types.getByRole('button', { name: 'Colors 1' }))
  await expectRows(app, 1)
  expect(app.rows('oklch(70% 0.15 160)')).toHaveLength(1)
  await app.user.click(types.getByRole('button', { name: 'Texts 1' }))
  await expectRows(app, 1, 'First line')
})

test('a pasted list of tags becomes several tags', async () => {
  const { app } = await openPages()
  const dialog = await openDialog(app, 'https://d.example/')
  await app.user.click(dialog.getByRole('combobox', { name: 'Tags' }))
  await app.user.paste('brand, orange')
  await dialog.press('Save')
  await waitFor(() => expect(app.rows('d.example')[0]).toHaveTextContent(/brand.*orange/))
  const rail = within(app.page.getByRole('navigation'))
  for (const name of [/^brand 1/, /^orange 1/]) await rail.findByRole('link', { name })
})

test('an unsaved draft is restored, also after a reload, until it is saved or discarded', async () => {
  const { app } = await openPages()
  const dialog = await openDialog(app, 'A thought\nof two lines')
  await dialog.tag('later')
  // The first closes the list of tags.
  await app.user.keyboard('{Escape}{Escape}')
  await waitFor(() => expect(dialog.element).not.toBeInTheDocument())
  await app.page.findByText('Not saved yet. What you typed is kept.')
  await app.load()
  await expectRows(app, 3)
  await app.user.keyboard('n')
  const again = within(await app.page.findByRole('dialog', { name: 'Add a bookmark' }))
  const field = again.getByRole<HTMLTextAreaElement>('textbox', { name: 'What to save' })
  expect(field).toHaveValue('A thought\nof two lines')
  again.getByText('later')
  await waitFor(() => expect(field).toHaveFocus())
  await app.user.keyboard(', and more')
  expect(field).toHaveValue('A thought\nof two lines, and more')
  await app.user.click(again.getByRole('button', { name: 'Start over' }))
  expect(field).toHaveValue('')
})

test('Cancel discards the draft, and Undo restores it', async () => {
  const { app } = await openPages()
  // Tags alone are no draft.
  await app.user.keyboard('n')
  const first = within(await app.page.findByRole('dialog', { name: 'Add a bookmark' }))
  await app.user.type(first.getByRole('combobox', { name: 'Tags' }), 'later,')
  await app.user.keyboard('{Escape}{Escape}')
  await app.load()
  const dialog = await openDialog(app, 'A thought')
  expect(dialog.queryByText('later')).toBeNull()
  await dialog.tag('later')
  await app.user.click(within(dialog.element).getByRole('button', { name: 'Cancel' }))
  await app.user.click(await app.page.findByRole('button', { name: 'Undo' }))
  const back = within(await app.page.findByRole('dialog', { name: 'Add a bookmark' }))
  expect(back.getByRole('textbox', { name: 'What to save' })).toHaveValue('A thought')
  back.getByText('later')
  await app.user.click(back.getByRole('button', { name: 'Cancel' }))
  await app.load()
  await expectRows(app, 3)
  await app.user.keyboard('n')
  const next = within(await app.page.findByRole('dialog', { name: 'Add a bookmark' }))
  expect(next.getByRole('textbox', { name: 'What to save' })).toHaveValue('')
  expect(next.queryByText('later')).toBeNull()
})

test('a double click on Save saves once, and Ctrl-Z undoes it, also after a reload', async () => {
  const { app } = await openPages()
  const dialog = await openDialog(app, 'Said once')
  const save = dialog.getByRole('button', { name: 'Save' })
  // Both in one frame, before the button is disabled.
  save.click()
  save.click()
  await waitFor(() => expect(dialog.element).not.toBeInTheDocument())
  await expectRows(app, 1, 'Said once')
  await app.page.findByText('4 bookmarks')
  await app.load()
  await expectRows(app, 4)
  await app.user.keyboard('{Control>}z{/Control}')
  await app.page.findByText(/^Undone: Saved .+\.$/)
  await expectRows(app, 3)
  await app.user.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}')
  await app.page.findByText(/^Redone: Saved .+\.$/)
  await expectRows(app, 1, 'Said once')
})

test('pasting an address saves it at once with Undo, pasting a text opens the dialog', async () => {
  const { app } = await openPages()
  await expectRows(app, 3)
  const paste = (text: string) =>
    fireEvent.paste(document.body, { clipboardData: transferOf({ items: { 'text/plain': text } }) })
  paste('https://pasted.example/')
  await expectRows(app, 1, 'pasted.example')
  expect(app.page.queryByRole('dialog')).toBeNull()
  const toast = await notice(app, 'Saved.')
  toast.getByRole('button', { name: 'Open' })
  await app.user.click(toast.getByRole('button', { name: 'Undo' }))
  await expectRows(app, 0, 'pasted.example')
  paste('A sentence that was copied')
  expect(await app.page.findByLabelText('What to save')).toHaveValue('A sentence that was copied')
})

test('a page that is already saved can be opened, which adds no tags to it', async () => {
  const { app } = await openPages(['https://a.example/', 'https://b.example/'])
  const dialog = await openDialog(app, 'https://a.example/#again')
  expect(await dialog.findByRole('status')).toHaveTextContent(/^Already saved on /)
  await dialog.tag('met-again')
  await dialog.findByRole('button', { name: 'Add these tags' })
  await dialog.press('Open it')
  expect(await (await panelOf(app)).findByLabelText('Address')).toHaveValue('https://a.example/')
  expect(dialog.element).not.toBeInTheDocument()
  await expectRows(app, 0, 'met-again')
  await app.page.findByText('2 bookmarks', { selector: '[role=status]' })
})

test('tags for a page that is already saved are added to it, and Undo removes them', async () => {
  const { app } = await openPages(['https://a.example/'])
  const dialog = await openDialog(app, 'a.example/?utm_source=mail')
  await dialog.findByText(/^Already saved on /)
  await dialog.tag('met-again')
  await dialog.press('Add these tags')
  await waitFor(() => expect(dialog.element).not.toBeInTheDocument())
  await expectRows(app, 1, 'met-again')
  await app.user.click(app.page.getByRole('button', { name: 'Undo' }))
  await expectRows(app, 0, 'met-again')
})

test('several addresses are saved as several bookmarks, including existing ones', async () => {
  const { app } = await openPages(['https://a.example/', 'https://b.example/'])
  const dialog = await openDialog(app, 'https://one.example/\nhttps://two.example/\nhttps://a.example/')
  expect(await dialog.findByRole('status')).toHaveTextContent('3 addresses')
  await dialog.tag('together')
  await dialog.press('Save 3 bookmarks')
  await waitFor(() => expect(dialog.element).not.toBeInTheDocument())
  await expectRows(app, 3, 'together')
  expect(app.rows()).toHaveLength(4)
  await app.user.click(app.page.getByRole('button', { name: 'Undo' }))
  await expectRows(app, 2)
  await expectRows(app, 0, 'together')
})

test('the dialog shows why a bookmark cannot be saved, without names of fields', async () => {
  const { app } = await openPages([])
  const dialog = await openDialog(app, 'no color at all')
  await dialog.type('Color')
  await dialog.press('Save')
  await dialog.findByText(/Not a valid CSS color/)
  await dialog.type('Link')
  await dialog.press('Save')
  await dialog.findByText(/Address:/)
  expect(dialog.element).not.toHaveTextContent(/\b(?:url|content):/)
  await fill(app, dialog.getByLabelText('What to save'), 'ftp://a.example/')
  await dialog.press('Save')
  await dialog.findByText(/only http and https/)
})

test('international addresses are shown in their letters', async () => {
  const { app } = await openPages(['https://a.example/'])
  await add(app, 'https://bücher.example/café')
  await expectRows(app, 1, 'https://bücher.example/café')
  await app.user.click(app.page.getByRole('button', { name: 'bücher.example' }))
  await app.page.findByRole('button', { name: 'Remove filter bücher.example' })
  expect(app.page.getByRole('main')).not.toHaveTextContent('xn--')
})
