/** What a careless or hostile neighbour on this machine can do to the running service and to its commands. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { program, runProgram, startProgram } from '../support/program.ts'
import { type Shared, startSharedProgram } from '../support/shared-program.ts'
import { tempFolder } from '../support/temp-folder.ts'

let shared: Shared

beforeAll(async () => {
  shared = await startSharedProgram()
})
afterAll(() => shared.remove())

async function endpoint(body: string, path = '/api/tools/mcp'): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': shared.key }
  const response = await fetch(shared.url + path, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

describe('the endpoint', () => {
  test.each(['1e400', '12345678901234567890'])('refuses the id %s, which it could not echo', async (id) => {
    expect((await endpoint(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).status).toBe(400)
  })

  test('never answers with more than 64 KiB', async () => {
    const call = (name: string, args: object) =>
      endpoint(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }))
    const tag = await call('bookmarks.search', { tags: ['x'.repeat(900_000)] })
    const urls = Array.from({ length: 120 }, () => `${'a'.repeat(8000)}:x`)
    const schemes = await call('bookmarks.insert', { urls })
    expect([tag.status, schemes.status]).toEqual([400, 400])
    expect(Math.max(tag.text.length, schemes.text.length)).toBeLessThan(65_536)
  })

  test('reads no more than 1 MiB by another spelling of its address either', async () => {
    expect((await endpoint('x'.repeat(2_000_000), '/api/tools/%6dcp')).status).toBe(413)
  })
})

describe('the API', () => {
  test.each(['/api/session', '/api/keys'])('answers JSON that is none with a clear 400: %s', async (path) => {
    const { token } = JSON.parse(readFileSync(join(shared.data, 'service.json'), 'utf8')) as { token: string }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(shared.url + path, { method: 'POST', headers, body: '{bad' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid' } })
  })

  test('takes no large body from a stranger', async () => {
    const body = JSON.stringify({ token: 'x'.repeat(2_000_000) })
    const headers = { 'content-type': 'application/json' }
    const sent = fetch(`${shared.url}/api/session`, { method: 'POST', headers, body })
    expect((await sent).status).toBe(413)
  })
})

describe('after the service was killed', () => {
  test('commands that run at the same time all work', async () => {
    const data = tempFolder()
    const running = await startProgram(data)
    await running.end('SIGKILL')
    const ended = await Promise.all(Array.from({ length: 4 }, () => runProgram(['keys', 'list', '--data', data])))
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']))
  })

  test('another program on its port is sent neither a key nor the command line’s token', async () => {
    const received: unknown[] = []
    const stranger = createServer((request, response) => {
      received.push(request.headers['x-api-key'], request.headers.authorization)
      response.end('{}')
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      stranger.closeAllConnections()
      stranger.close()
    })
    const data = tempFolder()
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    writeFileSync(join(data, 'service.json'), JSON.stringify({ url, token: 'secret', pid: process.pid }))
    const bridge = spawn(process.execPath, [program, 'mcp-stdio', '--data', data], {
      env: { ...process.env, EARMARK_KEY: shared.key }
    })
    const params = { name: 'bookmarks.search', arguments: {} }
    bridge.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
    const [line] = await once(bridge.stdout, 'data')
    expect(String(line)).toMatch(/Another program answers/)
    await once(bridge, 'close')
    expect(received.length).toBeGreaterThan(0)
    expect(received.filter((value) => value !== undefined)).toEqual([])
  })
})

test('a service that cannot leave its file ends with one clear line, and frees the library', async () => {
  const data = tempFolder()
  mkdirSync(join(data, 'service.json.new'))
  const { code, stderr } = await runProgram(['serve', '--port', '0', '--data', data])
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect((await runProgram(['keys', 'list', '--data', data])).code).toBe(0)
})

test('a message may hold line separators that JSON allows', async () => {
  const bridge = spawn(process.execPath, [program, 'mcp-stdio', '--data', shared.data], {
    env: { ...process.env, EARMARK_KEY: shared.key }
  })
  const params = { name: 'bookmarks.search', arguments: { search: 'a\u2028b\u2029c' } }
  bridge.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })}\n`)
  const [line] = await once(bridge.stdout, 'data')
  expect(JSON.parse(String(line))).toMatchObject({ id: 7, result: {} })
})

test('a key named by its id is used, whatever EARMARK_KEY holds', async () => {
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
  const bridge = spawn(process.execPath, [program, 'mcp-stdio', '--data', shared.data, '--key-id', id], {
    env: { ...process.env, EARMARK_KEY: 'emk_wrong' }
  })
  bridge.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  const [line] = await once(bridge.stdout, 'data')
  expect(JSON.parse(String(line))).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})
