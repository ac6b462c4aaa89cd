import { expect, onTestFinished, test, vi } from 'vitest'
import { importLibrary } from '../../src-main/actions/imports/import-library.ts'
import type { Ports } from '../../src-main/actions/ports.ts'
import { createApplyingRules } from '../../src-main/actions/rules.ts'
import { undoImport } from '../../src-main/actions/undo.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { everything, link, PRIVATE, testPorts } from './ports.ts'

const fail = (error: unknown) => {
  throw error
}

type TestPorts = Awaited<ReturnType<typeof testPorts>>

/** A library with a rule and no worker yet. */
async function ruled(): Promise<TestPorts> {
  const ports = await testPorts()
  await ports.library.saveRule({ query: 'crab', tags: ['crab'], place: undefined })
  return ports
}

function start({ changes, ...ports }: Ports & Pick<TestPorts, 'changes'>, onError: (error: unknown) => void = fail) {
  const worker = createApplyingRules(ports, changes, onError)
  worker.start()
  onTestFinished(() => worker.close())
  return worker
}

async function tags(ports: TestPorts): Promise<string[][]> {
  return (await everything(ports)).map((bookmark) => bookmark.tags)
}

test('rules are applied right after a save', async () => {
  const ports = await ruled()
  start(ports)
  await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/crab'), link('https://a.example/')])
  await expect.poll(() => tags(ports)).toEqual([[], ['crab']])
})

test('bookmarks saved before the start get the rules at the start', async () => {
  const ports = await ruled()
  const first = start(ports)
  await first.close()
  await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/crab')])
  expect(await tags(ports)).toEqual([[]])
  await start(ports).close()
  await start(ports).close()
  await expect.poll(() => tags(ports)).toEqual([['crab']])
})

test('a batch that fails is applied again, and no save fails', async () => {
  const ports = await ruled()
  const errors: unknown[] = []
  vi.spyOn(ports.library, 'applyRules').mockRejectedValueOnce(new Error('the disk is full'))
  start(ports, (error) => void errors.push(error))
  await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/crab')])
  await expect.poll(() => errors).toHaveLength(1)
  await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/')])
  await expect.poll(() => tags(ports)).toEqual([[], ['crab']])
})

test('an import can be undone after rules were applied to it', async () => {
  const ports = await ruled()
  start(ports)
  const lines = Array.from({ length: 450 }, (_, index) => `https://a.example/${index}/${index % 2 ? 'crab' : 'snail'}`)
  const report = await importLibrary(ports, PROFILE, bytesOf(lines.join('\n')), {})
  expect(report.imported).toBe(450)
  const tagged = async () => (await tags(ports)).filter((names) => names.includes('crab')).length
  await expect.poll(tagged).toBe(225)
  expect(await ports.library.listRules()).toMatchObject([{ matched: 225 }])
  const [imported] = await ports.library.listImports()
  expect(await undoImport(ports, imported?.id ?? 0)).toEqual({ undone: 450, kept: 0 })
})

test('without rules nothing is written after a save', async () => {
  const ports = await testPorts()
  const writes = vi.spyOn(ports.library, 'applyRules')
  const reads = vi.spyOn(ports.library, 'matchRules')
  const worker = start(ports)
  await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/crab')])
  await worker.close()
  expect([writes.mock.calls, reads.mock.calls]).toEqual([[], []])
})

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}
