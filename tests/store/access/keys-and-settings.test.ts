import { expect, test } from 'vitest'
import { emptyLibrary, newKey } from '../library.ts'

const NEVER = { createdAt: 0, seenAt: 0, calledAt: 0 }

test('a key is found by the hash of its secret only', () => {
  const { createKey, findKey } = emptyLibrary()
  const key = newKey({ readOnly: true, tags: ['agent', 'to read'], expiresAt: 9000 })
  const { rowId } = createKey(key)
  expect(findKey(key.hash)).toMatchObject({
    rowId,
    owner: null,
    readOnly: true,
    tags: ['agent', 'to read'],
    expiresAt: 9000,
    revokedAt: null
  })
  expect(Buffer.from(findKey(key.hash)?.hash ?? []).equals(key.hash)).toBe(true)
  expect(findKey(newKey().hash)).toBeUndefined()
})

test('a key is listed with its owner and all but its secret', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1)
  const profiles = library.createKey(newKey({ name: 'Mine' }))
  const { id } = library.createKey(newKey({ owner: acme.rowId, readOnly: true, tags: ['agent'], expiresAt: 9000 }))
  expect(library.listKeys()).toEqual([
    {
      rowId: profiles.rowId,
      id: profiles.id,
      name: 'Mine',
      prefix: 'emk_abcdef',
      owner: null,
      organization: null,
      readOnly: false,
      tags: [],
      keychain: 'shown-once',
      createdAt: 1000,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      lastClient: null,
      callsDay: 0,
      callsOnDay: 0
    },
    expect.objectContaining({
      id,
      owner: acme.rowId,
      organization: { id: acme.id, name: 'Acme' },
      readOnly: true,
      tags: ['agent'],
      expiresAt: 9000
    })
  ])
})

test.for(['stored', 'file', 'shown-once'] as const)('a key keeps where its secret is: %s', (outcome) => {
  const { createKey, setKeychainOutcome, listKeys } = emptyLibrary()
  setKeychainOutcome(createKey(newKey()).rowId, outcome)
  expect(listKeys()[0]?.keychain).toBe(outcome)
})

test('revoking a key again keeps the first time, and an unknown key is not revoked', () => {
  const { createKey, revokeKey, listKeys, findKey } = emptyLibrary()
  const key = newKey()
  const { id } = createKey(key)
  expect([revokeKey(id, 5000), revokeKey(id, 6000), revokeKey('nobody', 7000)]).toEqual([true, true, false])
  expect(listKeys().map(({ revokedAt }) => revokedAt)).toEqual([5000])
  expect(findKey(key.hash)?.revokedAt).toBe(5000)
})

test('a key with a malformed hash, a repeated secret or an unknown organization is refused', () => {
  const { createKey } = emptyLibrary()
  const key = newKey()
  createKey(key)
  expect(() => createKey(key)).toThrow('UNIQUE')
  expect(() => createKey(newKey({ hash: new Uint8Array(31) }))).toThrow('CHECK')
  expect(() => createKey(newKey({ owner: 99 }))).toThrow('FOREIGN KEY')
})

test('the last use of a key only moves forward, and a client without a name keeps the last name', () => {
  const { createKey, recordUse, listKeys } = emptyLibrary()
  const { rowId } = createKey(newKey())
  const use = (at: number, client: string | null) => recordUse([{ kind: 'key', rowId, at, client }], NEVER)
  use(5000, 'Editor')
  use(4000, null)
  expect(listKeys()[0]).toMatchObject({ lastUsedAt: 5000, lastClient: 'Editor' })
  use(6000, 'Another editor')
  expect(listKeys()[0]).toMatchObject({ lastUsedAt: 6000, lastClient: 'Another editor' })
})

const hash = (byte: number) => new Uint8Array(32).fill(byte)

test('a session is found until it is ended, and the others stay', () => {
  const { createSession, findSession, endSession } = emptyLibrary()
  createSession(hash(1), 1000)
  createSession(hash(2), 2000)
  expect(findSession(hash(1))).toEqual({ createdAt: 1000, seenAt: 1000 })
  for (const byte of [1, 9]) endSession(hash(byte))
  expect(findSession(hash(1))).toBeUndefined()
  expect(findSession(hash(2))).toMatchObject({ createdAt: 2000, seenAt: 2000 })
  expect(() => createSession(new Uint8Array(20), 1)).toThrow('CHECK')
})

test('the time a session was last seen only moves forward', () => {
  const { createSession, recordUse, findSession } = emptyLibrary()
  createSession(hash(1), 1000)
  for (const at of [5000, 4000]) recordUse([{ kind: 'session', hash: hash(1), at }], NEVER)
  expect(findSession(hash(1))).toMatchObject({ createdAt: 1000, seenAt: 5000 })
})

test('sessions that are too old or were not seen for too long end', () => {
  const { createSession, recordUse, findSession } = emptyLibrary()
  const open = () => [1, 2, 3].filter((byte) => findSession(hash(byte)) !== undefined)
  for (const byte of [1, 2, 3]) createSession(hash(byte), byte * 1000)
  recordUse([{ kind: 'session', hash: hash(1), at: 9000 }], { ...NEVER, createdAt: 1500 })
  expect(open()).toEqual([2, 3])
  recordUse([{ kind: 'session', hash: hash(3), at: 9000 }], { ...NEVER, seenAt: 8000 })
  expect(open()).toEqual([3])
})

test('organizations are listed by name', () => {
  const { createOrganization, listOrganizations } = emptyLibrary()
  const globex = createOrganization('Globex', 1000)
  const acme = createOrganization('Acme', 2000)
  expect(listOrganizations()).toEqual([acme, globex])
  expect(acme).toMatchObject({ name: 'Acme', createdAt: 2000, id: expect.stringMatching(/^\w[\w-]{15}$/) })
})

test.for([
  ['Acme', 'Acme'],
  ['Acme', 'ACME'],
  ['ärzte', 'ÄRZTE'],
  ['Москва', 'МОСКВА']
])('with an organization %s the name %s is taken', ([first = '', second = '']) => {
  const { createOrganization, listOrganizations } = emptyLibrary()
  createOrganization(first, 1)
  expect(() => createOrganization(second, 2)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'taken', message: expect.stringContaining(second) })
  )
  expect(listOrganizations().map(({ name }) => name)).toEqual([first])
})

test('a setting that is written keeps the others', async () => {
  const { writeSettings, readSettings } = emptyLibrary()
  const before = await readSettings()
  expect(before).toMatchObject({ defaultVisibility: 'private' })
  writeSettings({ defaultVisibility: 'public' })
  writeSettings({})
  expect(await readSettings()).toEqual({ ...before, defaultVisibility: 'public' })
  writeSettings({ defaultVisibility: 'private' })
  expect(await readSettings()).toEqual(before)
})

test('an invalid or unknown setting of another version is ignored', async () => {
  const { db, readSettings } = emptyLibrary()
  const before = await readSettings()
  db.exec(`INSERT INTO settings VALUES ('theme', '"sepia"'), ('port', '6000'), ('colorOfTheMoon', '"pale"')`)
  expect(await readSettings()).toEqual(before)
})
