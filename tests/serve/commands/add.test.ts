import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { earmark, json, serving } from '../../support/command-line.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const data = tempFolder(atEnd)
beforeAll(async () => {
  await serving(data, atEnd)
})

const add = (...args: string[]) => earmark(['add', ...args, '--data', data])
const addFrom = (input: string, ...args: string[]) => earmark(['add', '-', '--data', data, ...args], input)

const found = async (words: string) => (await json(['search', words, '--data', data])).bookmarks

test('pages are saved with a title and tags; one that is there gets the tags it lacks', async () => {
  const url = 'https://add.example/one'
  expect(await add(url, '--title', 'One', '--tag', 'a')).toEqual({ code: 0, stdout: `Saved: ${url}\n`, stderr: '' })
  expect((await add(url, '--tag', 'a', '--tag', 'b')).stdout).toBe(`Already there, now with #b: ${url}\n`)
  expect((await add(url)).stdout).toBe(`Already there: ${url}\n`)
  expect(await found('site:add.example')).toMatchObject([{ title: 'One', url, tags: ['a', 'b'] }])
})

test('a site’s name is its address', async () => {
  expect((await add('bare.example/x;')).stdout).toBe('Saved: https://bare.example/x;\n')
  expect((await addFrom('Mr.Smith\n')).stdout).toMatch(/^Not saved: Mr\.Smith: not a URL/)
})

test('a bad address does not fail the others, and is named with what to do', async () => {
  expect(await json(['add', 'https://two.example/', 'README.md', '--data', data], 1)).toEqual({
    saved: 1,
    existing: 0,
    invalid: 1,
    bookmarks: [
      { url: 'https://two.example/', status: 'saved', id: expect.any(String), addedTags: [] },
      { url: 'README.md', status: 'invalid', reason: 'not a URL: it must start with http:// or https://' }
    ]
  })
})

test('standard input gives addresses, one per line, and a title where it is one', async () => {
  const list = '# a list\n\nhttps://line.example/1\nhttps://line.example/2\n'
  const saved = 'Saved: https://line.example/1\nSaved: https://line.example/2\n'
  expect(await addFrom(list)).toEqual({ code: 0, stdout: saved, stderr: '' })
  expect(await addFrom('https://line.example/3\n', '--title', 'Three')).toMatchObject({ code: 0 })
  expect(await found('three site:line.example')).toMatchObject([{ title: 'Three' }])
})

test('no address, or a title for several, is a wrong command that touches no library', async () => {
  const nowhere = join(data, 'nowhere')
  const message = 'error: no address was given\n'
  expect(await addFrom('# none\n', '--data', nowhere)).toEqual({ code: 2, stdout: '', stderr: message })
  const { code, stderr } = await addFrom('https://a.example\nhttps://b.example\n', '--title', 'T', '--data', nowhere)
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: --title needs exactly one address\n' })
  expect(existsSync(nowhere)).toBe(false)
})

test('an organization gets what is added to it; one that nobody made is a clear error', async () => {
  await json(['organizations', 'create', '--name', 'Acme', '--data', data])
  expect((await add('https://acme.example/', '--organization', 'Acme')).code).toBe(0)
  expect(await found('site:acme.example')).toMatchObject([{ organization: 'Acme', visibility: 'organization' }])
  const { code, stdout, stderr } = await add('https://acme.example/x', '--organization', 'Nobody')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^There is no organization/)
})
