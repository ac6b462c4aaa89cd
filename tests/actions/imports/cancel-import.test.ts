import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { importLibrary } from '../../../src-main/actions/imports/import-library.ts'
import { undoImport } from '../../../src-main/actions/undo.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { type ImportProgress, type ImportReport, shareDone } from '../../../src-main/contract/import-report.ts'
import { callApi, postImport, testService } from '../../support/service.ts'
import { testPorts } from '../ports.ts'

/** Addresses, one on each line, in pieces of this many lines. */
async function* addresses(count: number, piece = 500): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < count; from += piece) {
    const lines = Array.from({ length: piece }, (_, index) => `https://a.example/${from + index}\n`)
    yield new TextEncoder().encode(lines.join(''))
  }
}

test('a cancelled import keeps its bookmarks, is reported as cancelled, and can be undone', async () => {
  const ports = await testPorts()
  const stop = new AbortController()
  const seen: ImportProgress[] = []
  const report = await importLibrary(ports, PROFILE, addresses(20_000), {
    signal: stop.signal,
    onProgress(progress) {
      seen.push(progress)
      if (progress.imported >= 1000) stop.abort()
    }
  })
  expect(report).toEqual({ ...report, duplicate: 0, rejected: 0, rejects: [], undo: 1, cancelled: true })
  expect(report.imported).toBeGreaterThanOrEqual(1000)
  expect(report.imported).toBeLessThan(20_000)
  expect(await ports.library.countBookmarks(PROFILE)).toBe(report.imported)
  expect(seen.map(({ read }) => read)).toEqual(seen.map(({ read }) => read).toSorted((a, b) => a - b))
  expect(await undoImport(ports, 1)).toEqual({ undone: report.imported, kept: 0 })
})

test('cancelling does not wait for a sender that stalls', async () => {
  const ports = await testPorts()
  const stop = new AbortController()
  async function* stalling() {
    yield* addresses(500)
    stop.abort()
    await new Promise(() => {})
  }
  const report = await importLibrary(ports, PROFILE, stalling(), { signal: stop.signal })
  expect(report).toMatchObject({ cancelled: true, rejected: 0 })
})

test('a record that is cut by cancelling is not counted', async () => {
  const ports = await testPorts()
  const stop = new AbortController()
  async function* cut() {
    yield new TextEncoder().encode('https://a.example/\nhttps://b.exa')
    stop.abort()
    yield new TextEncoder().encode('mple/\n')
  }
  const report = await importLibrary(ports, PROFILE, cut(), { signal: stop.signal, format: 'urls' })
  expect(report.imported + report.duplicate + report.rejected).toBe(0)
})

test('the progress ends at the size of the file', async () => {
  const ports = await testPorts()
  const seen: ImportProgress[] = []
  let size = 0
  for await (const piece of addresses(1200, 100)) size += piece.length
  await importLibrary(ports, PROFILE, addresses(1200, 100), { onProgress: (progress) => seen.push(progress) })
  expect(seen.at(-1)).toEqual({ read: size, found: 1200, imported: 1200, duplicate: 0, rejected: 0 })
})

test('the progress of a file that is read before saving grows with the saved bookmarks', async () => {
  const ports = await testPorts()
  const link = (index: number) => ({
    title: `${index}`,
    tags: [],
    lists: ['l'],
    createdAt: 1,
    content: { type: 'link', url: `https://a.example/${index}` }
  })
  const bookmarks = Array.from({ length: 10_000 }, (_, index) => link(index))
  const file = new TextEncoder().encode(JSON.stringify({ bookmarks, lists: [{ id: 'l', name: 'L' }] }))
  const shares: number[] = []
  async function* bytes() {
    yield file
  }
  await importLibrary(ports, PROFILE, bytes(), {
    onProgress: (progress) => shares.push(shareDone(progress, file.length))
  })
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.filter((share) => share > 0 && share < 1).length).toBeGreaterThan(0)
  expect(shares.at(-1)).toBe(1)
})

test('the API reports and cancels an import by its name', async () => {
  const service = await testService()
  const answer = postImport(service, addresses(60_000), 'mine')
  const readProgress = async () =>
    (await (await callApi(service, 'GET', '/imports/running/mine')).json()) as ImportProgress
  await expect.poll(async () => (await readProgress()).imported).toBeGreaterThan(0)
  expect((await callApi(service, 'POST', '/imports?name=mine', {})).status).toBe(409)
  const report = (await (await callApi(service, 'POST', '/imports/running/mine/cancel')).json()) as ImportReport
  expect(report).toMatchObject({ cancelled: true, undo: 1 })
  expect(await (await answer).json()).toEqual(report)
  expect((await callApi(service, 'GET', '/imports/running/mine')).status).toBe(404)
  expect((await callApi(service, 'POST', '/imports/running/mine/cancel')).status).toBe(404)
})

test('a sender that disconnects before its whole file has arrived imports nothing', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const sender = request({
    port,
    host: '127.0.0.1',
    path: '/api/imports?name=gone',
    method: 'POST',
    headers: { authorization: `Bearer ${service.commandToken}`, 'transfer-encoding': 'chunked' }
  })
  sender.on('error', () => {})
  onTestFinished(() => {
    sender.destroy()
  })
  for await (const piece of addresses(6000)) sender.write(piece)
  const isRunning = async () => (await callApi(service, 'GET', '/imports/running/gone')).status === 200
  await expect.poll(isRunning).toBe(true)
  sender.destroy()
  await expect.poll(isRunning).toBe(false)
  expect(await (await callApi(service, 'GET', '/imports')).json()).toEqual([])
})

test('a file of another format adds nothing if its sender disconnects', async () => {
  const ports = await testPorts()
  async function* broken() {
    yield* addresses(2000)
    throw new Error('disconnected')
  }
  await expect(importLibrary(ports, PROFILE, broken())).rejects.toThrow('disconnected')
  expect(await ports.library.countBookmarks(PROFILE)).toBe(0)
})
