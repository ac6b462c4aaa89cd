import { beforeAll, expect, test, vi } from 'vitest'
import { earmark, json, serving, startCommand } from '../../support/command-line.ts'
import { later } from '../../support/later.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const data = tempFolder(atEnd)
beforeAll(async () => {
  await serving(data, atEnd)
})

const add = (...args: string[]) => earmark(['add', ...args, '--data', data])
const found = async (words: string) => (await json(['search', words, '--data', data])).bookmarks

test('pages are saved with a title and tags; one that is there gets the tags it lacks', async () => {
  const url = 'https://add.example/one'
  expect(await add(url, '--title', 'One', '--tag', 'a')).toEqual({ code: 0, stdout: `Saved: ${url}\n`, stderr: '' })
  expect((await add(url, '--tag', 'a', '--tag', 'b')).stdout).toBe(`Already there, now with #b: ${url}\n`)
  expect((await add(url)).stdout).toBe(`Already there: ${url}\n`)
  expect(await found('site:add.example')).toMatchObject([{ title: 'One', url, tags: ['a', 'b'] }])
})

test('a bad address does not fail the others, and is named with what to do', async () => {
  expect(await json(['add', 'https://two.example/', 'three.example', '--data', data], 1)).toEqual({
    saved: 1,
    existing: 0,
    invalid: 1,
    bookmarks: [
      { url: 'https://two.example/', status: 'saved', id: expect.any(String), addedTags: [] },
      { url: 'three.example', status: 'invalid', reason: 'not a URL: send https://three.example' }
    ]
  })
})

test('what standard input gives is saved as it comes, and told at once', async () => {
  const { stdin, written, ended } = startCommand(['add', '-', '--data', data])
  stdin.write('# a list\n\nhttps://line.example/1\nhttps://line.example/2\n')
  await vi.waitFor(() => expect(written.stdout).toBe('Saved: https://line.example/1\nSaved: https://line.example/2\n'))
  stdin.end()
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  expect(await earmark(['add', '-', '--data', data])).toMatchObject({
    code: 2,
    stderr: 'error: no address was given\n'
  })
})

test('an organization gets what is added to it; one that nobody made is a clear error', async () => {
  await json(['organizations', 'create', '--name', 'Acme', '--data', data])
  expect((await add('https://acme.example/', '--organization', 'Acme')).code).toBe(0)
  expect(await found('site:acme.example')).toMatchObject([{ organization: 'Acme', visibility: 'organization' }])
  const { code, stdout, stderr } = await add('https://acme.example/x', '--organization', 'Nobody')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^There is no organization/)
})
