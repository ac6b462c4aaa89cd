import { Readable } from 'node:stream'
import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import { dropOnPage } from '../support/open-pages.ts'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, postImport, testService } from '../support/service.ts'

const THREE = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** Many bookmarks take long on a busy machine. */
const SLOW = { timeout: 50_000 }

/** The dashboard on a library into which these addresses were imported. */
async function openImported(path: string, urls = THREE) {
  const service = await testService()
  await postImport(service, Readable.from([Buffer.from(urls.join('\n'))]), 'urls.txt')
  return { service, app: await renderApp(service, path) }
}

/** Drops a file on the page, as from a folder's window. */
function dropFile(name: string, type: string, content: string): void {
  dropOnPage({ files: [new File([content], name, { type })] })
}

/** Addresses that the browser would download. */
function watchDownloads(): string[] {
  const addresses: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    addresses.push(this.href)
  })
  return addresses
}

/** The file of the only download. */
async function savedFrom(addresses: string[]): Promise<{ name: string | undefined; text: string }> {
  await waitFor(() => expect(addresses).toHaveLength(1))
  const answer = await fetch(addresses[0] ?? '')
  const name = answer.headers.get('content-disposition')?.match(/filename="(.*)"/)?.[1]
  return { name, text: await answer.text() }
}

const importDialog = async ({ page }: App) => within(await page.findByRole('dialog', { name: 'Import bookmarks' }))

test('an import refuses an unreadable file, shows a preview, and is undone', async () => {
  const app = await renderApp(await testService())
  const html = ['https://kept.example/', 'https://kept.example/#again', 'javascript:alert(1)'].map(
    (url, index) => `<DT><A HREF="${url}" SHORTCUTURL="k">Kept ${index}</A>\n`
  )
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${html.join('')}</DL><p>\n`
  await app.user.click(await app.page.findByRole('button', { name: 'Import a file' }))
  const dialog = await importDialog(app)
  dialog.getByRole('button', { name: 'Choose a file' })
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement
  await app.user.upload(input, new File(['Dear diary'], 'bookmarks.html', { type: 'text/html' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('not a bookmark file')
  dropFile('bookmarks.html', 'text/html', file)
  expect((await dialog.findByText('New')).parentElement).toHaveTextContent('New1')
  expect(dialog.getByText('Already there').parentElement).toHaveTextContent('Already there0')
  expect(dialog.getByText('Repeated in the file').parentElement).toHaveTextContent('file1')
  expect(dialog.getByRole('list')).toHaveTextContent('line 5: javascript')
  dialog.getByText('Details that are not kept: keywords (2).')
  await app.user.click(dialog.getByRole('button', { name: 'Import 1 bookmark' }))
  expect(await dialog.findByRole('status')).toHaveTextContent(/^1 bookmark imported\.$/)
  await app.user.click(dialog.getByRole('button', { name: 'Undo the import' }))
  await dialog.findByText(/1 bookmark moved to the trash\./)
  await app.user.click(dialog.getByRole('button', { name: 'Another file' }))
  dropFile('bookmarks.html', 'text/html', file)
  await app.user.click(await dialog.findByRole('button', { name: 'Import 1 bookmark' }))
  await dialog.findByRole('status')
  await app.user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await waitFor(() => expect(app.rows('Kept 0')).toHaveLength(1))
  await waitFor(() => expect(app.page.queryByRole('dialog')).toBeNull())
  await app.user.keyboard('{Control>}z{/Control}')
  await app.page.findByText('Undone: 1 bookmark imported.')
  await waitFor(() => expect(app.rows('Kept 0')).toHaveLength(0))
})

test('a preview counts entries without an address, and tags that are shortened', async () => {
  const app = await renderApp(await testService())
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  const rows = [...THREE.map((url) => `${url},Page,${'x'.repeat(300)}`), ',One,', ',Two,', 'nowhere at all,Three,']
  dropFile('list.csv', 'text/csv', ['url,title,tags', ...rows].join('\n'))
  const dialog = await importDialog(app)
  await dialog.findByText('3 entries cannot be imported')
  dialog.getByText('no address (2), not an address (1)')
  expect(dialog.getByRole('list')).toHaveTextContent('line 5: no address')
  dialog.getByText('3 tags were shortened.')
  dialog.getByRole('button', { name: 'Import 3 bookmarks' })
})

test('a file in another encoding shows a note, and the text of its article is read', async () => {
  const app = await renderApp(await testService())
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  const article = { is_archived: 0, title: 'Caf\u00e9', url: 'https://a.example/', content: '<p>About giraffes' }
  const bytes = Uint8Array.from(JSON.stringify([article]), (letter) => letter.charCodeAt(0))
  dropOnPage({ files: [new File([bytes], 'wallabag.json', { type: 'application/json' })] })
  const dialog = await importDialog(app)
  await dialog.findByText(/was read as windows-1252/)
  await app.user.click(dialog.getByRole('button', { name: 'Import 1 bookmark' }))
  await dialog.findByRole('status')
  await app.user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await waitFor(() => expect(app.rows('Café')).toHaveLength(1))
  await app.user.click(app.rows('Café')[0]?.querySelector('[role="gridcell"]') as HTMLElement)
  const panel = within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  await panel.findByText(/The text is kept from the import\./)
  await app.user.click(panel.getByRole('button', { name: 'Read' }))
  const reader = within(await app.page.findByRole('dialog', { name: 'Café' }))
  await reader.findByText('About giraffes')
})

test('a cancelled import reports what it imported, and is undone', async () => {
  const app = await renderApp(await testService())
  await app.page.findByRole('heading', { name: 'Welcome to Earmark' })
  const lines = Array.from({ length: 30_000 }, (_, index) => `https://site${index % 997}.example/page-${index}\n`)
  dropFile('urls.txt', 'text/plain', lines.join(''))
  const dialog = await importDialog(app)
  await app.user.click(await dialog.findByRole('button', { name: 'Import 30,000 bookmarks' }, SLOW))
  await dialog.findByText(/[1-9][\d,]* imported so far/)
  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }))
  const came = await dialog.findByRole('status')
  expect(came).toHaveTextContent('What was imported stays')
  const count = Number(came.textContent?.match(/([\d,]+) bookmark/)?.[1]?.replaceAll(',', ''))
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(30_000)
  await app.user.click(dialog.getByRole('button', { name: 'Undo the import' }))
  await dialog.findByText(new RegExp(`${count.toLocaleString('en')} bookmarks moved to the trash\\.`), {}, SLOW)
}, 120_000)

