import { describe, expect, test } from 'vitest'
import { createKey } from '../../src-main/actions/keys/keys.ts'
import {
  createOrganization,
  deleteOrganization,
  previewDeletion,
  renameOrganization
} from '../../src-main/actions/organizations.ts'
import type { BookmarkDraft } from '../../src-main/contract/bookmark.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { KeyRequest } from '../../src-main/contract/key.ts'
import { identifyKey } from '../../src-main/server/identify.ts'
import type { Library } from '../../src-main/store/open-library.ts'
import { apiOf } from '../server/api.ts'
import { callTool, makeKey, noKeychain, testService } from '../support/service.ts'
import { everything, link, PRIVATE, quickPorts, START, testPorts } from './ports.ts'

const KEY = { name: 'editor', readOnly: false, keyFile: false }

/** A library with an organization that has these bookmarks. */
async function withOrganization(drafts: BookmarkDraft[] = [], options: Parameters<typeof testPorts>[0] = {}) {
  const ports = await testPorts(options)
  const acme = await ports.library.createOrganization('Acme', START)
  await ports.library.saveBookmarks({ owner: acme.rowId, visibility: 'organization', savedAt: START }, drafts)
  return { ports, acme }
}

describe('the list of organizations', () => {
  test('counts the bookmarks and keys of each', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/'), link('https://b.example/')])
    await ports.library.createOrganization('Globex', START)
    await createKey(ports, { ...KEY, organization: acme.id })
    const revoked = await createKey(ports, { ...KEY, organization: acme.id })
    await ports.library.revokeKey(revoked.id, START)
    expect(await ports.library.listOrganizations()).toMatchObject([
      { name: 'Acme', bookmarks: 2, keys: 1 },
      { name: 'Globex', bookmarks: 0, keys: 0 }
    ])
  })
})

