import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor, within } from '@testing-library/dom'
import { expect, test, vi } from 'vitest'
import type { PageDetails, PageReading } from '../../src-main/contract/page-details.ts'
import type { Web } from '../../src-main/contract/ports.ts'
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import type { Service } from '../../src-main/service.ts'
import { type App, renderApp } from '../support/render-app.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

type Part = 'general' | 'import' | 'browser' | 'advanced'

/** A part of the settings of a service with its own library and home. */
async function openSettings(part: Part = 'general'): Promise<{ app: App; data: string; service: Service }> {
  const data = tempFolder()
  vi.stubEnv('HOME', join(data, 'home'))
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  // The built extension is next to the dashboard.
  for (const folder of ['renderer', 'extension/chromium']) mkdirSync(join(data, 'out', folder), { recursive: true })
  writeFileSync(join(data, 'out/extension/chromium/manifest.json'), '{}')
  const service = await testService({ data, files: bookmarkFiles, dashboard: join(data, 'out/renderer') })
  await callTool(service, await makeKey(service), 'bookmarks.insert', {
    urls: ['https://a.example/', 'https://b.example/']
  })
  const app = await renderApp(service, `/settings?part=${part}`)
  await app.page.findByRole('heading', { name: FIRST[part] })
  return { app, data, service }
}

const FIRST = { general: 'Appearance', import: 'Import and export', browser: 'Browser extension', advanced: 'Status' }

test('the settings have seven parts, each with an address', async () => {
  const { app } = await openSettings()
  const part = (name: string) =>
    within(app.page.getByRole('navigation', { name: 'Settings' })).getByRole('link', { name })
  for (const [name, address, first] of [
    ['Rules', '?part=rules', 'Rules'],
    ['Import & backup', '?part=import', FIRST.import],
    ['Sync', '?part=machines', 'Sync'],
    ['Browser', '?part=browser', FIRST.browser],
    ['Advanced', '?part=advanced', FIRST.advanced],
    ['General', '', FIRST.general]
  ] as const) {
    await app.user.click(part(name))
    await app.page.findByRole('heading', { name: first })
    expect(location.pathname + location.search).toBe(`/settings${address}`)
    expect(part(name)).toHaveAttribute('aria-current', 'page')
    await app.load()
    await app.page.findByRole('heading', { name: first })
  }
  await app.user.click(part('Advanced'))
  await app.page.findByRole('heading', { name: FIRST.advanced })
  history.back()
  await app.page.findByRole('heading', { name: FIRST.general })
  await app.user.click(part('Help'))
  const help = within(await app.page.findByRole('region', { name: 'Help' }))
  help.getByText(/This is Earmark \d+\.\d+\.\d+/)
  await app.user.click(help.getByRole('button', { name: 'Keyboard shortcuts' }))
  await app.page.findByRole('dialog', { name: 'Keyboard shortcuts' })
})

test('help pages are shown with their links, tables and code', async () => {
  const { app } = await openSettings()
  await app.user.click(app.page.getByRole('link', { name: 'Help' }))
  await app.page.findByRole('button', { name: 'Keyboard shortcuts' })
  await app.user.click(await app.page.findByRole('link', { name: 'Several machines' }))
  await app.page.findByRole('heading', { name: 'Several machines' })
  expect(document.body.textContent).toContain('Start syncing')
  expect(document.body.textContent).not.toContain('**')
  await app.user.click(app.page.getByRole('link', { name: 'All help pages' }))
  await app.user.click(await app.page.findByRole('link', { name: 'Troubleshooting' }))
  await app.page.findByRole('heading', { name: 'Troubleshooting' })
  app.page.getByRole('table')
})

test('help begins with tasks of users, and copies a report', async () => {
  const { app } = await openSettings()
  await app.load('/settings?part=help')
  const help = within(await app.page.findByRole('region', { name: 'Help' }))
  expect((await help.findAllByRole('row'))[1]).toHaveTextContent(/^import bookmarks/)
  help.getByRole('link', { name: 'Privacy and security' })
  expect(help.queryByText(/For developers/)).toBeNull()
  await app.user.click(help.getByRole('button', { name: 'Copy report' }))
  await app.page.findByText('Report copied. It has no titles and no addresses.')
})

