import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, item, openPages, panelOf } from '../support/open-pages.ts'
import { callTool, makeKey } from '../support/service.ts'

test('what an agent saves is marked with its name, and says later who saved it', async () => {
  const { app, service } = await openPages()
  const key = await makeKey(service, { name: 'editor' })
  const insert = (...urls: string[]) => callTool(service, key, 'bookmarks.insert', { urls })
  await within(app.page.getByRole('navigation')).findByRole('img', { name: 'Connected' })
  await insert('https://agent.example/1', 'https://agent.example/2')
  await expectRows(app, 2, 'by editor')
  expect(app.rows('agent.example/2')[0]).toHaveTextContent('by editor')
  expect(document.querySelectorAll('[role=grid] [data-new]')).toHaveLength(2)
  await app.page.findByText('2 bookmarks saved by an agent', { selector: '[role=status] *' })
  await app.user.click(app.page.getByRole('radio', { name: 'Grid' }))
  await insert('https://agent.example/3')
  const card = await waitFor(() => {
    const cards = app.page.getAllByRole('gridcell')
    const found = cards.find(({ textContent }) => textContent?.includes('agent.example/3'))
    expect(found).toHaveTextContent('by editor')
    return found
  })
  expect(card).toHaveAttribute('data-new')
  await app.user.click(app.page.getByRole('radio', { name: 'List' }))
  await app.user.click(await item(app, 'agent.example/2'))
  await (await panelOf(app)).findByText(/Saved .* with the key “editor”/)
})
