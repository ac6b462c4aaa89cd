import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { formatKey } from '../../src-main/core/key-format.ts'
import { type Connected, connectStdio, stdioClients } from '../support/mcp-clients.ts'
import { program, runProgram, startProgram } from '../support/program.ts'
import { createKey, type Shared, startSharedProgram } from '../support/shared-program.ts'
import { prepareLibrary } from '../support/sleeping-library.ts'
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
  expect(await told(bridge(shared.data), {})).toMatch(/several stored keys.*--key-id/)
})

test.each([
  ['refused', formatKey(new Uint8Array(32)), /refused the key.*Profile, API Keys/],
  ['malformed', 'emk_nonsense', /EARMARK_KEY holds no whole key/]
])('a %s key is said to be so when a call needs it, and not before', async (_, key, words) => {
  expect(await told(bridge(shared.data), { EARMARK_KEY: key })).toMatch(words)
})

test('no key at all is said when a call needs it, with the command that makes one', async () => {
  const data = tempFolder()
  await startProgram(data)
  expect(await told(bridge(data), {})).toMatch(/No stored API key\. Make one with .*keys create/)
})

test('a data folder that cannot be used is said when a call needs it', async () => {
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')
  expect(await told(bridge(file), {})).toMatch(/data folder .* cannot be made or written/)
})

test('a service that cannot be started is said with its reason', async () => {
  const data = tempFolder()
  writeFileSync(join(data, 'library.sqlite'), 'this is no library at all')
  expect(await told(bridge(data), { EARMARK_KEY: shared.key })).toMatch(/could not be started\. .*library/)
})

describe('with no service running', () => {
  /** A library with one key in a file, and what the bridge starts there is gone after the test. */
  async function sleepingLibrary(): Promise<{ data: string; pid: () => number }> {
    const data = tempFolder()
    await prepareLibrary(data)
    const pid = () => (JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { pid: number }).pid
    onTestFinished(async () => {
      if (existsSync(join(data, 'service.json'))) await kill(pid(), 'SIGTERM')
    })
    return { data, pid }
  }

  test.each(stdioClients)('$name lists, then starts it by calling', async ({ connect }) => {
    const { data } = await sleepingLibrary()
    const client = await connect(process.execPath, bridge(data), {})
    expect(await names(client)).toEqual(['bookmarks.search', 'bookmarks.insert'])
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    expect(payload(await client.callTool({ name: 'bookmarks.search', arguments: {} }))).toMatchObject({ total: 0 })
    await client.close()
  })

  test('20 calls at once start one, and it may be killed between calls', async () => {
    const { data, pid } = await sleepingLibrary()
    const client = await connectStdio(process.execPath, bridge(data), {})
    const insert = (n: number) =>
      client.callTool({ name: 'bookmarks.insert', arguments: { urls: `https://a.example/${n}` } })
    const saved = await Promise.all(Array.from({ length: 20 }, (_, n) => insert(n)))
    expect(saved.map(payload)).toEqual(Array(20).fill(expect.objectContaining({ saved: 1 })))
    const first = pid()
    await kill(first, 'SIGKILL')
    expect(payload(await client.callTool({ name: 'bookmarks.search', arguments: {} }))).toMatchObject({ total: 20 })
    expect(pid()).not.toBe(first)
    await client.close()
  })

  test('it is started where the one before was killed and another process has its number', async () => {
    const { data, pid } = await sleepingLibrary()
    const file = join(data, 'service.json')
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
    onTestFinished(() => void other.kill())
    const first = await connectStdio(process.execPath, bridge(data), {})
    await first.callTool({ name: 'bookmarks.search', arguments: {} })
    const second = await connectStdio(process.execPath, bridge(data), {})
    for (const client of [first, second]) {
      const left = JSON.parse(readFileSync(file, 'utf8')) as object
      await kill(pid(), 'SIGKILL')
      writeFileSync(file, JSON.stringify({ ...left, pid: other.pid }))
      expect(payload(await client.callTool({ name: 'bookmarks.search', arguments: {} }))).toMatchObject({ total: 0 })
      expect(pid()).not.toBe(other.pid)
      await client.close()
    }
  })

  test('the client’s name is in its key’s ledger', async () => {
    const { data } = await sleepingLibrary()
    const client = await connectStdio(process.execPath, bridge(data), {})
    await client.callTool({ name: 'bookmarks.insert', arguments: { urls: 'https://a.example/' } })
    const lastClient = async () => {
      const { stdout } = await runProgram(['keys', 'list', '--json', '--data', data])
      return JSON.parse(stdout).keys[0].lastClient
    }
    await expect.poll(lastClient, PATIENCE).toBe('earmark-tests 1.0.0')
    await client.close()
  })

  test('it is not started where that is not wanted', async () => {
    const { data } = await sleepingLibrary()
    expect(await told(bridge(data, '--no-start'), {})).toMatch(/Earmark is not running/)
    expect(existsSync(join(data, 'service.json'))).toBe(false)
  })
})

test('it says on stderr once what is wrong, and ends when its input ends', async () => {
  const child = spawn(process.execPath, bridge(tempFolder(), '--no-start'), {
    env: { ...process.env, EARMARK_KEY: shared.key }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const call = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } })
  child.stdin.end(`${call(1)}\n{"jsonrpc":"2.0","method":"notifications/x"}\n${call(2)}`)
  await once(child, 'close')
  const answers = stdout.trim().split('\n')
  expect(answers.map((line) => JSON.parse(line))).toMatchObject(
    [1, 2].map((id) => ({
      id,
      result: { isError: true, content: [{ text: expect.stringMatching(/Earmark is not running/) }] }
    }))
  )
  expect(stderr.match(/Earmark is not running/g)).toHaveLength(1)
})

test('what is no JSON is answered as the endpoint answers it', async () => {
  const child = spawn(process.execPath, bridge(shared.data), { env: { ...process.env, EARMARK_KEY: shared.key } })
  child.stdin.end('{"jsonrpc"\n\n')
  const [chunk] = await once(child.stdout, 'data')
  expect(JSON.parse(String(chunk))).toMatchObject({ id: null, error: { code: -32700 } })
})

/** What a call is told that cannot be carried. The client has listed the tools by then. */
async function told(args: string[], env: Record<string, string>): Promise<string> {
  const client = await connectStdio(process.execPath, args, env)
  expect(await names(client)).toHaveLength(2)
  const answer = (await client.callTool({ name: 'bookmarks.search', arguments: {} })) as {
    isError: boolean
    content: { text: string }[]
  }
  await client.close()
  expect(answer.isError).toBe(true)
  return answer.content[0]?.text ?? ''
}

const PATIENCE = { timeout: 15_000 }

/** Ends a process and waits until it is gone. */
async function kill(pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal)
  await expect.poll(() => isThere(pid), PATIENCE).toBe(false)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function names(client: Connected): Promise<string[]> {
  return (await client.listTools()).tools.map((tool) => tool.name)
}

function payload(answer: unknown): unknown {
  return JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? '')
}
