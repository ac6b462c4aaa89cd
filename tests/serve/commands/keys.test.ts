import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { earmark, expectProblem, json, keysIn, modeOf } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const KEY = /^emk_[0-9A-Za-z]{49}$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** One library for what does not mind what else is in it. */
const data = tempFolder(afterAll)
putEmptyLibrary(data)

describe('keys', () => {
  test('create gives the id, the key, its prefix and where the secret is; list shows all but the secret', async () => {
    const made = await json(['keys', 'create', '--name', 'listed', '--data', data])
    expect(made).toStrictEqual({
      id: expect.any(String),
      key: expect.stringMatching(KEY),
      prefix: made.key.slice(0, 10),
      keychain: 'shown-once'
    })
    const { stdout } = await earmark(['keys', 'list', '--json', '--data', data])
    expect(stdout).not.toContain(made.key)
    expect(JSON.parse(stdout).keys).toContainEqual(
      expect.objectContaining({
        id: made.id,
        name: 'listed',
        prefix: made.prefix,
        keychain: 'shown-once',
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

  test('revoke ends a key', async () => {
    const { id } = await json(['keys', 'create', '--name', 'editor', '--data', data])
    expect(await json(['keys', 'revoke', id, '--data', data])).toMatchObject({ id })
    const gone = expect.objectContaining({ id, state: 'revoked', revokedAt: expect.stringMatching(TIME) })
    expect(await keysIn(data)).toContainEqual(gone)
  })

  test('can give tags to what they save', async () => {
    const data = tempFolder()
    putEmptyLibrary(data)
    await json(['keys', 'create', '--name', 'agent', '--tag', '#agent', '--tag', 'to read', '--data', data])
    expect(await keysIn(data)).toMatchObject([{ tags: ['agent', 'to read'] }])
    expect((await earmark(['keys', 'list', '--data', data])).stdout).toContain('#agent  #to read')
  })

  test('can be read-only, can expire and can belong to an organization', async () => {
    const acme = await json(['organizations', 'create', '--name', 'Acme', '--data', data])
    await json(['keys', 'create', '--name', 'reader', '--read-only', '--data', data])
    await json(['keys', 'create', '--name', 'guest', '--expires', '30', '--data', data])
    for (const organization of ['Acme', 'acme', acme.id]) {
      await json(['keys', 'create', '--name', `of ${organization}`, '--organization', organization, '--data', data])
    }
    const keys = Object.fromEntries((await keysIn(data)).map((key) => [key.name, key]))
    expect(keys.reader).toMatchObject({ readOnly: true, expiresAt: null, organization: null })
    expect(keys.guest).toMatchObject({ readOnly: false, organization: null })
    expect(Date.parse(keys.guest?.expiresAt ?? '') - Date.parse(keys.guest?.createdAt ?? '')).toBe(30 * 86_400_000)
    for (const name of ['of Acme', 'of acme', `of ${acme.id}`]) {
      expect(keys[name]).toMatchObject({ organization: { id: acme.id, name: 'Acme' } })
    }
  })

  test('create --key-file keeps the secret in a file of the owner’s alone, until the key is revoked', async () => {
    const made = await json(['keys', 'create', '--name', 'server', '--key-file', '--data', data])
    expect(made).toStrictEqual({
      id: made.id,
      key: expect.stringMatching(KEY),
      prefix: made.prefix,
      keychain: 'file'
    })
    const file = join(data, 'keys', `${made.id}.key`)
    expect(readFileSync(file, 'utf8').trim()).toBe(made.key)
    expect(modeOf(file)).toBe('600')
    expect(modeOf(join(data, 'keys'))).toBe('700')
    await json(['keys', 'revoke', made.id, '--data', data])
    expect(existsSync(file)).toBe(false)
  })

  test('are plain lines for a person', async () => {
    const { code, stdout, stderr } = await earmark(['keys', 'create', '--name', 'editor', '--data', data])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')[0]).toMatch(KEY)
    expect((await earmark(['keys', 'list', '--data', data])).stdout).toMatch(/editor.*active/)
  })
})

describe('organizations', () => {
  test('create and list give id, name and time', async () => {
    const made = await json(['organizations', 'create', '--name', 'Listed', '--data', data])
    expect(made).toStrictEqual({
      id: expect.any(String),
      name: 'Listed',
      createdAt: expect.stringMatching(TIME),
      bookmarks: 0,
      keys: 0
    })
    expect((await json(['organizations', 'list', '--data', data])).organizations).toContainEqual(made)
  })

  test('have a name that is taken once, in any case', async () => {
    await json(['organizations', 'create', '--name', 'Taken', '--data', data])
    await expectProblem(['organizations', 'create', '--name', 'TAKEN', '--data', data], 'taken', /TAKEN/)
  })
})

test.each([
  ['keys revoke nobody', 'not-found', /^There is no key with the id nobody\.$/],
  ['keys create --name x --organization Nowhere', 'not-found', /organization.*Nowhere/],
  ['keys create --name= ', 'invalid', /name/],
  ['organizations create --name=', 'invalid', /name/]
])('earmark %s is one clear problem', async (line, code, message) => {
  await expectProblem([...line.split(/ (?=\S)/), '--data', data], code, message)
})
