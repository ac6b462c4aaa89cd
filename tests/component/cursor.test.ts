import { waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { openThreeLinks } from '../support/open-pages.ts'
import { callApi } from '../support/service.ts'

/** A list with the cursor on b.example, above which an agent has saved a bookmark since. */
async function movedUnder() {
  const listed = await openThreeLinks()
  const { app, active, insert, list, item } = listed
  await item('b.example')
  await app.page.findByRole('img', { name: 'Connected' })
  ;(await list()).focus()
  while (!active()?.textContent?.includes('b.example')) await app.user.keyboard('{ArrowDown}')
  await insert('https://agent.example/above')
  await waitFor(() => expect(app.rows()[0]).toHaveTextContent('agent.example'))
  await waitFor(() => expect(active()).toHaveTextContent('b.example'))
  return listed
}

for (const key of ['Delete', 'Backspace']) {
  test(`${key} deletes the bookmark under the cursor after an agent saved one above it`, async () => {
    const { app, expectRows } = await movedUnder()
    await app.user.keyboard(`{${key}}`)
    await expectRows(0, 'b.example')
    expect(app.rows()).toHaveLength(3)
  })
}

test('the cursor stays on the first bookmark of a new list after an agent saved one above it', async () => {
  const { app, active, insert, list, item } = await openThreeLinks()
  await item('c.example')
  const first = active()?.id
  await app.page.findByRole('img', { name: 'Connected' })
  ;(await list()).focus()
  await insert('https://agent.example/above')
  await waitFor(() => expect(app.rows()[0]).toHaveTextContent('agent.example'))
  await waitFor(() => expect(active()).toHaveAttribute('id', first))
})

test('keys open, edit, select and copy the bookmark under the cursor', async () => {
  const { app, list, item, field } = await movedUnder()
  await app.user.keyboard('c')
  await app.page.findByText('Copied https://b.example/')
  for (const [key, selected] of [
    ['x', 'true'],
    [' ', 'false']
  ] as const) {
    await app.user.keyboard(key)
    await waitFor(async () => expect(await item('b.example')).toHaveAttribute('aria-selected', selected))
  }
  await app.user.keyboard('e')
  expect(await field('Address')).toHaveValue('https://b.example/')
  await app.user.keyboard('{Escape}')
  expect(await list()).toHaveFocus()
  await app.user.keyboard('o')
  expect(app.tabs).toEqual(['https://b.example/'])
})

test('a range begins at its bookmark after rows were added above', async () => {
  const { app, insert, expectRows } = await movedUnder()
  await app.user.keyboard('x')
  await insert('https://agent.example/again')
  await expectRows(5)
  await app.user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  await app.page.findByRole('toolbar', { name: '2 selected' })
  expect(app.page.getAllByRole('gridcell', { selected: true })[0]).toHaveTextContent('b.example')
})

test('keys do not act on the neighbor of a bookmark that was deleted elsewhere', async () => {
  const { app, service, item, expectRows } = await movedUnder()
  const id = (await item('b.example')).id.replace('bookmark-', '')
  await callApi(service, 'POST', '/bookmarks/changes', { ids: [id], change: { kind: 'delete' } })
  await expectRows(0, 'b.example')
  await app.user.keyboard('{Delete}')
  await app.page.findByText(/no longer in this list/)
  expect(app.rows()).toHaveLength(3)
  await app.user.keyboard('{ArrowDown}{Delete}')
  await expectRows(2)
})

test('a second Delete before the list is updated deletes the next bookmark', async () => {
  const { app, list, item, expectRows } = await openThreeLinks()
  await item('c.example')
  ;(await list()).focus()
  const shown = Promise.withResolvers<void>()
  app.answer('GET /api/bookmarks?', async () => {
    await shown.promise
    return undefined
  })
  const changes = () => app.requests.filter((request) => request.startsWith('POST /api/bookmarks/changes'))
  await app.user.keyboard('{Delete}')
  await app.page.findByText('“https://c.example/” moved to the trash.')
  await app.user.keyboard('{Delete}')
  await waitFor(() => expect(changes()).toHaveLength(2))
  shown.resolve()
  await expectRows(1)
  expect(app.page.queryByText(/no longer in this list/)).toBeNull()
  await app.user.keyboard('{Control>}z{/Control}')
  await expectRows(2)
})