test('an update is announced once, with what is new since the last version', async () => {
  const { app } = await openSettings()
  expect(localStorage.getItem('earmark-version')).toMatch(/^\d+\.\d+\.\d+/)
  expect(app.page.queryByText(/^Earmark was updated/)).toBeNull()
  localStorage.setItem('earmark-version', '0.0.1')
  await app.load()
  await app.page.findByText(/^Earmark was updated to/)
  await app.user.click(app.page.getByRole('button', { name: 'What’s new' }))
  const news = within(await app.page.findByRole('region', { name: 'What’s new' }))
  await news.findByRole('heading', { name: /^0\.1\.0/ })
  expect(news.queryByText(/Keep a Changelog/)).toBeNull()
  expect(location.search).toBe('?part=help&page=CHANGELOG&since=0.0.1')
  await app.load()
  await app.page.findByRole('region', { name: 'What’s new' })
  expect(app.page.queryByText(/^Earmark was updated/)).toBeNull()
})

test('the settings show the status, the address and the data folder', async () => {
  const { app, data } = await openSettings('advanced')
  const status = app.page.getByRole('region', { name: 'Status' })
  await within(status).findByRole('img', { name: 'Connected' })
  await waitFor(() => expect(status).toHaveTextContent(/2 bookmarks, \d+ kB/))
  expect(status).toHaveTextContent('http://127.0.0.1:20727/api/tools/mcp')
  expect(status).toHaveTextContent('None yet')
  const own = app.page.getByRole('region', { name: 'Your data' })
  expect(own).toHaveTextContent(data)
  expect(own).toHaveTextContent(join(data, 'earmark.log'))
})

test('the bookmarklet can be dragged and copied, and a click explains it', async () => {
  const { app } = await openSettings('browser')
  const section = within(app.page.getByRole('region', { name: 'Capture from a browser' }))
  const link = section.getByRole('link', { name: 'Save to Earmark' })
  expect(link).toHaveAttribute('href', expect.stringMatching(/^javascript:.*earmark:/))
  await app.user.click(link)
  await app.page.findByText('Drag this link to your bookmarks bar.')
  section.getByRole('button', { name: 'Copy Bookmarklet' })
})

test('the library is checked for problems', async () => {
  const { app } = await openSettings('advanced')
  const section = within(app.page.getByRole('region', { name: 'Health' }))
  await app.user.click(section.getByRole('button', { name: 'Check for problems' }))
  await waitFor(() => expect(section.getByRole('status')).toHaveTextContent('No problems found.'))
  expect(section.getAllByRole('listitem')).toHaveLength(12)
  expect(section.getByText(/Search index/).closest('li')).toHaveTextContent('Good')
})

test('a file is watched and imported, until it is removed', async () => {
  const { app, data } = await openSettings('import')
  const section = within(app.page.getByRole('region', { name: 'Watched files' }))
  const path = section.getByRole('textbox', { name: 'Another file, by its full path' })
  await app.user.type(path, 'urls.txt{Enter}')
  await section.findByText('Enter the full path of the file.')
  const file = join(data, 'urls.txt')
  writeFileSync(file, 'https://watched.example/1\n')
  await app.user.clear(path)
  await app.user.type(path, `${file}{Enter}`)
  await waitFor(() => expect(section.getByRole('listitem')).toHaveTextContent('1 bookmark since Earmark started'))
  expect(section.getByRole('listitem')).toHaveTextContent(file)
  expect(path).toHaveValue('')
  await app.user.click(section.getByRole('button', { name: `Stop watching ${file}` }))
  await waitFor(() => expect(section.queryByRole('listitem')).toBeNull())
})

test('a new address in a watched file is imported, and the page shows it', async () => {
  // The page polls every few seconds; here it polls faster.
  const { setInterval } = globalThis
  const sooner = (work: () => void, ms = 0) => setInterval(work, Math.min(ms, 50))
  vi.spyOn(globalThis, 'setInterval').mockImplementation(sooner as typeof setInterval)
  const { app, data, service } = await openSettings('import')
  await service.listen(0) // a service watches files once it listens
  // Changed settings make the service check files and send an event, which this page must not need.
  app.answer('GET /api/events', () => new Promise(() => {}))
  await app.load()
  const section = within(await app.page.findByRole('region', { name: 'Watched files' }))
  const file = join(data, 'urls.txt')
  writeFileSync(file, 'https://watched.example/1\n')
  await app.user.type(section.getByRole('textbox'), `${file}{Enter}`)
  await waitFor(() => expect(section.getByRole('listitem')).toHaveTextContent('1 bookmark since Earmark started'))
  writeFileSync(file, 'https://watched.example/1\nhttps://watched.example/2\n')
  await waitFor(async () => {
    await callApi(service, 'PATCH', '/settings', { defaultVisibility: 'private' })
    expect(section.getByRole('listitem')).toHaveTextContent('2 bookmarks since Earmark started')
  })
})

