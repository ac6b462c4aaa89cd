import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatKey } from '../../src-main/core/key-format.ts'
import { type Connected, connectStdio } from '../support/mcp-clients.ts'
import { program, runProgram } from '../support/program.ts'
import { createKey, type Shared, startSharedProgram } from '../support/shared-program.ts'
import { tempFolder } from '../support/temp-folder.ts'

let shared: Shared

beforeAll(async () => {
  shared = await startSharedProgram()
})
afterAll(() => shared.remove())

const bridge = (data: string, ...options: string[]) => [program, 'mcp-stdio', '--data', data, ...options]

describe.each([undefined, 'auto', { pin: '2026-07-28' }] as const)('SDK v2 over stdio, mode %j', (mode) => {
  test('lists, saves, finds, and is told what was wrong', async () => {
    const client = await connectStdio(process.execPath, bridge(shared.data), { EARMARK_KEY: shared.key }, mode)
    expect(await names(client)).toEqual(['bookmarks.search', 'bookmarks.insert'])
    const word = `stdio${JSON.stringify(mode ?? 'plain').replace(/\W/g, '')}`
    const urls = [`https://a.example/${word}`]
    expect(payload(await client.callTool({ name: 'bookmarks.insert', arguments: { urls } }))).toMatchObject({
      saved: 1
    })
    expect(payload(await client.callTool({ name: 'bookmarks.search', arguments: { search: word } }))).toMatchObject({
      bookmarks: [{ url: urls[0] }]
    })
    expect(await client.callTool({ name: 'bookmarks.search', arguments: { page: 0 } })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'bookmarks.drop', arguments: {} })).rejects.toThrow(/Unknown tool/)
    await client.close()
  })
})

test('names have no dot where the host asks for that', async () => {
  const args = bridge(shared.data, '--names', 'underscore')
  const client = await connectStdio(process.execPath, args, { EARMARK_KEY: shared.key })
  expect(await names(client)).toEqual(['bookmarks_search', 'bookmarks_insert'])
  await client.close()
})

test('a key that is kept in a file is found by its id, or by being the only one that is kept', async () => {
  const { stdout } = await runProgram([
    'keys',
    'create',
    '--name',
    'kept',
    '--key-file',
    '--json',
    '--data',
    shared.data
  ])
  const { id } = JSON.parse(stdout) as { id: string }
  for (const options of [[], ['--key-id', id]]) {
    const client = await connectStdio(process.execPath, bridge(shared.data, ...options), {})
    expect(await names(client)).toHaveLength(2)
    await client.close()
  }
  await createKey(shared.data, 'second', ['--key-file'])
  await expect(connectStdio(process.execPath, bridge(shared.data), {})).rejects.toThrow(/several stored keys.*--key-id/)
})

test('a refused key is said to be refused', async () => {
  const env = { EARMARK_KEY: formatKey(new Uint8Array(32)) }
  await expect(connectStdio(process.execPath, bridge(shared.data), env)).rejects.toThrow(/refused the key/)
})

test('without a running service it says so, to the host and on stderr, and ends when its input ends', async () => {
  const child = spawn(process.execPath, bridge(tempFolder()), { env: { ...process.env, EARMARK_KEY: shared.key } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n{"jsonrpc":"2.0","method":"notifications/x"}\n')
  await once(child, 'close')
  expect(JSON.parse(stdout)).toMatchObject({
    id: 1,
    error: { message: expect.stringMatching(/Earmark is not running/) }
  })
  expect(stderr.match(/Earmark is not running/g)).toHaveLength(1)
})

test('what is no JSON is answered as the endpoint answers it', async () => {
  const child = spawn(process.execPath, bridge(shared.data), { env: { ...process.env, EARMARK_KEY: shared.key } })
  child.stdin.end('{"jsonrpc"\n\n')
  const [chunk] = await once(child.stdout, 'data')
  expect(JSON.parse(String(chunk))).toMatchObject({ id: null, error: { code: -32700 } })
})

async function names(client: Connected): Promise<string[]> {
  return (await client.listTools()).tools.map((tool) => tool.name)
}

function payload(answer: unknown): unknown {
  return JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? '')
}
