import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { renderApp } from '../support/render-app.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

async function found(service: Service, site: string): Promise<unknown[]> {
  const response = await callApi(service, 'GET', `/bookmarks?words=site:${site}`)
  return ((await response.json()) as { bookmarks: unknown[] }).bookmarks
}

test('two machines are connected in Settings, and exchange their bookmarks', async () => {
  const folder = tempFolder()
  const first = await testService()
  await callTool(first, await makeKey(first), 'bookmarks.insert', { urls: ['https://first.example/'] })
  const app = await renderApp(first, '/settings?part=machines')
  const { page, user } = app
  await user.type(await page.findByLabelText(/^Folder/), join(folder, 'none'))
  await user.type(page.getByLabelText(/^Name/), 'Laptop')
  await user.click(page.getByRole('button', { name: 'Start syncing' }))
  await page.findByText(/There is no folder/)
  await user.clear(page.getByLabelText(/^Folder/))
  await user.type(page.getByLabelText(/^Folder/), folder)
  await user.click(page.getByRole('button', { name: 'Start syncing' }))
  await page.findByText(/This machine is “Laptop”/)
  await page.findByText('Nothing has come from other machines yet.')
  const alert = within(await page.findByRole('alert', { name: 'Copy the sync code now' }))
  const code = (await alert.findByText(/^(\w{4}-){13}\w{4}$/)).textContent ?? ''
  await user.click(page.getByRole('button', { name: 'Hide sync code' }))
  expect(page.queryByText(code)).toBeNull()
  await user.click(page.getByRole('button', { name: 'Sync now' }))
  await page.findByText(/All changes of this machine are sent/)

  const second = await testService()
  await callApi(second, 'POST', '/sync', { folder, name: 'Desk', code })
  await callApi(second, 'POST', '/sync-now')
  expect(await found(second, 'first.example')).toHaveLength(1)
  await callTool(second, await makeKey(second), 'bookmarks.insert', { urls: ['https://second.example/'] })
  await callApi(second, 'POST', '/sync-now')
  await user.click(page.getByRole('button', { name: 'Sync now' }))
  within(await page.findByRole('list', { name: 'Other machines' })).getByText('Desk')
  expect(await found(first, 'second.example')).toHaveLength(1)
})

test('a missing folder is reported, and a machine pauses, resumes, leaves and joins', async () => {
  const folder = tempFolder()
  const service = await testService()
  await callApi(service, 'POST', '/sync', { folder, name: 'Laptop' })
  const other = tempFolder()
  const desk = await testService()
  await callTool(desk, await makeKey(desk), 'bookmarks.insert', { urls: ['https://first.example/'] })
  const set = await callApi(desk, 'POST', '/sync', { folder: other, name: 'Desk' })
  const { code: theirs } = (await set.json()) as { code: string }
  await callApi(desk, 'POST', '/sync-now')
  const { page, user } = await renderApp(service, '/settings?part=machines')
  rmSync(folder, { recursive: true })
  await user.click(await page.findByRole('button', { name: 'Sync now' }))
  await page.findByText(/There is no folder/)
  await user.click(page.getByRole('button', { name: 'Pause' }))
  await user.click(await page.findByRole('button', { name: 'Resume' }))
  await user.click(page.getByRole('button', { name: 'Stop syncing' }))
  const question = await page.findByRole('dialog', { name: 'Stop synchronizing this machine?' })
  await user.click(within(question).getByRole('button', { name: 'Stop syncing' }))
  await page.findByRole('button', { name: 'Start syncing' })
  await user.click(page.getByRole('radio', { name: 'Join other machines' }))
  const code = await page.findByLabelText(/^Sync code/)
  await user.type(page.getByLabelText(/^Folder/), other)
  await user.type(page.getByLabelText(/^Name/), 'Laptop')
  await user.type(code, 'AAAA')
  await user.click(page.getByRole('button', { name: 'Join' }))
  await page.findByText(/not copied right/)
  await user.clear(code)
  await user.type(code, theirs)
  await user.click(page.getByRole('button', { name: 'Join' }))
  const joining = await page.findByRole('dialog', { name: 'Join the other machines?' })
  within(joining).getByText(/1 bookmark will be new here, 0 bookmarks new on the others/)
  await user.click(within(joining).getByRole('button', { name: 'Join' }))
  await page.findByText(/This machine is “Laptop”/)
})

test('a server asks for a user and password, and an insecure one is refused', async () => {
  const { page, user } = await renderApp(await testService(), '/settings?part=machines')
  const folder = await page.findByLabelText(/^Folder/)
  await user.type(folder, '/home/ada')
  expect(page.queryByLabelText(/^User name/)).toBeNull()
  await user.clear(folder)
  await user.type(folder, 'http://192.0.2.1/notes')
  await user.type(page.getByLabelText(/^User name/), 'ada')
  await user.type(page.getByLabelText('Password'), 'secret')
  await user.type(page.getByLabelText(/^Name/), 'Laptop')
  await user.click(page.getByRole('button', { name: 'Start syncing' }))
  await page.findByText(/others could read the password/)
})
