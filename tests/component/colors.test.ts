import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, item, openPages, panelOf, save } from '../support/open-pages.ts'

test('colors that look alike are shown beside a color, and opened', async () => {
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
