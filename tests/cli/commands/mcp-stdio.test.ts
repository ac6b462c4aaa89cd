import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { formatKey } from '../../../src-main/core/key-format.ts'
import { earmark, json, keysIn, serving } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { makeKey } from '../../support/service.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const data = tempFolder(atEnd)
let key = ''
beforeAll(async () => {
  key = await makeKey((await serving(data, atEnd)).service)
})
beforeEach(() => {
  vi.stubEnv('EARMARK_KEY', key)
})

const LIST = { id: 1, method: 'tools/list' }
const callOf = (id: number, args: object = {}, name = 'bookmarks.search') => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args }
})

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
type Answer = any

/** Sends messages to the bridge, ends its input, and returns the answers in the order of their ids. */
async function bridge(args: string[], ...messages: object[]): Promise<{ answers: Answer[]; stderr: string }> {
  const input = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n')
  const { code, stdout, stderr } = await earmark(['mcp-stdio', ...args], input)
  expect(code).toBe(0)
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { answers: answers.toSorted((first, second) => first.id - second.id), stderr }
}

/** The error of a call that cannot be forwarded. The tools are listed nevertheless. */
async function callError(folder: string, ...options: string[]): Promise<string> {
  const { answers } = await bridge(['--data', folder, ...options], LIST, callOf(2))
  expect(answers[0].result.tools).toHaveLength(2)
  expect(answers[1].result.isError).toBe(true)
  return answers[1].result.content[0].text
}

const payload = ({ result }: Answer) => JSON.parse(result.content[0].text)

test('tool names have an underscore if the host asks for that', async () => {
  const { answers } = await bridge(['--data', data, '--names', 'underscore'], LIST)
  const names = answers[0].result.tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['bookmarks_search', 'bookmarks_insert'])
})

test('a stored key is used by its id, despite EARMARK_KEY, or if it is the only one', async () => {
  const { data } = await serving()
  const { id } = await json(['keys', 'create', '--name', 'kept', '--key-file', '--data', data])
  vi.stubEnv('EARMARK_KEY', 'emk_wrong')
  const named = await bridge(['--data', data, '--key-id', id], callOf(1))
  vi.stubEnv('EARMARK_KEY', undefined)
  const only = await bridge(['--data', data], callOf(1))
  expect([named, only].map(({ answers }) => payload(answers[0]))).toMatchObject([{ total: 0 }, { total: 0 }])
  await json(['keys', 'create', '--name', 'second', '--key-file', '--data', data])
  expect(await callError(data)).toMatch(/several stored keys.*--key-id/)
})

// The service lets 8 calls of a key run and 256 wait, so the bridge has to hold back the others.
test('300 calls at once are all answered', async () => {
  const calls = Array.from({ length: 300 }, (_, index) => callOf(index + 1, { limit: 1 }))
  const { answers, stderr } = await bridge(['--data', data], ...calls)
  expect(answers).toHaveLength(300)
  expect(answers.filter(({ result }) => result?.isError !== undefined)).toEqual([])
  expect(stderr).toBe('')
})

test.each([
  ['refused', formatKey(new Uint8Array(32)), /refused the key.*Profile, API Keys/],
  ['malformed', 'emk_nonsense', /EARMARK_KEY is not a complete key/]
])('a %s key is reported by the first call, not by the list of tools', async (_, wrong, words) => {
  vi.stubEnv('EARMARK_KEY', wrong)
  expect(await callError(data)).toMatch(words)
})

test('a missing key is reported by the first call, with the command that creates one', async () => {
  vi.stubEnv('EARMARK_KEY', undefined)
  const { data } = await serving()
  expect(await callError(data)).toMatch(/No stored API key\. Create one with .*keys create/)
})

test('a data folder that cannot be used is reported by the first call', async () => {
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')
  expect(await callError(file)).toMatch(/cannot create or write to the data folder/)
})

test('without a service, and with --no-start, each call fails and stderr has one line', async () => {
  const folder = tempFolder()
  putEmptyLibrary(folder)
  const { answers, stderr } = await bridge(
    ['--data', folder, '--no-start'],
    LIST,
    callOf(2),
    { method: 'notifications/x' },
    callOf(3)
  )
  const error = { isError: true, content: [{ text: expect.stringMatching(/Earmark is not running/) }] }
  expect(answers).toMatchObject([
    { id: 1, result: { tools: [{}, {}] } },
    ...[2, 3].map((id) => ({ id, result: error }))
  ])
  expect(stderr.match(/Earmark is not running/g)).toHaveLength(1)
  expect(existsSync(join(folder, 'service.json'))).toBe(false)
})

test('a running service lists only what a key may do that may only read', async () => {
  const { data, service } = await serving()
  vi.stubEnv('EARMARK_KEY', await makeKey(service, { readOnly: true }))
  const hello = { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } }
  const { answers } = await bridge(['--data', data], hello, { ...LIST, id: 2 })
  expect(answers[1].result.tools.map(({ name }: { name: string }) => name)).toEqual(['bookmarks.search'])
})

test('the client’s name is stored as the last client of the key', async () => {
  const { data, service } = await serving()
  vi.stubEnv('EARMARK_KEY', await makeKey(service))
  const clientInfo = { name: 'some-client', version: '1.0.0' }
  const hello = { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } }
  await bridge(['--data', data], hello, callOf(2))
  await expect.poll(() => keysIn(data)).toMatchObject([{ lastClient: 'some-client 1.0.0' }])
})

test('a line that is not JSON is answered as by the endpoint', async () => {
  const { stdout } = await earmark(['mcp-stdio', '--data', data], '{"jsonrpc"\n\n')
  expect(JSON.parse(stdout)).toMatchObject({ id: null, error: { code: -32700 } })
})

test('a batch is answered as a batch after a handshake for 2025-03-26', async () => {
  const initialize = { id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {} } }
  const batch = [callOf(2), { ...LIST, id: 3 }].map((message) => ({ jsonrpc: '2.0', ...message }))
  const input = `${JSON.stringify({ jsonrpc: '2.0', ...initialize })}\n${JSON.stringify(batch)}`
  const { stdout } = await earmark(['mcp-stdio', '--data', data], input)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [answer] = answers.filter((answer) => Array.isArray(answer))
  expect(answer).toMatchObject([
    { id: 2, result: {} },
    { id: 3, result: { tools: [{}, {}] } }
  ])
})

test('a message that is too large is answered with the limit', async () => {
  const { answers } = await bridge(['--data', data], callOf(8, { search: 'x'.repeat(1_048_576) }), LIST)
  expect(answers[1].result).toEqual({
    content: [{ type: 'text', text: 'A request has at most 1048576 bytes.' }],
    isError: true
  })
})

test('a message may have line separators that JSON allows', async () => {
  const { answers } = await bridge(['--data', data], callOf(7, { search: 'a\u2028b\u2029c' }))
  expect(answers).toMatchObject([{ id: 7, result: {} }])
})

// `tests/cli/service-client.test.ts` shows that such a program receives neither key nor token.
test('another program on the port of a killed service is reported', async () => {
  const stranger = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    stranger.closeAllConnections()
    stranger.close()
  })
  const folder = tempFolder()
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  writeFileSync(join(folder, 'service.json'), JSON.stringify({ url, token: 'secret', pid: process.pid }))
  expect(await callError(folder)).toMatch(/Another program answers/)
})