describe('renaming', () => {
  test('changes the name in its bookmarks and keys', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/')])
    await createKey(ports, { ...KEY, organization: acme.id })
    await renameOrganization(ports, acme.id, { name: 'Acme Ltd' })
    expect(await everything(ports)).toMatchObject([{ organization: 'Acme Ltd' }])
    expect(await ports.library.listKeys()).toMatchObject([{ organization: { id: acme.id, name: 'Acme Ltd' } }])
  })

  test('may change the case of the name, but not take the name of another', async () => {
    const { ports, acme } = await withOrganization()
    await ports.library.createOrganization('Globex', START)
    await renameOrganization(ports, acme.id, { name: 'ACME' })
    await expect(renameOrganization(ports, acme.id, { name: 'globex' })).rejects.toMatchObject({ code: 'taken' })
    expect(await ports.library.listOrganizations()).toMatchObject([{ name: 'ACME' }, { name: 'Globex' }])
  })

  test('an unknown organization is a not-found problem', async () => {
    const ports = await testPorts()
    await expect(renameOrganization(ports, 'nobody', { name: 'x' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('deleting an organization', () => {
  test('has a preview, which changes nothing', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/'), link('https://b.example/')])
    await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/')])
    for (const name of ['zed', 'Agent']) await createKey(ports, { ...KEY, name, organization: acme.id })
    await createKey(ports, { ...KEY, name: 'mine' })
    expect(await previewDeletion(ports, acme.id)).toEqual({
      bookmarks: 2,
      keys: [
        { id: expect.any(String), name: 'Agent', client: null },
        { id: expect.any(String), name: 'zed', client: null }
      ],
      duplicates: 1
    })
    expect(await everything(ports)).toHaveLength(3)
    expect(await ports.library.listOrganizations()).toHaveLength(1)
  })

  test('moves its bookmarks to the profile as private', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/', { title: 'A', tags: ['x'] })])
    expect(await deleteOrganization(ports, acme.id, 'profile')).toEqual({
      moved: 1,
      trashed: 0,
      merged: 0,
      revoked: 0,
      undo: expect.any(Number)
    })
    expect(await everything(ports)).toMatchObject([
      { title: 'A', tags: ['x'], visibility: 'private', organization: null }
    ])
    expect(await found(ports, { words: 'A', visibility: 'private' })).toHaveLength(1)
    expect(await found(ports, { visibility: 'organization' })).toHaveLength(0)
  })

  test('moves them to the trash on request', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/')])
    expect(await deleteOrganization(ports, acme.id, 'trash')).toMatchObject({ moved: 0, trashed: 1 })
    expect(await everything(ports)).toEqual([])
  })

  test('merges a page that the profile has too: all tags, the older date, the profile’s title', async () => {
    const { ports, acme } = await withOrganization([
      link('https://a.example/', { title: 'Theirs', tags: ['x', 'both'], createdAt: START - 5000 })
    ])
    await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Mine', tags: ['Both', 'y'] })])
    expect(await deleteOrganization(ports, acme.id, 'profile')).toMatchObject({ moved: 0, merged: 1, trashed: 0 })
    expect(await everything(ports)).toMatchObject([
      { title: 'Mine', tags: ['both', 'x', 'y'], createdAt: START - 5000, visibility: 'private' }
    ])
    expect(await found(ports, { tags: ['x'] })).toHaveLength(1)
  })

  test('to the trash does not change the profile’s bookmark of the same page', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/', { title: 'Theirs', tags: ['x'] })])
    await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Mine' })])
    expect(await deleteOrganization(ports, acme.id, 'trash')).toMatchObject({ trashed: 1, merged: 0 })
    expect(await everything(ports)).toMatchObject([{ title: 'Mine', tags: [] }])
  })

  test('moves a page that is also in the profile’s trash', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/', { title: 'Theirs' })])
    const [own] = await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/', { title: 'Mine' })])
    await ports.library.changeBookmarks([own?.id ?? ''], { kind: 'delete' }, START + 1)
    expect(await deleteOrganization(ports, acme.id, 'profile')).toMatchObject({ moved: 1, merged: 0 })
    expect(await everything(ports)).toMatchObject([{ title: 'Theirs', visibility: 'private' }])
  })

  test('merges no more tags than a bookmark may have', async () => {
    const tags = (from: number) => Array.from({ length: 60 }, (_, index) => `t${from + index}`)
    const { ports, acme } = await withOrganization([link('https://a.example/', { tags: tags(100) })])
    await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/', { tags: tags(0) })])
    await deleteOrganization(ports, acme.id, 'profile')
    const [bookmark] = await everything(ports)
    expect(bookmark?.tags).toHaveLength(64)
    expect(bookmark?.tags).toEqual(expect.arrayContaining(tags(0)))
  })

  test('cannot be reversed by undoing an earlier move', async () => {
    const { ports, acme } = await withOrganization([link('https://a.example/')])
    const [{ id } = { id: '' }] = await everything(ports)
    const place = { visibility: 'private', owner: null } as const
    const moved = await ports.library.changeBookmarks([id], { kind: 'move', place }, START)
    await deleteOrganization(ports, acme.id, 'profile')
    expect(await ports.library.undoBatch({ step: moved.undo ?? 0 }, START)).toMatchObject({ undone: 0, kept: 1 })
    expect(await everything(ports)).toMatchObject([{ visibility: 'private', organization: null }])
  })

  test('moves its bookmarks in batches, and continues after an interruption', async () => {
    const drafts = Array.from({ length: 450 }, (_, index) => link(`https://a.example/${index}`))
    const { ports, acme } = await withOrganization(drafts)
    const { deleteOrganizationBatch } = ports.library
    let batches = 0
    const library: Library = {
      ...ports.library,
      deleteOrganizationBatch: (...args) =>
        ++batches === 2 ? Promise.reject(new Error('power cut')) : deleteOrganizationBatch(...args)
    }
    await expect(deleteOrganization({ ...ports, library }, acme.id, 'profile')).rejects.toThrow('power cut')
    expect(await ports.library.listOrganizations()).toMatchObject([{ name: 'Acme', bookmarks: 250 }])
    expect(await deleteOrganization(ports, acme.id, 'profile')).toMatchObject({ moved: 250 })
    expect(await everything(ports)).toHaveLength(450)
    expect((await ports.library.searchBookmarks(PROFILE, { words: 'example', page: 1, limit: 1 })).total).toBe(100)
  })

  test('revokes its keys, keeps them in the list, and deletes their secrets', async () => {
    const removed: string[] = []
    const keychain = { ...noKeychain, remove: async (account: string) => void removed.push(account) }
    const { ports, acme } = await withOrganization([], { keychain })
    const created = await createKey(ports, { ...KEY, organization: acme.id })
    expect(await deleteOrganization(ports, acme.id, 'profile')).toMatchObject({ revoked: 1, undo: null })
    expect(await identifyKey(ports, created.key)).toBeUndefined()
    expect(await ports.library.listKeys()).toMatchObject([{ revokedAt: START, organization: { name: 'Acme' } }])
    expect(removed).toEqual([`api-key:${created.id}`])
  })

  test('frees its name and id', async () => {
    const { ports, acme } = await withOrganization()
    await deleteOrganization(ports, acme.id, 'profile')
    expect(await ports.library.listOrganizations()).toEqual([])
    await expect(deleteOrganization(ports, acme.id, 'profile')).rejects.toMatchObject({ code: 'not-found' })
    await expect(previewDeletion(ports, acme.id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(createKey(ports, { ...KEY, organization: acme.id })).rejects.toMatchObject({ code: 'not-found' })
    expect(await ports.library.createOrganization('acme', START)).toMatchObject({ name: 'acme' })
  })
})

describe('over the API', () => {
  test('an organization is created, renamed, listed, previewed and deleted', async () => {
    const service = await testService()
    const api = apiOf(service)
    const { id } = (await api('POST', '/organizations', { name: 'Acme' })).body
    const key = await makeKey(service, { organization: id })
    await callTool(service, key, 'bookmarks.insert', { urls: 'https://a.example/' })
    expect((await api('PATCH', `/organizations/${id}`, { name: 'Acme Ltd' })).status).toBe(204)
    expect((await api('GET', '/organizations')).body).toEqual([
      { id, name: 'Acme Ltd', createdAt: expect.any(String), bookmarks: 1, keys: 1 }
    ])
    const keys = [{ id: expect.any(String), name: 'test', client: null }]
    expect((await api('GET', `/organizations/${id}/deletion`)).body).toEqual({ bookmarks: 1, keys, duplicates: 0 })
    const deleted = { moved: 1, trashed: 0, merged: 0, revoked: 1, undo: expect.any(Number) }
    expect((await api('DELETE', `/organizations/${id}?bookmarks=profile`)).body).toEqual(deleted)
    expect((await callTool(service, key, 'bookmarks.search', {})).status).toBe(401)
  })

  test.for(['', '?bookmarks=nowhere'])(
    'deleting with the query %j is refused, because it needs a target',
    async (query) => {
      const api = apiOf(await testService())
      const { id } = (await api('POST', '/organizations', { name: 'Acme' })).body
      expect((await api('DELETE', `/organizations/${id}${query}`)).status).toBe(400)
      expect((await api('GET', '/organizations')).body).toHaveLength(1)
    }
  )
})

async function found({ library }: { library: Library }, filter: object) {
  return (await library.searchBookmarks(PROFILE, { page: 1, limit: 100, ...filter })).bookmarks
}

const HIDDEN_CHARACTERS = ' Edi\u0000tor\u202e of\n\tmine\u200f '
const INVISIBLE = '\u0007\u202e\ufeff'

test('names of organizations and keys lose hidden and reordering characters', async () => {
  const ports = quickPorts()
  await createKey(ports, KeyRequest.parse({ name: HIDDEN_CHARACTERS }))
  expect((await ports.library.listKeys()).map(({ name }) => name)).toEqual(['Editor of mine'])
  const organization = await createOrganization(ports, { name: HIDDEN_CHARACTERS })
  expect(organization.name).toBe('Editor of mine')
  await renameOrganization(ports, organization.id, { name: `Other${HIDDEN_CHARACTERS}` })
  expect((await ports.library.listOrganizations()).map(({ name }) => name)).toEqual(['Other Editor of mine'])
})

test('an organization’s name that looks like another is taken', async () => {
  const ports = quickPorts()
  await createOrganization(ports, { name: 'Acme' })
  await expect(createOrganization(ports, { name: 'Ac\u0000me' })).rejects.toMatchObject({ code: 'taken' })
})

test('an invisible name is refused', async () => {
  const ports = quickPorts()
  const { id } = await createOrganization(ports, { name: 'Acme' })
  const invalid = { name: 'Problem', code: 'invalid' }
  await expect(createKey(ports, KeyRequest.parse({ name: INVISIBLE }))).rejects.toMatchObject(invalid)
  await expect(createOrganization(ports, { name: INVISIBLE })).rejects.toMatchObject(invalid)
  await expect(renameOrganization(ports, id, { name: INVISIBLE })).rejects.toMatchObject(invalid)
  expect(await ports.library.listKeys()).toEqual([])
})
