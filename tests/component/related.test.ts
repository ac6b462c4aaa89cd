import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { item } from '../support/open-pages.ts'
import { renderApp } from '../support/render-app.ts'
import { callApi, testService } from '../support/service.ts'

const SHELF = [
  ['https://rye.example/', 'Sourdough of rye', ['baking']],
  ['https://wheat.example/', 'Sourdough of wheat', ['baking', 'favorite']],
  ['https://trains.example/', 'Night trains', ['travel']],
  ['https://oats.example/', 'Sourdough of oats', []]
] as const

async function openShelf() {
  const service = await testService()
  for (const [url, title, tags] of SHELF)
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url, title, tags })
  const app = await renderApp(service)
  await app.page.findByText('Sourdough of oats')
  return { app, service }
}

test('the panel shows what is like a bookmark and offers its tags, each taken by a press', async () => {
  const { app, service } = await openShelf()
  await app.user.click(await item(app, 'Sourdough of oats'))
  const panel = within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  const offered = within(await panel.findByRole('group', { name: 'Suggested tags' }))
  expect(offered.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['baking'])
  await app.user.click(offered.getByRole('button', { name: 'Add the tag “baking”' }))
  const saved = async () => {
    const { bookmarks } = (await (await callApi(service, 'GET', '/bookmarks?words=oats')).json()) as {
      bookmarks: { tags: string[] }[]
    }
    return bookmarks[0]?.tags
  }
  await waitFor(async () => expect(await saved()).toEqual(['baking']))
  const related = within(await panel.findByRole('region', { name: 'Related' }))
  const titles = related.getAllByRole('button').map(({ textContent }) => textContent)
  expect(titles.toSorted()).toEqual(['Sourdough of ryerye.example', 'Sourdough of wheatwheat.example'])
  await app.user.click(related.getByRole('button', { name: /rye/ }))
  await waitFor(() => expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Sourdough of rye'))
})

test('tags are offered while a bookmark is added, and none is added by itself', async () => {
  const { app } = await openShelf()
  await app.user.keyboard('n')
  const dialog = within(await app.page.findByRole('dialog'))
  await app.user.type(dialog.getByRole('textbox', { name: 'What to save' }), 'https://spelt.example/sourdough')
  const offer = await dialog.findByRole('button', { name: 'Add the tag “baking”' })
  expect(dialog.queryByText('baking', { selector: '[class*=Pill] *' })).toBeNull()
  await app.user.click(offer)
  await waitFor(() => expect(dialog.queryByRole('button', { name: 'Add the tag “baking”' })).toBeNull())
  expect(dialog.getAllByText('baking').length).toBeGreaterThan(0)
})
