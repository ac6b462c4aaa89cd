import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program, runProgram } from '../support/program.ts'
import { type Shared, startSharedProgram } from '../support/shared-program.ts'
import { tempFolder } from '../support/temp-folder.ts'

let shared: Shared

beforeAll(async () => {
  shared = await startSharedProgram()
})
afterAll(() => shared.remove())

const add = (...args: string[]) => runProgram(['add', ...args, '--data', shared.data])

async function found(...words: string[]): Promise<{ title: string; url: string; tags: string[] }[]> {
  const { stdout } = await runProgram(['search', ...words, '--json', '--data', shared.data])
  return JSON.parse(stdout).bookmarks
}

test('pages are saved with a title and tags; one that is there gets the tags it lacks', async () => {
  const url = 'https://add.example/one'
  expect(await add(url, '--title', 'One', '--tag', 'a')).toEqual({ code: 0, stdout: `Saved: ${url}\n`, stderr: '' })
  expect((await add(url, '--tag', 'a', '--tag', 'b')).stdout).toBe(`Already there, now with #b: ${url}\n`)
  expect((await add(url)).stdout).toBe(`Already there: ${url}\n`)
  expect(await found('site:add.example')).toMatchObject([{ title: 'One', url, tags: ['a', 'b'] }])
})

test('a bad address does not fail the others, and is named with what to do', async () => {
  const { code, stdout } = await add('https://two.example/', 'three.example', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({
    saved: 1,
    existing: 0,
    invalid: 1,
    bookmarks: [
      { url: 'https://two.example/', status: 'saved', id: expect.any(String), addedTags: [] },
      { url: 'three.example', status: 'invalid', reason: 'not a URL: send https://three.example' }
    ]
  })
})

test('- reads addresses from standard input, where no service runs too', () => {
  const args = [program, 'add', '-', '--json', '--data', tempFolder()]
  const input = '# a list\nhttps://in.example/1\n\nhttps://in.example/2\r\n'
  const { status, stdout } = spawnSync(process.execPath, args, { input, encoding: 'utf8' })
  expect({ status, ...JSON.parse(stdout) }).toMatchObject({ status: 0, saved: 2, invalid: 0 })
})

test('an organization gets what is added to it; one that nobody made is a clear error', async () => {
  await runProgram(['organizations', 'create', '--name', 'Acme', '--data', shared.data])
  expect((await add('https://acme.example/', '--organization', 'Acme')).code).toBe(0)
  expect(await found('site:acme.example')).toMatchObject([{ organization: 'Acme', visibility: 'organization' }])
  const { code, stdout, stderr } = await add('https://acme.example/x', '--organization', 'Nobody')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^There is no organization/)
})

test.each([[[]], [['https://a.example/', 'https://b.example/', '--title', 'Both']]])(
  '%j is wrong usage, and saves nothing',
  async (args) => {
    const { code, stdout } = await add(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  }
)