test('a search is exported to a file with its results only', async () => {
  const { app } = await openImported('/?domain=b.example')
  await waitFor(() => expect(app.rows()).toHaveLength(1))
  await app.user.click(app.page.getByRole('button', { name: 'Export these bookmarks' }))
  const downloads = watchDownloads()
  await app.user.click(await app.page.findByRole('menuitem', { name: /^For spreadsheets/ }))
  const { name, text } = await savedFrom(downloads)
  expect(name).toMatch(/^earmark-[\d-]+\.csv$/)
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('https://b.example/')
})

test('settings export everything, undo past imports, and make and restore backups', async () => {
  const { app } = await openImported('/settings?part=import')
  const { page, user } = app
  const transfer = within(await page.findByRole('region', { name: 'Import and export' }))
  await user.click(transfer.getByRole('radio', { name: /^For browsers/ }))
  const downloads = watchDownloads()
  await user.click(transfer.getByRole('button', { name: 'Export' }))
  const { text } = await savedFrom(downloads)
  for (const url of THREE) expect(text).toContain(url)

  const backups = within(page.getByRole('region', { name: 'Backups' }))
  await user.click(backups.getByRole('button', { name: 'Back up now' }))
  expect(await backups.findByRole('listitem')).toHaveTextContent('Made by you')
  await user.click(await transfer.findByRole('button', { name: /^Undo the import of 3 bookmarks/ }))
  await page.findByText('3 bookmarks moved to the trash.')
  await waitFor(() => expect(transfer.getByRole('list')).toHaveTextContent('Undone'))

  await user.click(backups.getByRole('button', { name: /^Restore the backup of/ }))
  const question = await page.findByRole('dialog', { name: /^Restore the backup of/ })
  expect(question).toHaveTextContent('will not be in it')
  expect(question).toHaveTextContent('added to this list as “Before the restore”')
  await user.click(within(question).getByRole('button', { name: 'Restore this backup' }))
  await page.findByText(/^Restored: 3 bookmarks\. The old library is in the list of backups/)
  await backups.findByText(/^Before the restore,/)
  await user.click(await page.findByRole('link', { name: 'All 3' }))
  await waitFor(() => expect(app.rows()).toHaveLength(3))
})

test('an earlier import is shown as a list, whose filter names its file and its day', async () => {
  const { app, service } = await openImported('/settings?part=import')
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://d.example/' })
  await app.user.click(await app.page.findByRole('link', { name: /^Show them: the import of 3 bookmarks/ }))
  await waitFor(() => expect(app.rows()).toHaveLength(3))
  expect(app.rows('d.example')).toHaveLength(0)
  await app.page.findByRole('button', { name: /^Remove filter Imported from urls\.txt on / })
})

test('a page reconnects and shows the restored bookmarks after a restore in another tab', async () => {
  const { app, service } = await openImported('/')
  await waitFor(() => expect(app.rows()).toHaveLength(3))
  const { name } = (await (await callApi(service, 'POST', '/backups')).json()) as { name: string }
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://later.example/' })
  await waitFor(() => expect(app.rows()).toHaveLength(4))
  // With the session of this page, as another of its tabs does it.
  expect((await fetch(`/api/backups/${name}/restore`, { method: 'POST' })).status).toBe(200)
  await waitFor(() => expect(app.rows()).toHaveLength(3))
})

test('damage of the library is reported on every page', async () => {
  const { app, service } = await openImported('/')
  app.answer('GET /api/status', async () => {
    const status = (await (await callApi(service, 'GET', '/status')).json()) as object
    return Response.json({ ...status, damaged: true })
  })
  await app.load()
  expect(await app.page.findByRole('alert')).toHaveTextContent('The library file is damaged')
  await app.user.click(app.page.getByRole('link', { name: 'Settings' }))
  await app.user.click(await app.page.findByRole('link', { name: 'Import & backup' }))
  await app.page.findByRole('region', { name: 'Backups' })
  expect(app.page.getByRole('alert')).toHaveTextContent('restore a backup in Settings, Import & backup')
})
