import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { apiOf, refusal } from './api.ts'

test('the files of browsers are listed with their new bookmarks, and no other file is read', async () => {
  const folder = tempFolder()
  const [file, other] = [join(folder, 'Bookmarks'), join(folder, 'secret')]
  for (const path of [file, other]) writeFileSync(path, 'https://a.example/\nhttps://b.example/\n')
  const found = [file, join(folder, 'gone')].map((path) => ({ browser: 'Chromium', file: path }))
  const service = await testService({ files: { ...bookmarkFiles, ofBrowsers: async () => found } })
  const api = apiOf(service)
  await api('POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  expect((await api('GET', '/browser-files')).body).toEqual([{ browser: 'Chromium', file, bookmarks: 1 }])
  const content = await callApi(service, 'GET', `/browser-files/content?file=${encodeURIComponent(file)}`)
  expect(await content.text()).toBe('https://a.example/\nhttps://b.example/\n')
  expect(await api('GET', `/browser-files/content?file=${encodeURIComponent(other)}`)).toMatchObject(
    refusal(404, 'not-found', 'No browser has this bookmark file.')
  )
})

test('a service without access to files lists none', async () => {
  expect((await apiOf(await testService())('GET', '/browser-files')).body).toEqual([])
})