test('the default visibility is saved, and --no-fetch disables the fetch setting', async () => {
  const { app } = await openSettings()
  await app.user.click(app.page.getByRole('radio', { name: 'Public' }))
  await app.page.findByText('Saved.')
  const fetching = app.page.getByRole('switch', { name: /^Fetch page details/ })
  expect(fetching).toBeDisabled()
  expect(fetching).not.toBeChecked()
  expect(fetching).toHaveAccessibleDescription(/--no-fetch/)
  await app.load()
  await waitFor(() => expect(app.page.getByRole('radio', { name: 'Public' })).toBeChecked())
})

test('copies of pages are limited in size, and the settings show how much they take', async () => {
  const { app, service } = await openSettings()
  const limit = app.page.getByRole('combobox', { name: 'Copies of pages may take' })
  expect(limit).toHaveAccessibleDescription(/Used so far: 0 B\./)
  expect(limit).toHaveDisplayValue('2 GB')
  await app.user.selectOptions(limit, '10 GB')
  await app.page.findByText('Saved.')
  expect(await (await callApi(service, 'GET', '/settings')).json()).toMatchObject({ copyLimit: 10 })
})

test('a port is saved for the next start, and an invalid port is refused', async () => {
  const { app } = await openSettings('advanced')
  const port = () => app.page.getByRole('textbox', { name: 'Port' })
  const save = within(app.page.getByRole('region', { name: 'Service' })).getByRole('button', { name: 'Save' })
  expect(port()).toHaveValue('20727')
  expect(save).toBeDisabled()
  for (const [typed, answer] of [
    ['80', 'Enter a number from 1024 to 65535.'],
    ['6000', 'Browsers refuse to open this port.'],
    ['20800', 'Saved. Earmark listens on 20800 from its next start.']
  ] as const) {
    await app.user.clear(port())
    await app.user.type(port(), typed)
    await app.user.click(save)
    await app.page.findByText(answer, { exact: false })
  }
  await app.load()
  await waitFor(() => expect(port()).toHaveValue('20800'))
  await app.user.click(app.page.getByRole('button', { name: 'Use 20727 again' }))
  await waitFor(() => expect(port()).toHaveValue('20727'))
})

test('the browsers that are logged in are listed, and another one is logged out', async () => {
  const { app, service } = await openSettings('browser')
  await service.beginSession()
  await app.load('/settings?part=browser')
  const list = within(await app.page.findByRole('list', { name: 'Sessions' }))
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2))
  expect(list.getAllByText(/this one/)).toHaveLength(1)
  await app.user.click(list.getByRole('button', { name: /^End the session of Unknown browser/ }))
  await app.page.findByText('The session is ended.')
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
})

test('a browser is connected and disconnected, and a sandboxed one is explained', async () => {
  const { app, data } = await openSettings('browser')
  for (const folder of ['.config/chromium', 'snap/firefox']) mkdirSync(join(data, 'home', folder), { recursive: true })
  const file = join(data, 'home/.config/chromium/NativeMessagingHosts/app.earmark.host.json')
  await app.load()
  const section = within(await app.page.findByRole('region', { name: 'Browser extension' }))
  const [chromium, firefox, ...more] = await section.findAllByRole('listitem')
  expect(chromium).toHaveTextContent(/^ChromiumNot connected/)
  expect(firefox).toHaveTextContent(/^FirefoxA browser from Snap cannot start Earmark/)
  expect(more).toEqual([])
  await app.user.click(section.getByRole('button', { name: 'Connect Chromium' }))
  await app.page.findByText('Chromium is connected.')
  await waitFor(() => expect(section.getAllByRole('listitem')[0]).toHaveTextContent('Connected'))
  expect(existsSync(file)).toBe(true)
  section.getByText(join(data, 'out/extension/chromium'))
  await app.user.click(section.getByRole('button', { name: 'Disconnect Chromium' }))
  await app.page.findByText('Chromium is not connected any more.')
  await section.findByRole('button', { name: 'Connect Chromium' })
  expect(existsSync(file)).toBe(false)
})

