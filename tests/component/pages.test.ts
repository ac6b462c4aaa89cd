import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { renderApp } from '../support/render-app.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { type Answering, page as answer, startTestWeb } from '../support/test-web.ts'

const LINE =
  'The patient gardener counts every apple, pear and quince in the walled orchard behind the old stone house.'

const ORCHARDS = `<html lang="en"><title>Orchards</title><meta property="og:site_name" content="Garden weekly">
  <article><h1>Orchards</h1><p>${LINE} ${LINE}</p><h2>Later</h2><p>&lt;img src=x onerror=alert(1)&gt; ${LINE}</p>
  <ol><li>Prune</li><li>Pick <a href="/pick">when ripe</a><ul><li>by hand</li></ul></li></ol>
  <blockquote><p>An apple a day.</p></blockquote><pre>for (tree of orchard) {

  pick(tree)
}</pre><table><tr><th>Fruit</th><th>Month</th></tr><tr><td>Quince</td><td>October</td></tr></table>
  <p>זהו משפט שלם בעברית, שנקרא מימין לשמאל, עם המילה apple בתוכו.</p><p>果樹園の古い壁の中で、庭師は林檎を数える。</p>
  ${`<p>${LINE} ${LINE} ${LINE}</p>`.repeat(3)}</article>`

/** The dashboard of a service whose web has these pages, by host and path, and which has saved them. */
async function openPages(pages: Record<string, Answering>) {
  const { wire } = await startTestWeb((target) => pages[target])
  const service = await testService({ web: 'internet', wire })
  // A service fetches once it listens.
  await service.listen(0)
  const app = await renderApp(service)
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  const urls = Object.keys(pages).map((target) => `http://${target}`)
  await callTool(service, await makeKey(service), 'bookmarks.insert', { urls })
  async function open(title: string) {
    await waitFor(() => expect(app.rows(title)).toHaveLength(1))
    await app.user.click(app.rows(title)[0]?.querySelector('[role="gridcell"]') as HTMLElement)
    return within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  }
  return { app, open, service }
}

test('a saved page shows its name and text after it was fetched, and is found by its words', async () => {
  const { app, open } = await openPages({ 'orchard.example/story': answer(ORCHARDS) })
  const panel = await open('Orchards')
  await panel.findByText(/Garden weekly/)
  await panel.findByText(/^Page details fetched/)
  panel.getByText('1 min')
  await app.user.click(panel.getByRole('button', { name: 'Read' }))
  const reader = within(await app.page.findByRole('dialog', { name: 'Orchards' }))
  await reader.findByRole('heading', { name: 'Later' })
  reader.getByText(/^Garden weekly · 1 min · /)
  reader.getByText(/<img src=x onerror=alert\(1\)>/)
  expect(reader.getByRole('link', { name: 'when ripe' })).toHaveAttribute('href', 'http://orchard.example/pick')
  const items = within(reader.getAllByRole('list')[0] as HTMLElement).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Prune/),
    expect.stringMatching(/Pick/),
    'by hand'
  ])
  expect(reader.getByRole('blockquote')).toHaveTextContent(/^An apple a day\.$/)
  reader.getByRole('columnheader', { name: 'Month' })
  expect(reader.getByText(/pick\(tree\)/).textContent).toMatch(/{\n\n {2}pick/)
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  panel.getByRole('button', { name: 'Read' })

  await app.user.type(app.page.getByRole('combobox', { name: 'Search bookmarks' }), 'patient gardener')
  await waitFor(() => expect(app.rows('Orchards')[0]).toHaveTextContent('patient gardener'))
})

