import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import { openPages } from '../support/open-pages.ts'
import { renderApp } from '../support/render-app.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Opens the first page on a computer with these files in its home. */
async function openAt(files: Record<string, string>) {
  const home = tempFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  const service = await testService({ files: bookmarkFiles })
  const app = await renderApp(service)
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  return { app, service, home }
}

/** Chrome's file with this number of bookmarks. */
function chromeFile(count: number): string {
  const children = Array.from({ length: count }, (_, index) => {
    return { type: 'url', name: `Page ${index}`, url: `https://chrome.example/${index}` }
  })
  return JSON.stringify({ roots: { bookmark_bar: { children } }, version: 1 })
}

test('an empty library offers first steps', async () => {
  const { app } = await openAt({})
  await waitFor(() => expect(app.page.queryByText('Looking for browsers on this computer …')).toBeNull())
  expect(app.page.queryByRole('list', { name: 'Browsers on this computer' })).toBeNull()
  await app.user.click(app.page.getByRole('button', { name: 'Add a bookmark' }))
  await app.page.findByRole('dialog', { name: 'Add a bookmark' })
  await app.user.keyboard('{Escape}')
  await app.user.click(await app.page.findByRole('link', { name: 'Create an API key' }))
  expect(location.pathname).toBe('/profile/api-keys')
  await within(app.page.getByRole('main')).findByRole('img', { name: 'Connected' })
  app.page.getByText('http://127.0.0.1:20727/api/tools/mcp')
})

test('the browsers of this computer are named with their bookmarks, and one click shows the preview', async () => {
  const { app, service } = await openAt({
    '.config/google-chrome/Default/Bookmarks': chromeFile(12),
    '.config/google-chrome/Profile 1/Bookmarks': chromeFile(3),
    '.config/chromium/Default/Bookmarks': chromeFile(1),
    '.config/vivaldi/Default/Bookmarks': 'Dear diary'
  })
  const browsers = await app.page.findByRole('list', { name: 'Browsers on this computer' })
  const rows = within(browsers).getAllByRole('listitem')
  expect(rows.map((row) => row.querySelector('span')?.textContent)).toEqual([
    'Google Chrome, Default · 12 bookmarks',
    'Google Chrome, Profile 1 · 3 bookmarks',
    'Chromium · 1 bookmark'
  ])
  await app.user.click(within(browsers).getByRole('button', { name: 'Import from Google Chrome, Default' }))
  const dialog = within(await app.page.findByRole('dialog', { name: 'Import bookmarks' }))
  await app.user.click(await dialog.findByRole('button', { name: 'Import 12 bookmarks' }))
  await dialog.findByText('12 bookmarks imported.')
  expect(await (await callApi(service, 'GET', '/bookmarks/counts')).json()).toMatchObject({ all: 12 })
})

test('an editor of this computer is connected by one click, and disconnected by another', async () => {
  const { app, service, home } = await openAt({ '.cursor/mcp.json': '{}' })
  const file = join(home, '.cursor/mcp.json')
  const editors = within(await app.page.findByRole('list', { name: 'Editors on this computer' }))
  await app.user.click(editors.getByRole('button', { name: 'Connect Cursor' }))
  await editors.findByText(`Saved in ${file}. Restart the editor.`)
  expect(readFileSync(file, 'utf8')).toContain('earmark')
  expect(await (await callApi(service, 'GET', '/keys')).json()).toMatchObject([{ name: 'Cursor' }])
  await app.user.click(await editors.findByRole('button', { name: 'Disconnect Cursor' }))
  await editors.findByText(`${file} is restored.`)
  expect(readFileSync(file, 'utf8')).toBe('{}')
  await editors.findByText('The key “Cursor” still works. Revoke it if nothing else uses it.')
  await app.user.click(editors.getByRole('button', { name: 'Revoke the key' }))
  await waitFor(() => expect(editors.getByRole('button', { name: 'Connect Cursor' })).toHaveFocus())
  await waitFor(() => expect(editors.queryByText(/still works/)).toBeNull())
  expect(await (await callApi(service, 'GET', '/keys')).json()).toMatchObject([{ name: 'Cursor', state: 'revoked' }])
})

test('sample bookmarks fill an empty library, and one click removes them', async () => {
  const { app } = await openPages([])
  await app.user.click(await app.page.findByRole('button', { name: 'Try with 40 sample bookmarks' }))
  const note = within(await app.page.findByRole('note'))
  note.getByText(/^40 sample bookmarks to try/)
  expect(app.rows('Mechanical Watch')).toHaveLength(1)
  await app.user.click(note.getByRole('button', { name: 'Remove samples' }))
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  await app.page.findByText('40 sample bookmarks removed.')
})

test.for([
  ['/images', 'No images yet', 'Add an image'],
  ['/colors', 'No colors yet', 'Add a color'],
  ['/texts', 'No texts yet', 'Add a text']
] as const)('an empty list at %s shows what the type is and how one is saved', async ([path, title, action]) => {
  const { app } = await openPages(['https://a.example/'], path)
  await app.page.findByText(title)
  await app.user.click(app.page.getByRole('button', { name: action }))
  await app.page.findByRole('dialog', { name: 'Add a bookmark' })
})
