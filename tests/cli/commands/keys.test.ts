import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { earmark, expectProblem, json, keysIn, modeOf, serving } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const KEY = /^emk_[0-9A-Za-z]{49}$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** One library for all tests. */
const data = tempFolder(afterAll)
putEmptyLibrary(data)

const create = (...options: string[]) => json(['keys', 'create', ...options, '--data', data])

describe('keys', () => {
  test('create prints the id, the key and where the secret is; list prints all but the secret', async () => {
    const { key, ...created } = await create('--name', 'listed')
    expect(key).toMatch(KEY)
    const fields = { id: expect.any(String), prefix: key.slice(0, 10), keychain: 'shown-once' }
    expect(created).toStrictEqual(fields)
    const { stdout } = await earmark(['keys', 'list', '--json', '--data', data])
    expect(stdout).not.toContain(key)
    expect(JSON.parse(stdout).keys).toContainEqual(
      expect.objectContaining({
        ...fields,
        id: created.id,
        name: 'listed',
        organization: null,
        readOnly: false,
        state: 'active',
        createdAt: expect.stringMatching(TIME),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
        lastClient: null
      })
    )
  })

  test('create takes tags, read-only, an expiry and an organization', async () => {
    const acme = await json(['organizations', 'create', '--name', 'Acme', '--data', data])
    await create('--name', 'reader', '--read-only', '--tag', '#agent', '--tag', 'to read')
    await create('--name', 'guest', '--expires', '30', '--organization', 'acme')
    const keys = Object.fromEntries((await keysIn(data)).map((key) => [key.name, key]))
    expect(keys.reader).toMatchObject({
      readOnly: true,
      expiresAt: null,
      organization: null,
      tags: ['agent', 'to read']
    })
    expect(keys.guest).toMatchObject({ readOnly: false, organization: { id: acme.id, name: 'Acme' } })
    expect(Date.parse(keys.guest?.expiresAt ?? '') - Date.parse(keys.guest?.createdAt ?? '')).toBe(30 * 86_400_000)
    expect((await earmark(['keys', 'list', '--data', data])).stdout).toContain('#agent  #to read')
  })

  test('create --key-file stores the secret in a file for the owner, until the key is revoked', async () => {
    const { id, key, keychain } = await create('--name', 'server', '--key-file')
    expect(keychain).toBe('file')
    const file = join(data, 'keys', `${id}.key`)
    expect(readFileSync(file, 'utf8').trim()).toBe(key)
    expect([modeOf(file), modeOf(join(data, 'keys'))]).toEqual(['600', '700'])
    expect(await json(['keys', 'revoke', id, '--data', data])).toMatchObject({ id })
    expect(existsSync(file)).toBe(false)
    const revoked = expect.objectContaining({ id, state: 'revoked', revokedAt: expect.stringMatching(TIME) })
    expect(await keysIn(data)).toContainEqual(revoked)
  })

  test('print plain lines for a person', async () => {
    const { code, stdout, stderr } = await earmark(['keys', 'create', '--name', 'editor', '--data', data])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')[0]).toMatch(KEY)
    expect((await earmark(['keys', 'list', '--data', data])).stdout).toMatch(/editor.*active/)
  })
})

test('organizations create and list print id, name and time', async () => {
  const created = await json(['organizations', 'create', '--name', 'Listed', '--data', data])
  expect(created).toStrictEqual({
    id: expect.any(String),
    name: 'Listed',
    createdAt: expect.stringMatching(TIME),
    bookmarks: 0,
    keys: 0
  })
  expect((await json(['organizations', 'list', '--data', data])).organizations).toContainEqual(created)
  await expectProblem(['organizations', 'create', '--name', 'LISTED', '--data', data], 'taken', /LISTED/)
})

test.each([
  ['keys revoke nobody', 'not-found', /^There is no key with the id nobody\.$/],
  ['keys create --name x --organization Nowhere', 'not-found', /organization.*Nowhere/],
  ['keys create --name= ', 'invalid', /name/],
  ['organizations create --name=', 'invalid', /name/]
])('earmark %s exits with 1 and one line', async (line, code, message) => {
  await expectProblem([...line.split(/ (?=\S)/), '--data', data], code, message)
})

describe('login', () => {
  test('prints a new link to the running service each time', async () => {
    const { data, url } = await serving()
    const login = async () => (await json(['login', '--data', data])).login
    const first = await login()
    expect(first).toMatch(new RegExp(`^http://[\\da-f]{32}\\.localhost:${new URL(url).port}/login#[\\w-]{20,}$`))
    expect(await login()).not.toBe(first)
  })

  test('fails if no service runs, also if the last one was killed', async () => {
    await expectProblem(['login', '--data', data], 'service-unreachable', /not running/)
    const { pid } = spawnSync(process.execPath, ['--version'])
    const facts = { url: 'http://127.0.0.1:1', token: 'its own', pid, folder: data }
    writeFileSync(join(data, 'service.json'), JSON.stringify(facts))
    await expectProblem(['login', '--data', data], 'service-unreachable', /not running/)
  })
})