test('a setting that cannot be saved is reported and shown unchanged', async () => {
  const { app } = await openSettings()
  app.cut('PATCH /api/settings')
  await app.user.click(app.page.getByRole('radio', { name: 'Public' }))
  expect(await app.page.findByRole('alert')).toHaveTextContent('Earmark does not answer')
  await waitFor(() => expect(app.page.getByRole('radio', { name: 'Private' })).toBeChecked())
})

test('backups are copied to a folder, and an invalid or missing folder is reported', async () => {
  const { app } = await openSettings('import')
  const backups = () => app.page.getByRole('region', { name: 'Backups' })
  const field = await within(backups()).findByRole('textbox', { name: 'Copy each backup to' })
  const save = () => app.user.click(within(backups()).getByRole('button', { name: 'Save' }))
  await app.user.type(field, 'backups')
  await save()
  await within(backups()).findByText('Enter the full path of a folder.', { exact: false })
  const folder = tempFolder()
  await app.user.clear(field)
  await app.user.type(field, folder)
  await save()
  await app.page.findByText(`Each backup is copied to ${folder}.`)
  await app.user.click(within(backups()).getByRole('button', { name: 'Back up now' }))
  const copies = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))
  await waitFor(() => expect(copies()).toHaveLength(1))
  rmSync(folder, { recursive: true })
  await app.load()
  await app.page.findByRole('heading', { name: FIRST.import })
  expect(await within(backups()).findByRole('alert')).toHaveTextContent('There is no folder')
  await app.user.click(within(backups()).getByRole('button', { name: 'Stop copying' }))
  await waitFor(() => expect(within(backups()).queryByRole('alert')).toBeNull())
})

test('a folder of Markdown files is kept, with a warning of private bookmarks, until it is stopped', async () => {
  const { app } = await openSettings('import')
  const section = within(app.page.getByRole('region', { name: 'Markdown folder' }))
  const folder = tempFolder()
  await app.user.type(await section.findByRole('textbox', { description: /Private bookmarks are included/ }), folder)
  await app.user.click(section.getByRole('button', { name: 'Save' }))
  await app.page.findByText(`${folder} is kept current from now on.`)
  await waitFor(() => expect(readdirSync(folder)).toEqual(['a.example.md', 'b.example.md']), { timeout: 8000 })
  await app.user.click(await section.findByRole('button', { name: 'Stop' }))
  await app.page.findByText('The folder is no longer kept current. Its files stay.')
  expect(readdirSync(folder)).toHaveLength(2)
})

test('a newer version is looked for only on request', async () => {
  const requested: string[] = []
  let text = '0.2.0\n'
  const readPage = async (url: string): Promise<PageReading> => {
    requested.push(url)
    return { details: { text } as PageDetails }
  }
  const unused = async () => ({ movedTo: null })
  const readPicture = async () => null
  const web: Web = { readPage, readPicture, checkLink: unused, isConnected: () => true, close: async () => {} }
  const service = await testService({ web, version: '0.1.0', site: 'https://earmark.example/' })
  const app = await renderApp(service, '/settings?part=advanced')
  const status = within(await app.page.findByRole('region', { name: 'Status' }))
  const button = await status.findByRole('button', { name: 'Check for a newer version' })
  expect(requested).toEqual([])
  await app.user.click(button)
  expect(await status.findByRole('status')).toHaveTextContent('Version 0.2.0 is available. Download')
  expect(status.getByRole('link', { name: 'Download' })).toHaveAttribute('href', 'https://earmark.example/')
  text = '0.1.0'
  await app.user.click(button)
  await status.findByText('This is the newest version.')
  text = 'no version'
  await app.user.click(button)
  expect(await status.findByRole('alert')).toHaveTextContent('Earmark could not read the newest version.')
  expect(requested).toEqual(Array(3).fill('https://earmark.example/latest.txt'))
})
