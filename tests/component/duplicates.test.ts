import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openPages } from '../support/open-pages.ts'
import type { App } from '../support/render-app.ts'

const groups = (app: App) => app.page.queryAllByRole('article').map((group) => group.getAttribute('aria-label'))

test('pages that are no duplicates are not shown as such again, until that is undone', async () => {
  const pages = ['http://a.example/x', 'https://a.example/x/', 'http://b.example/y', 'https://b.example/y/']
  const { app } = await openPages(pages, '/duplicates')
  await waitFor(() => expect(groups(app)).toHaveLength(2))
  const [first, second] = groups(app)
  await app.user.click(app.page.getByRole('button', { name: `Not duplicates: ${first}` }))
  await app.page.findByText(`“${first}” is not shown as a duplicate any more.`)
  await waitFor(() => expect(groups(app)).toEqual([second]))
  await waitFor(() => expect(app.page.getByRole('heading', { name: 'Pages saved more than once' })).toHaveFocus())
  await app.load()
  await waitFor(() => expect(groups(app)).toEqual([second]))
  await app.user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(groups(app)).toHaveLength(2))
})

test('two addresses of a page are merged, and the chosen one stays', async () => {
  const { app } = await openPages(['http://a.example/x', 'https://a.example/x/'], '/duplicates')
  const group = within(await app.page.findByRole('article'))
  await app.user.click(group.getByRole('radio', { name: 'http://a.example/x' }))
  await app.user.click(group.getByRole('button', { name: /^Merge: / }))
  await app.page.findByText('Merged. 1 bookmark is in the trash.')
  await app.page.findByText('No duplicates')
  await app.load('/')
  await waitFor(() => expect(app.rows()).toHaveLength(1))
  expect(app.rows('http://a.example/x')).toHaveLength(1)
})
