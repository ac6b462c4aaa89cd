// Pictures, colors, and those that are similar.
import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dropOnPage, expectRows, item, openPages, panelOf, save, transferOf } from '../support/open-pages.ts'
import { picture } from '../support/pictures.ts'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, testService } from '../support/service.ts'

async function pictureFile(name: string, color: string): Promise<File> {
  return new File([await picture(color, 'png', 300)], name, { type: 'image/png' })
}

const tooLarge = () => new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.png', { type: 'image/png' })

const drop = (file: File) => dropOnPage({ files: [file] })

/** Opens the dialog that adds a bookmark, and chooses Image. */
async function addImage({ page, user }: App) {
  await user.click(await page.findByRole('button', { name: 'Add' }))
  const dialog = within(await page.findByRole('dialog', { name: 'Add a bookmark' }))
  await user.click(dialog.getByRole('radio', { name: 'Image' }))
  const choose = async (file: File) => {
    await dialog.findByRole('button', { name: 'Choose a picture…' })
    await user.upload(document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement, file)
  }
  return { dialog, choose, save: () => user.click(dialog.getByRole('button', { name: 'Save' })) }
}

test('a picture that is too large is refused when chosen or dropped, and can be replaced', async () => {
  const app = await renderApp(await testService())
  const { dialog, choose, save } = await addImage(app)
  await choose(tooLarge())
  await save()
  expect(await dialog.findByRole('alert')).toHaveTextContent('at most 10 MB')
  await app.user.click(dialog.getByRole('button', { name: 'Remove the picture' }))
  await choose(await pictureFile('Tomato soup.png', '#ff6347'))
  await dialog.findByText('Tomato soup.png')
  expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveAttribute('placeholder', 'Tomato soup')
  await save()
  await app.page.findByText('Saved Tomato soup.')
  await waitFor(() => expect(app.rows('Tomato soup')).toHaveLength(1))
  drop(tooLarge())
  await app.page.findByText(/at most 10 MB/)
  expect(app.rows()).toHaveLength(1)
})

test('a picture is stored once however it is added, shown with its colors, and exported', async () => {
  const service = await testService()
  await service.listen(0)
  const app = await renderApp(service)
  const soup = await pictureFile('Tomato soup.png', '#ff6347')
  const navy = await pictureFile('navy.png', '#203080')
  const { dialog, choose, save } = await addImage(app)
  await choose(soup)
  await app.user.type(dialog.getByRole('textbox', { name: 'Title' }), 'Soup')
  await save()
  await waitFor(() => expect(app.rows('Soup')).toHaveLength(1))

  drop(soup)
  await app.page.findByText('Already saved on', { exact: false })
  drop(navy)
  await waitFor(() => expect(app.rows('navy')).toHaveLength(1))
  const screenshot = new File([soup], 'image.png', { type: 'image/png' })
  // As a screenshot program leaves it on the clipboard.
  fireEvent.paste(document.body, { clipboardData: transferOf({ files: [screenshot] }) })
  const pasted = within(await app.page.findByRole('dialog', { name: 'Add a bookmark' }))
  await pasted.findByText('image.png')
  await app.user.click(pasted.getByRole('button', { name: 'Save' }))
  expect(await pasted.findByRole('status')).toHaveTextContent('Soup')
  await app.user.click(pasted.getByRole('button', { name: 'Open it' }))

  const panel = await panelOf(app)
  await panel.findByText(/PNG, 300 × 300/)
  expect(panel.queryByRole('textbox', { name: 'Address' })).toBeNull()
  const colors = await panel.findByRole('region', { name: 'Colors of the picture' })
  expect(within(colors).getAllByRole('button')).toHaveLength(1)
  await app.user.click(panel.getByRole('button', { name: 'Whole picture' }))
  const whole = within(await app.page.findByRole('dialog', { name: 'Soup' }))
  whole.getByRole('img', { name: 'Soup' })
  expect(whole.getByRole('link', { name: 'Save a copy' })).toHaveAttribute('download', 'Soup.png')
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('dialog', { name: 'Soup' })).toBeNull())
  expect(app.page.queryByRole('complementary', { name: 'Bookmark' })).not.toBeNull()

  const lines = (await (await callApi(service, 'GET', '/exports?format=jsonl')).text()).trim().split('\n')
  const pictures = lines.map((line) => JSON.parse(line)).filter((line) => 'picture' in line)
  const kept = pictures.map((line) => Buffer.from(line.picture.data, 'base64'))
  expect(kept).toEqual([Buffer.from(await soup.arrayBuffer()), Buffer.from(await navy.arrayBuffer())])
})

test('a color shows similar pictures, and a picture similar colors', async () => {
  const service = await testService()
  await callApi(service, 'POST', '/bookmarks', { type: 'color', content: 'tomato', title: 'My tomato' })
  // Then it looks at colors.
  await service.listen(0)
  const app = await renderApp(service, '/colors')
  await waitFor(() => expect(app.rows('My tomato')).toHaveLength(1))
  drop(await pictureFile('Soup.png', '#ff6347'))
  await app.page.findByText('Saved.')
  await app.user.click(await app.page.findByText('My tomato'))
  const similar = async () => within(await (await panelOf(app)).findByRole('region', { name: 'Similar colors' }))
  await app.user.click(await (await similar()).findByRole('button', { name: /Soup/ }))
  await waitFor(async () => expect((await panelOf(app)).getByRole('textbox', { name: 'Title' })).toHaveValue('Soup'))
  await (await similar()).findByRole('button', { name: /My tomato/ })
})

test('the panel of a color shows similar colors, which open', async () => {
  const { app, service } = await openPages()
  for (const content of ['tomato', '#ff6a4d', 'navy']) {
    await save(service, '/bookmarks', { type: 'color', content, title: `My ${content}` })
  }
  await expectRows(app, 6)
  await app.user.click(await item(app, 'My tomato'))
  const panel = await panelOf(app)
  await panel.findByRole('button', { name: 'Copy tomato' })
  const similar = within(await panel.findByRole('region', { name: 'Similar colors' }))
  expect(similar.getAllByRole('button')).toHaveLength(1)
  await app.user.click(similar.getByRole('button', { name: 'My #ff6a4d' }))
  await waitFor(() => expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('My #ff6a4d'))
  await panel.findByRole('button', { name: 'My tomato' })
})