test('the last unread text of a list is archived from the reader, and the list tells its end', async () => {
  const story = (title: string) => answer(ORCHARDS.replaceAll('Orchards', title))
  const { app, open } = await openPages({
    'c.example/': story('Cherries'),
    'b.example/': answer('<title>Berries</title>'),
    'a.example/': story('Apples')
  })
  await waitFor(() => expect(app.rows('Cherries')).toHaveLength(1))
  const panel = await open('Apples')
  await app.user.click(await panel.findByRole('button', { name: 'Read' }))
  const first = await app.page.findByRole('dialog', { name: 'Apples' })
  await within(first).findByRole('heading', { name: 'Later' })
  await app.user.keyboard('a')
  await app.page.findByText('1 bookmark archived.')
  const second = within(await app.page.findByRole('dialog', { name: 'Cherries' }))
  await second.findByRole('heading', { name: 'Later' })
  await app.user.keyboard('{Control>}z{/Control}')
  await app.page.findByText('Undone: 1 bookmark archived.')
  await app.user.click(second.getByRole('button', { name: 'Next text' }))
  await app.page.findByText('That was the last text in this list.')
  expect(app.page.queryByRole('dialog')).toBeNull()
  await app.page.findByRole('button', { name: 'Read' })
})

test('with the setting for it, a click on a title and O open the text, and closing it leads back to the list', async () => {
  const { app, service } = await openPages({ 'orchard.example/story': answer(ORCHARDS) })
  await waitFor(() => expect(app.rows('Orchards')).toHaveLength(1))
  const link = () => within(app.rows('Orchards')[0] as HTMLElement).getByRole('link', { name: 'Orchards' })
  expect(link()).toHaveAttribute('href', 'http://orchard.example/story')
  await callApi(service, 'PATCH', '/settings', { readFirst: true })
  // The list shows before the settings are there.
  await app.load('/settings')
  await app.page.findByRole('switch', { name: /^Open saved text first/, checked: true })
  await app.user.keyboard('ga')
  await waitFor(() => expect(app.rows('Orchards')).toHaveLength(1))
  await app.user.click(link())
  await app.page.findByRole('dialog', { name: 'Orchards' })
  await app.user.keyboard('{Escape}')
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  expect(app.page.queryByRole('complementary', { name: 'Bookmark' })).toBeNull()
  app.page.getByRole('grid').focus()
  await app.user.keyboard('o')
  await app.page.findByRole('dialog', { name: 'Orchards' })
})

test('a page that cannot be fetched shows the reason, and is fetched again', async () => {
  const pages = { 'wall.example/how-to-peel-a-mango': answer('<title>Just a moment...</title>') }
  const { app, open } = await openPages(pages)
  const panel = await open('How to peel a mango')
  await panel.findByText(/proof that you are human/)
  pages['wall.example/how-to-peel-a-mango'] = answer('<title>Mangoes, peeled</title>')
  await app.user.click(panel.getByRole('button', { name: 'More' }))
  await app.user.click(await app.page.findByRole('menuitem', { name: 'Fetch again' }))
  await waitFor(() => expect(app.rows('Mangoes, peeled')).toHaveLength(1))
  await panel.findByText(/^Page details fetched/)
})

test('fetching is switched off, also after a reload', async () => {
  const { app } = await openPages({})
  await app.user.click(app.page.getByRole('link', { name: 'Settings' }))
  const fetching = () => app.page.findByRole('switch', { name: /^Fetch page details/ })
  await app.user.click(await fetching())
  await app.page.findByText('Saved.')
  await app.load()
  expect(await fetching()).toBeEnabled()
  expect(await fetching()).not.toBeChecked()
})

test('a check of all links asks first, with the number of requests', async () => {
  const { app } = await openPages({
    'a.example/': answer('<title>A</title>'),
    'b.example/': answer('<title>B</title>')
  })
  await app.load('/settings')
  const asked = () => app.requests.filter((request) => request === 'POST /api/link-checks')
  await app.user.click(await app.page.findByRole('button', { name: 'Check all links' }))
  const question = within(await app.page.findByRole('dialog', { name: 'Check all links?' }))
  question.getByText(/^Earmark sends 2 requests, one for the page of each link/)
  await app.user.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  expect(asked()).toHaveLength(0)
  await app.user.click(app.page.getByRole('button', { name: 'Check all links' }))
  const again = within(await app.page.findByRole('dialog', { name: 'Check all links?' }))
  await app.user.click(again.getByRole('button', { name: 'Check all links' }))
  await waitFor(() => expect(asked()).toHaveLength(1))
})
