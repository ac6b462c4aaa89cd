import { expect, test } from 'vitest'
import { changeBookmarks } from '../../src-main/actions/bookmarks/change-bookmarks.ts'
import { importLibrary } from '../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../src-main/actions/ports.ts'
import { undoChange, undoImport, undoInsert } from '../../src-main/actions/undo.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import type { WorkProgress } from '../../src-main/contract/change.ts'
import { Problem } from '../../src-main/contract/problem.ts'
import { newKey } from '../store/library.ts'
import { link, PRIVATE, testPorts } from './ports.ts'

const FULL = new Problem('disk-full', 'The disk is full. Nothing was saved; free some space and try again.')
const PROBLEM = { code: 'disk-full', message: expect.stringMatching(/^Then the disk was full\. Free some space/) }
const MANY = 1200
const all = { words: '', typing: false, trash: false }

async function* manyPages() {
  const lines = Array.from({ length: MANY }, (_, index) => `https://a.example/${index}\n`)
  yield new TextEncoder().encode(lines.join(''))
}

/** More than one batch of an import. */
async function* thousandsOfPages() {
  for (let index = 0; index < 40_000; index += 1000) {
    const lines = Array.from({ length: 1000 }, (_, line) => `https://b.example/${index + line}\n`)
    yield new TextEncoder().encode(lines.join(''))
  }
}

/** A library of many bookmarks whose disk is full after this number of calls of `write`. */
async function shelf(write: keyof Ports['library'], parts: number, tags = ['old']) {
  const ports = await testPorts()
  const { undo = 0 } = await importLibrary(ports, PROFILE, manyPages(), { format: 'urls' })
  const tagged = { kind: 'tags' as const, add: tags, remove: [] }
  if (tags.length > 0) await changeBookmarks(ports, { all, except: [], change: tagged })
  let room = parts
  const real = ports.library[write] as (...args: unknown[]) => unknown
  const filling = (...args: unknown[]) => (room-- > 0 ? real(...args) : Promise.reject(FULL))
  return {
    ports: { ...ports, library: { ...ports.library, [write]: filling } } as typeof ports,
    importId: undo,
    makeRoom: () => {
      room = Number.POSITIVE_INFINITY
    },
    count: async (tags: string[]) =>
      (await ports.library.listBookmarks({ order: 'newest', page: 1, limit: 1, tags })).total
  }
}

test('a change of many bookmarks on a full disk reports the changed ones, which can be undone', async () => {
  const { ports, makeRoom, count } = await shelf('changeBookmarks', 2)
  const change = { kind: 'tags' as const, add: ['new'], remove: [] }
  const report = await changeBookmarks(ports, { all, except: [], change })
  expect(report).toEqual({
    changed: expect.any(Number),
    unchanged: 0,
    kept: [],
    undo: expect.any(Number),
    problem: PROBLEM
  })
  expect(await count(['new'])).toBe(report.changed)
  expect(report.changed).toBeGreaterThan(0)
  expect(report.changed).toBeLessThan(MANY)
  makeRoom()
  expect(await undoChange(ports, report.undo ?? 0)).toEqual({
    undone: report.changed,
    kept: 0,
    redo: expect.any(Number)
  })
  expect(await count(['new'])).toBe(0)
})

test('a change whose first batch finds the disk full fails and changes nothing', async () => {
  const { ports, count } = await shelf('changeBookmarks', 0)
  const change = { kind: 'tags' as const, add: ['new'], remove: [] }
  await expect(changeBookmarks(ports, { all, except: [], change })).rejects.toBe(FULL)
  expect(await count(['new'])).toBe(0)
})

test('undoing on a full disk reports its progress and continues with the next request', async () => {
  const { ports, makeRoom, count } = await shelf('undoBatch', 2)
  const { undo } = await changeBookmarks(ports, { all, except: [], change: { kind: 'delete' } })
  const report = await undoChange(ports, undo ?? 0)
  expect(report).toEqual({ undone: expect.any(Number), kept: 0, redo: expect.any(Number), problem: PROBLEM })
  expect(await count(['old'])).toBe(report.undone)
  makeRoom()
  await undoChange(ports, undo ?? 0)
  expect(await count(['old'])).toBe(MANY)
})

test('an import on a full disk reports the imported bookmarks, which can be undone', async () => {
  const ports = await testPorts()
  const real = ports.library.importBookmarks
  let room = 1
  const filling = {
    ...ports.library,
    importBookmarks: (...args: Parameters<typeof real>) => (room-- > 0 ? real(...args) : Promise.reject(FULL))
  }
  const full = { ...ports, library: filling }
  const report = await importLibrary(full, PROFILE, thousandsOfPages(), { format: 'urls' })
  expect(report).toMatchObject({ problem: PROBLEM, undo: expect.any(Number) })
  expect(report.imported).toBeGreaterThan(0)
  expect((await undoImport(ports, report.undo ?? 0)).undone).toBe(report.imported)
  await expect(importLibrary(full, PROFILE, thousandsOfPages(), { format: 'urls' })).rejects.toBe(FULL)
})

test('undoing an import on a full disk reports its progress', async () => {
  const { ports, importId, makeRoom, count } = await shelf('undoBatch', 1, [])
  const report = await undoImport(ports, importId)
  expect(report).toMatchObject({ undone: expect.any(Number), problem: PROBLEM })
  makeRoom()
  await undoImport(ports, importId)
  expect(await count([])).toBe(0)
})

test('undoing an insert on a full disk reports its progress and continues with the next request', async () => {
  const { ports, makeRoom, count } = await shelf('undoBatch', 1, [])
  const { rowId: keyId } = await ports.library.createKey(newKey())
  const drafts = Array.from({ length: 600 }, (_, index) => link(`https://b.example/${index}`))
  const call = { keyId, client: null, tool: 'bookmarks.insert' }
  const { callId } = await ports.library.saveForCall({ ...PRIVATE, savedAt: ports.now() }, drafts, call)
  expect(await undoInsert(ports, callId)).toEqual({ undone: 500, kept: 0, problem: PROBLEM })
  makeRoom()
  expect(await undoInsert(ports, callId)).toEqual({ undone: 100, kept: 0 })
  await expect(undoInsert(ports, callId)).rejects.toMatchObject({ code: 'not-found' })
  expect(await count([])).toBe(MANY)
})

test('undoing an import that is stopped moves the rest to the trash with the next request', async () => {
  const { ports, importId, count } = await shelf('undoBatch', Number.POSITIVE_INFINITY, [])
  const stop = new AbortController()
  const seen: WorkProgress[] = []
  const onProgress = (progress: WorkProgress) => {
    seen.push({ ...progress })
    stop.abort()
  }
  expect(await undoImport(ports, importId, { signal: stop.signal, onProgress })).toEqual({
    undone: 500,
    kept: 0,
    cancelled: true
  })
  expect(seen).toEqual([{ done: 500, total: MANY }])
  expect(await undoImport(ports, importId)).toEqual({ undone: MANY - 500, kept: 0 })
  expect(await count([])).toBe(0)
})
