import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serving, startCommand, startHost } from '../support/command-line.ts'
import { endProcess, launchEarmark, program } from '../support/earmark.ts'
import { type Connected, connectStdio, stdioClients } from '../support/mcp-clients.ts'
import { prepareLibrary } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const bridge = (data: string) => [program, 'mcp-stdio', '--data', data]

test.each(stdioClients)('$name lists before a service runs, saves, finds, and is told what was wrong', async (kind) => {
  const data = tempFolder()
  const { key } = await prepareLibrary(data)
  const client = await kind.connect(process.execPath, bridge(data), { EARMARK_KEY: key })
  expect(await names(client)).toEqual(['bookmarks.search', 'bookmarks.insert'])
  expect(existsSync(join(data, 'service.json'))).toBe(false)
  await serving(data)
  const url = 'https://a.example/stdio'
  expect(payload(await client.callTool({ name: 'bookmarks.insert', arguments: { urls: [url] } }))).toMatchObject({
    saved: 1
  })
  expect(payload(await client.callTool({ name: 'bookmarks.search', arguments: { search: 'stdio' } }))).toMatchObject({
    bookmarks: [{ url }]
  })
  expect(await client.callTool({ name: 'bookmarks.search', arguments: { page: 0 } })).toMatchObject({ isError: true })
  await expect(client.callTool({ name: 'bookmarks.drop', arguments: {} })).rejects.toThrow(/Unknown tool/)
  await client.close()
})

describe('with no service running', () => {
  /** A library with one key in a file, and what the bridge starts there is gone after the test. */
  async function sleepingLibrary(): Promise<{ data: string; pid: () => number }> {
    const data = tempFolder()
    await prepareLibrary(data)
    const pid = () => (JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { pid: number }).pid
    onTestFinished(async () => {
      if (existsSync(join(data, 'service.json'))) await endProcess(pid(), 'SIGTERM')
    })
    return { data, pid }
  }

  test('20 calls at once start one, and it may be killed between calls', async () => {
    const { data, pid } = await sleepingLibrary()
    const client = await connectStdio(process.execPath, bridge(data), {})
    const insert = (n: number) =>
      client.callTool({ name: 'bookmarks.insert', arguments: { urls: `https://a.example/${n}` } })
    const saved = await Promise.all(Array.from({ length: 20 }, (_, n) => insert(n)))
    expect(saved.map(payload)).toEqual(Array(20).fill(expect.objectContaining({ saved: 1 })))
    const first = pid()
    await endProcess(first, 'SIGKILL')
    expect(payload(await client.callTool({ name: 'bookmarks.search', arguments: {} }))).toMatchObject({ total: 20 })
    expect(pid()).not.toBe(first)
    await client.close()
  })

  test('it is started where the one before was killed and another process has its number', async () => {
    const { data, pid } = await sleepingLibrary()
    const file = join(data, 'service.json')
    const other = spawn('sleep', ['1000'])
    onTestFinished(() => void other.kill())
    // One that called before, and one that calls for the first time.
    const [first, second] = [callsIn(data), callsIn(data)]
    expect(await first()).toMatchObject({ total: 0 })
    for (const call of [first, second]) {
      const left = JSON.parse(readFileSync(file, 'utf8')) as object
      await endProcess(pid(), 'SIGKILL')
      writeFileSync(file, JSON.stringify({ ...left, pid: other.pid }))
      expect(await call()).toMatchObject({ total: 0 })
      expect(pid()).not.toBe(other.pid)
    }
  })

  test('one that cannot be started is said with its reason, to editors and to browsers, which goes on', async () => {
    const data = tempFolder()
    writeFileSync(join(data, 'library.sqlite'), 'this is no library at all')
    const host = startHost(data)
    const asked = host.ask('search', { words: 'a' })
    await expect(callsIn(data)()).rejects.toThrow(/could not be started\. .*library/)
    expect(await asked).toMatchObject({
      error: { code: 'service-unreachable', message: expect.stringMatching(/could not be started\. .*library/) }
    })
    expect(await host.ask('nonsense', {})).toMatchObject({ error: { code: 'invalid' } })
    expect((await host.end()).code).toBe(0)
  })

  /** A bridge in this process, and what a call of it finds. */
  function callsIn(data: string): () => Promise<unknown> {
    const { stdin, stdout, ended } = startCommand(['mcp-stdio', '--data', data])
    onTestFinished(async () => {
      stdin.end()
      await ended
    })
    const lines = createInterface(stdout)[Symbol.asyncIterator]()
    return async () => {
      const params = { name: 'bookmarks.search', arguments: {} }
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
      const { result } = JSON.parse(String((await lines.next()).value))
      if (result.isError) throw new Error(result.content[0].text)
      return payload(result)
    }
  }
})

test('it answers what is no JSON as the endpoint does, says on stderr what is wrong, and ends with its input', async () => {
  const args = ['mcp-stdio', '--no-start', '--data', tempFolder()]
  const { child, ended } = launchEarmark(args, { env: { ...process.env, EARMARK_KEY: '' }, input: true })
  child.stdin.end('{"jsonrpc"\n\n{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bookmarks.search"}}')
  const { code, stdout, stderr } = await ended
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Earmark is not running.*\n$/)])
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: 1, result: { isError: true } }
  ])
})

async function names(client: Connected): Promise<string[]> {
  return (await client.listTools()).tools.map((tool) => tool.name)
}

function payload(answer: unknown): unknown {
  return JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? '')
}
