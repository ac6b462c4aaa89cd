import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { renderApp } from '../support/render-app.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { page as answer, startTestWeb } from '../support/test-web.ts'

const LINE = 'The patient gardener counts every apple, pear and medlar behind the old stone house.'
const STORY = `<html lang="en"><title>Orchards</title><article><h1>Orchards</h1>${`<p>${LINE} ${LINE}</p>`.repeat(6)}
  <p>In October the <em>quince</em> turns yellow.</p></article>`

/** The dashboard with a bookmark whose text is stored, and what tests do with its highlights. */
async function openStory() {
  const { wire } = await startTestWeb(() => answer(STORY))
  const service = await testService({ web: 'internet', wire })
  await service.listen(0)
  const app = await renderApp(service)
  const saved = await callTool(service, await makeKey(service), 'bookmarks.insert', { urls: ['http://a.example/'] })
  const { id } = saved.payload.bookmarks[0]
  const put = (name: string, highlight: object) =>
    callApi(service, 'PUT', `/bookmarks/${id}/highlights/${name}`, highlight)
  await waitFor(() => expect(app.rows('Orchards')).toHaveLength(1))
  const open = async () => {
    await app.user.click(app.rows('Orchards')[0]?.querySelector('[role="gridcell"]') as HTMLElement)
    return within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  }
  const read = async () => {
    await app.user.click(await (await open()).findByRole('button', { name: 'Read' }))
    const reader = within(await app.page.findByRole('dialog', { name: 'Orchards' }))
    await reader.findByText('quince')
    return reader
  }
  return { app, service, id, put, open, read }
}

/** Selects from the beginning of an element to the end of another one's text. */
function select(first: HTMLElement, last = first): void {
  getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length)
  document.dispatchEvent(new Event('selectionchange'))
}

test('what is selected is highlighted by a button or a key, and changed, deleted and undone in the reader', async () => {
  const { app, service, id, read } = await openStory()
  const reader = await read()
  const listed = async () => (await (await callApi(service, 'GET', `/bookmarks/${id}/highlights`)).json()).highlights
  const quince = reader.getByText('quince')
  select(quince)
  const bar = await reader.findByRole('dialog', { name: 'Highlight' })
  await app.user.click(within(bar).getByRole('button', { name: 'Blue' }))
  await waitFor(async () => expect(await listed()).toHaveLength(1))
  expect((await listed())[0]).toMatchObject({
    quote: 'quince',
    prefix: expect.stringMatching(/house\.\nIn October the $/),
    suffix: ' turns yellow.',
    color: 'blue'
  })
  expect(reader.queryByRole('dialog', { name: 'Highlight' })).toBeNull()

  // A selection across paragraphs, by a key in the last color.
  select(quince.parentElement?.previousElementSibling as HTMLElement, quince.parentElement as HTMLElement)
  await reader.findByRole('dialog', { name: 'Highlight' })
  await app.user.keyboard('h')
  await waitFor(async () => expect(await listed()).toHaveLength(2))
  expect((await listed())[0]).toMatchObject({
    quote: `${LINE} ${LINE}\nIn October the quince turns yellow.`,
    color: 'blue'
  })

  await app.user.click(await reader.findByRole('button', { name: 'Highlights: 2' }))
  const list = within(reader.getByRole('complementary', { name: 'Highlights' }))
  await app.user.click(list.getByRole('button', { name: 'Blue quince' }))
  const card = within(await reader.findByRole('dialog', { name: 'Highlight' }))
  await app.user.type(card.getByRole('textbox', { name: 'Note' }), 'Jam ')
  await app.user.click(card.getByRole('button', { name: 'Pink' }))
  await waitFor(async () => expect((await listed())[1]).toMatchObject({ note: 'Jam', color: 'pink' }))
  await app.user.keyboard('{Escape}')
  await list.findByRole('button', { name: 'Pink quince Jam' })

  await app.user.click(list.getByRole('button', { name: 'Pink quince Jam' }))
  const again = within(await reader.findByRole('dialog', { name: 'Highlight' }))
  await app.user.click(again.getByRole('button', { name: 'Delete' }))
  await app.page.findByText('Highlight deleted.')
  await reader.findByRole('button', { name: 'Highlights: 1' })
  await app.user.keyboard('{Control>}z{/Control}')
  await list.findByRole('button', { name: 'Pink quince Jam' })
  expect(await listed()).toHaveLength(2)
})

test('a highlight that the text has no more stays in the list, to be changed', async () => {
  const { app, put, read } = await openStory()
  await put('h1', { quote: 'The storm took the roof of the shed', prefix: 'before ', start: 10 })
  await put('h2', { quote: 'turns  yellow' })
  const reader = await read()
  await app.user.click(await reader.findByRole('button', { name: 'Highlights: 2' }))
  const list = within(reader.getByRole('complementary', { name: 'Highlights' }))
  list.getByRole('heading', { name: 'Not found in the current text' })
  await app.user.click(list.getByRole('button', { name: /storm/ }))
  await app.user.click(list.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(list.queryByRole('heading', { name: 'Not found in the current text' })).toBeNull())
  list.getByRole('button', { name: /turns/ })
  await app.user.keyboard('{Escape}')
  expect(reader.queryByRole('complementary')).toBeNull()
})

test('the panel shows the highlights of a bookmark, and opens the reader at one', async () => {
  const { app, put, open } = await openStory()
  await put('h1', { quote: 'quince', note: 'Jam', color: 'green' })
  const panel = await open()
  await app.user.click(await panel.findByRole('button', { name: 'Green quince Jam' }))
  const reader = within(await app.page.findByRole('dialog', { name: 'Orchards' }))
  const card = within(await reader.findByRole('dialog', { name: 'Highlight' }))
  expect(card.getByRole('textbox', { name: 'Note' })).toHaveValue('Jam')
})

test('all highlights are listed, filtered by words and color, and each opens its text', async () => {
  const { app, put } = await openStory()
  await app.user.keyboard('gh')
  await app.page.findByText('No highlights yet')
  for (let index = 0; index < 55; index++) await put(`h${index}`, { quote: `quince ${index}` })
  await put('last', { quote: 'October', note: 'Jam', color: 'pink' })
  await app.user.click(await app.page.findByRole('link', { name: /^Highlights/ }))
  const items = () => app.page.queryAllByRole('link', { name: /^(?:Yellow|Pink) / })
  await waitFor(() => expect(items()).toHaveLength(50))
  app.page.getByRole('heading', { name: 'Orchards' })
  expect(items()[0]).toHaveAccessibleName('Pink October Jam')
  await app.user.click(app.page.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(items()).toHaveLength(56))

  await app.user.click(app.page.getByRole('button', { name: 'Pink' }))
  await waitFor(() => expect(items()).toHaveLength(1))
  await app.user.type(app.page.getByRole('searchbox', { name: 'Find in highlights' }), 'storm')
  await app.page.findByText('Nothing matches')
  await app.user.click(app.page.getByRole('button', { name: 'Clear filters' }))
  await app.user.click(await app.page.findByRole('link', { name: 'Pink October Jam' }))
  const reader = within(await app.page.findByRole('dialog', { name: 'Orchards' }))
  await reader.findByRole('dialog', { name: 'Highlight' })
})
