import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { encodeFrame, MAX_FRAME_BYTES } from '../../../src-main/cli/commands/bridges.ts'
import { EXTENSION } from '../../../src-main/contract/extension-id.ts'
import { OURS, serving, startHost } from '../../support/command-line.ts'
import { runs } from '../../support/runs.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const data = tempFolder(atEnd)
let url = ''
beforeAll(async () => {
  url = (await serving(data, atEnd)).url
})

const PAGE = { type: 'link', url: 'https://a.example/host', title: 'By the host', tags: ['hosted'] }

test('several requests at once are answered: save, saved, tags and search, with errors for invalid ones', async () => {
  const host = startHost(data)
  expect(await host.ask('save', PAGE)).toMatchObject({ answer: { status: 'saved', bookmark: { title: PAGE.title } } })
  const answers = await Promise.all([
    host.ask('saved', { url: PAGE.url }),
    host.ask('tags', { typed: 'hos' }),
    host.ask('search', { words: 'host' }),
    host.ask('save', { type: 'link', url: 'about:blank' }),
    host.ask('save', { ...PAGE, pageText: 'x'.repeat(120_001) }),
    host.ask('purge', {})
  ])
  expect(answers).toMatchObject([
    { answer: { bookmark: { tags: ['hosted'] } } },
    { answer: { tags: ['hosted'] } },
    { answer: { bookmarks: [{ url: PAGE.url }] } },
    { error: { code: 'invalid', message: expect.stringContaining('about: cannot be saved') } },
    { error: { code: 'invalid', message: expect.stringContaining('pageText') } },
    { error: { code: 'invalid', message: expect.stringContaining('ask') } }
  ])
  expect(await host.end()).toEqual({ code: 0, stderr: '' })
})

test.each([
  ['a foreign extension', ['chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/']],
  ['a foreign extension of Firefox', ['/some/manifest.json', 'other@extension']],
  ['a web page', ['https://a.example/']],
  ['a start without a caller', []]
])('%s is refused before its messages are read', async (_, caller) => {
  const host = startHost(data, caller)
  host.write(encodeFrame({ id: 1, ask: 'search', page: { words: 'host' } }))
  expect(await host.next()).toBeUndefined()
  expect(await host.end()).toEqual({ code: 1, stderr: expect.stringMatching(/^Only Earmark’s own browser extension/) })
})

test('the arguments of Firefox and of browsers on Windows are accepted', async () => {
  for (const caller of [
    ['/some/manifest.json', EXTENSION.firefox],
    [OURS, '--parent-window=5']
  ]) {
    const host = startHost(data, caller)
    expect(await host.ask('tags', {})).toHaveProperty('answer')
    await host.end()
  }
})

test('each frame of garbage is answered, and the service keeps running', { timeout: 180_000 }, async () => {
  const host = startHost(data)
  await host.ask('save', PAGE)
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => framed(bytes)),
    fc.json().map((text) => framed(Buffer.from(text))),
    fc.record({ id: fc.anything(), ask: fc.string(), page: fc.object() }).map((message) => framed(written(message))),
    fc
      .tuple(fc.constantFrom('save', 'saved', 'tags', 'search'), fc.object())
      .map(([ask, page]) => framed(written({ id: 1, ask, page })))
  )
  await fc.assert(
    fc.asyncProperty(garbage, async (frame) => {
      host.write(frame)
      const message = await host.next()
      expect([Object.keys(message), 'error' in message ? typeof message.error.message : 'string']).toEqual([
        ['id', expect.stringMatching(/^(error|answer)$/)],
        'string'
      ])
      expect(message.error?.code).not.toBe('internal')
    }),
    { numRuns: runs(300, 20_000) }
  )
  expect(await host.ask('tags', { typed: 'hosted' })).toMatchObject({ answer: { tags: ['hosted'] } })
  expect((await host.end()).code).toBe(0)
  expect((await fetch(`${url}/api/proof?nonce=a`)).status).toBe(200)
})

test('a frame that announces too many bytes is refused and ends the host; an incomplete frame ends it silently', async () => {
  const large = startHost(data)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(MAX_FRAME_BYTES + 1)
  large.write(Buffer.concat([encodeFrame({ id: 7, ask: 'tags', page: {} }), head]))
  const messages = [await large.next(), await large.next()].toSorted((a, b) => (b.id ?? 0) - (a.id ?? 0))
  expect(messages).toMatchObject([
    { id: 7, answer: {} },
    { id: null, error: { code: 'too-large' } }
  ])
  expect(await large.next()).toBeUndefined()
  const cut = startHost(data)
  cut.write(encodeFrame({ id: 1, ask: 'tags', page: {} }).subarray(0, 20))
  expect(await cut.end()).toEqual({ code: 0, stderr: '' })
  expect(await cut.next()).toBeUndefined()
})

function framed(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(bytes.length)
  return Buffer.concat([head, bytes])
}

/** Values that JSON does not have are left out. */
function written(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)))
}
