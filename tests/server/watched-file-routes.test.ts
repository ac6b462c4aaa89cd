import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import { callApi, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a file is watched, listed and let go over the API', async () => {
  const files = { ...bookmarkFiles, ofBrowsers: async () => ['/browser/Bookmarks'] }
  const service = await testService({ files })
  const file = join(tempFolder(), 'urls.txt')
  writeFileSync(file, 'https://a.example/\n')
  const watched = { file, imported: 1, problem: null, lastAt: expect.stringMatching(/^\d{4}-/) }
  const made = await callApi(service, 'POST', '/watched-files', { file })
  expect({ status: made.status, body: await made.json() }).toEqual({ status: 200, body: watched })
  expect(await (await callApi(service, 'GET', '/watched-files')).json()).toEqual({
    files: [watched],
    found: ['/browser/Bookmarks']
  })
  const gone = await callApi(service, 'DELETE', `/watched-files?file=${encodeURIComponent(file)}`)
  expect(gone.status).toBe(204)
  expect(await (await callApi(service, 'GET', '/watched-files')).json()).toMatchObject({ files: [] })
})

test('where no file can be watched there are none, and that is said', async () => {
  const service = await testService()
  expect(await (await callApi(service, 'GET', '/watched-files')).json()).toEqual({ files: [], found: [] })
  expect((await callApi(service, 'POST', '/watched-files', { file: '/x' })).status).toBe(400)
})
