import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listKeys } from '../../../src-main/store/access/keys.ts'
import { openWriteConnection } from '../../../src-main/store/connection.ts'
import { migrate } from '../../../src-main/store/files/migrate.ts'
import { migrations } from '../../../src-main/store/files/migrations/all.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { emptyLibrary, newKey } from '../library.ts'

const NEVER = { createdAt: 0, seenAt: 0, calledAt: 0 }

test('a key is found by the hash of its secret, and by no other', () => {
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

test('a key is listed with its owner and everything but its secret', () => {
  const library = emptyLibrary()
  const acme = library.createOrganization('Acme', 1)
  const mine = library.createKey(newKey({ name: 'Mine' }))
  const theirs = library.createKey(
    newKey({ name: 'Theirs', owner: acme.rowId, readOnly: true, tags: ['agent'], expiresAt: 9000 })
  )
  expect(library.listKeys()).toEqual([
    {
      rowId: mine.rowId,
      id: mine.id,
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
      id: theirs.id,
      owner: acme.rowId,
      organization: { id: acme.id, name: 'Acme' },
      readOnly: true,
      tags: ['agent'],
      expiresAt: 9000
    })
  ])
})

test('where the secret went is kept', () => {
  const { createKey, setKeychainOutcome, listKeys } = emptyLibrary()
  const { rowId } = createKey(newKey())
  for (const outcome of ['stored', 'file', 'shown-once'] as const) {
    setKeychainOutcome(rowId, outcome)
    expect(listKeys()[0]?.keychain).toBe(outcome)
  }
})

test('revoking twice keeps the first time, and a key that does not exist is not revoked', () => {
  const { createKey, revokeKey, listKeys, findKey } = emptyLibrary()
  const key = newKey()
  const { id } = createKey(key)
  expect(revokeKey(id, 5000)).toBe(true)
  expect(revokeKey(id, 6000)).toBe(true)
  expect(revokeKey('nobody', 7000)).toBe(false)
  expect(listKeys().map((one) => one.revokedAt)).toEqual([5000])
  expect(findKey(key.hash)?.revokedAt).toBe(5000)
})

test.for([
  ['a hash that is not 32 bytes', { hash: new Uint8Array(31) }, 'CHECK'],
  ['an organization that does not exist', { owner: 99 }, 'FOREIGN KEY']
] as const)('the library refuses a key with %s', ([, change, constraint]) => {
  expect(() => emptyLibrary().createKey(newKey(change))).toThrow(constraint)
})

test('the library refuses the same secret twice', () => {
  const { createKey } = emptyLibrary()
  const key = newKey()
  createKey(key)
  expect(() => createKey(key)).toThrow('UNIQUE')
})

test('the last use of a key only moves forward, and a client that gives no name keeps the last name', () => {
  const { createKey, recordUse, listKeys } = emptyLibrary()
  const { rowId } = createKey(newKey())
  const use = (at: number, client: string | null) => recordUse([{ kind: 'key', rowId, at, client }], NEVER)
  use(5000, 'Editor')
  use(4000, null)
  expect(listKeys()[0]).toMatchObject({ lastUsedAt: 5000, lastClient: 'Editor' })
  use(6000, 'Another editor')
  expect(listKeys()[0]).toMatchObject({ lastUsedAt: 6000, lastClient: 'Another editor' })
})

test('a key of an older library gives no tags', () => {
  const db = openWriteConnection(join(tempFolder(), 'library.sqlite'))
  onTestFinished(() => {
    db.close()
  })
  const older = migrations.filter(({ version }) => version < 160)
  migrate(db, () => {}, older)
  db.exec(
    `INSERT INTO api_keys (public_id, name, prefix, hash, read_only, created_at) VALUES ('a', 'Old', 'emk_', zeroblob(32), 0, 1)`
  )
  migrate(db, () => {})
  expect(listKeys(db)).toMatchObject([{ name: 'Old', tags: [] }])
})
