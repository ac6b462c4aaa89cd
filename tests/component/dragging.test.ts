import { fireEvent, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectRows, item, openPages, save } from '../support/open-pages.ts'

/** What a drag carries, as the page sets it. */
function carried() {
  const data: Record<string, string> = {}
  return {
    data,
    setData: (type: string, value: string) => void Object.assign(data, { [type]: value }),
    setDragImage: () => {},
    getData: (type: string) => data[type] ?? '',
    get types() {
      return Object.keys(data)
    },
    items: [],
    files: []
  }
}

test('rows are dragged onto a tag, an organization and the trash, all that are selected together', async () => {
  const { app, service } = await openPages()
  await save(service, '/organizations', { name: 'Acme' })
  await save(service, '/bookmarks', { type: 'link', url: 'https://d.example/', tags: ['read'] })
  await expectRows(app, 4)
  const rail = within(app.page.getByRole('navigation'))
  const drag = async (from: string, to: RegExp) => {
    const dataTransfer = carried()
    fireEvent.dragStart(await item(app, from), { dataTransfer })
    const place = await rail.findByRole('link', { name: to })
    expect(fireEvent.dragOver(place, { dataTransfer }), 'the place takes it').toBe(false)
    fireEvent.drop(place, { dataTransfer })
    return dataTransfer.data
  }
  expect(await drag('a.example', /^read/)).toMatchObject({ 'text/uri-list': 'https://a.example/' })
  await app.page.findByText('Tagged 1 bookmark with “read”.')
  await expectRows(app, 2, 'read')
  await drag('b.example', /^Acme/)
  await app.page.findByText('1 bookmark moved to Acme.')
  await app.user.click(within(await item(app, 'b.example')).getByRole('checkbox'))
  await app.user.click(within(await item(app, 'c.example')).getByRole('checkbox'))
  await app.page.findByRole('toolbar', { name: '2 selected' })
  await drag('c.example', /^Trash/)
  await app.page.findByText('2 bookmarks moved to the trash.')
  await expectRows(app, 2)
})

test('a double click opens the page', async () => {
  const { app } = await openPages()
  await app.user.dblClick(await item(app, 'b.example'))
  expect(app.tabs).toEqual(['https://b.example/'])
  await app.page.findByRole('complementary', { name: 'Bookmark' })
})
