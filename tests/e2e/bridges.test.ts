/** Programs that editors and browsers start: the built `mcp-stdio`, `native-host`, and what `connect` writes for them. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encodeFrame } from '../../src-main/cli/commands/bridges.ts'
import { NODE_FLAGS } from '../../src-main/host/own-program.ts'
import { connectCommand, EDITORS } from '../../src-renderer/features/keys/editors.ts'
import { json, OURS, serving, speakWith, startCommand, startHost } from '../support/command-line.ts'
import { endProcess, launchEarmark, program, runCommand, withoutKeychain } from '../support/earmark.ts'
import { connectStdio, stdioClients } from '../support/mcp-clients.ts'
import { prepareLibrary } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const bridgeArgs = (data: string) => [program, 'mcp-stdio', '--data', data]

function payload(answer: unknown): unknown {
  return JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? '')
}

/** A library without a service, with a key in a file. A service that a bridge starts there ends with the test. */
async function sleepingLibrary() {
  const data = tempFolder()
  const { id, key } = await prepareLibrary(data)
  const file = join(data, 'service.json')
  const pid = () => (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid
  onTestFinished(async () => {
    if (existsSync(file)) await endProcess(pid(), 'SIGTERM')
  })
  return { data, id, key, file, pid }
}

/** The built host, as a browser starts it. */
function launchHost(data: string) {
  const { child, ended } = launchEarmark(['native-host', '--data', data, OURS], { env: withoutKeychain, input: true })
  return { child, ...speakWith({ stdin: child.stdin, stdout: child.stdout, ended }) }
}

/** A bridge in this process. Each call searches and returns the answer. */
function bridgeIn(data: string): () => Promise<unknown> {
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

test.each(stdioClients)('$name lists tools before a service runs, then saves, finds and gets errors', async (kind) => {
  const { data, key, file } = await sleepingLibrary()
  const client = await kind.connect(process.execPath, bridgeArgs(data), { EARMARK_KEY: key })
  const callTool = (name: string, args: object) => client.callTool({ name, arguments: { ...args } })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['bookmarks.search', 'bookmarks.insert'])
  expect(existsSync(file)).toBe(false)
  await serving(data)
  const url = 'https://a.example/stdio'
  expect(payload(await callTool('bookmarks.insert', { urls: [url] }))).toMatchObject({ saved: 1 })
  expect(payload(await callTool('bookmarks.search', { search: 'stdio' }))).toMatchObject({ bookmarks: [{ url }] })
  expect(await callTool('bookmarks.search', { page: 0 })).toMatchObject({ isError: true })
  await expect(callTool('bookmarks.drop', {})).rejects.toThrow(/Unknown tool/)
  await client.close()
})

describe('with no service running', () => {
  test('20 calls of an editor at once start one service, and a killed service is started again', async () => {
    const { data, pid } = await sleepingLibrary()
    const client = await connectStdio(process.execPath, bridgeArgs(data), {})
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

  test('calls of a browser start one service, which outlives the browser and is started again if killed', async () => {
    const { data, pid } = await sleepingLibrary()
    const host = launchHost(data)
    const save = (n: number) =>
      host.ask('save', { type: 'link', url: `https://a.example/${n}`, title: 'By the host', tags: ['hosted'] })
    expect(await Promise.all([1, 2, 3].map(save))).toMatchObject(Array(3).fill({ answer: { status: 'saved' } }))
    const first = pid()
    expect(readFileSync(`/proc/${first}/cmdline`, 'utf8').split('\0')).toEqual(expect.arrayContaining(NODE_FLAGS))
    await endProcess(first, 'SIGKILL')
    expect(await host.ask('search', { words: 'host' })).toMatchObject({ answer: { bookmarks: [{}, {}, {}] } })
    expect(pid()).not.toBe(first)
    await host.end()
    expect(() => process.kill(pid(), 0)).not.toThrow()
  })

  test('a service is started if another process has the number of the killed one', async () => {
    const { data, file, pid } = await sleepingLibrary()
    const other = spawn('sleep', ['1000'])
    onTestFinished(() => void other.kill())
    const [called, uncalled] = [bridgeIn(data), bridgeIn(data)]
    expect(await called()).toMatchObject({ total: 0 })
    for (const search of [called, uncalled]) {
      const left = JSON.parse(readFileSync(file, 'utf8')) as object
      await endProcess(pid(), 'SIGKILL')
      writeFileSync(file, JSON.stringify({ ...left, pid: other.pid }))
      expect(await search()).toMatchObject({ total: 0 })
      expect(pid()).not.toBe(other.pid)
    }
  })

  test('editors and browsers get the reason if the service cannot start, and the host keeps answering', async () => {
    const data = tempFolder()
    writeFileSync(join(data, 'library.sqlite'), 'this is no library at all')
    const host = startHost(data)
    const answer = host.ask('search', { words: 'a' })
    const reason = /could not be started\. .*library/
    await expect(bridgeIn(data)()).rejects.toThrow(reason)
    expect(await answer).toMatchObject({
      error: { code: 'service-unreachable', message: expect.stringMatching(reason) }
    })
    expect(await host.ask('nonsense', {})).toMatchObject({ error: { code: 'invalid' } })
    expect((await host.end()).code).toBe(0)
  })
})

test('requests that a browser sent before it ended are carried out', async () => {
  const { data } = await serving()
  const host = launchHost(data)
  host.child.stdout.destroy()
  for (let id = 0; id < 5; id++) host.write(encodeFrame({ id, ask: 'tags', page: {} }))
  host.write(
    encodeFrame({ id: 6, ask: 'save', page: { type: 'link', url: 'https://a.example/last', title: '', tags: [] } })
  )
  expect((await host.end()).code).toBe(0)
  expect(await json(['search', '--domain', 'a.example', '--data', data])).toMatchObject({
    bookmarks: [{ url: 'https://a.example/last' }]
  })
})

describe('connect', () => {
  /** The command line of a person with an empty home. */
  async function person() {
    const { data, id } = await sleepingLibrary()
    const env = { ...process.env, HOME: tempFolder(), XDG_CONFIG_HOME: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' }
    const run = (...args: string[]) => runCommand([...args, '--data', data], env)
    const read = (file: string) => readFileSync(join(env.HOME, file), 'utf8')
    return { data, id, env, run, read }
  }

  test('writes a command that starts, searches and saves, with no service running', async () => {
    const { run, read } = await person()
    expect(await run('connect', 'cursor', '--key-file')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Changed .*mcp\.json, with the new key Cursor .*\n\+ \{/)
    })
    const { command, args } = JSON.parse(read('.cursor/mcp.json')).mcpServers.earmark
    expect([command, args[0]]).toEqual([process.execPath, program])
    const client = await connectStdio(command, args, {})
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['bookmarks_search', 'bookmarks_insert'])
    const saved = await client.callTool({ name: 'bookmarks_insert', arguments: { urls: 'https://a.example/' } })
    expect(payload(saved)).toMatchObject({ saved: 1 })
    await client.close()
  })

  test('runs in the form that the dashboard shows', async () => {
    const { data, id, env, read } = await person()
    const editor = EDITORS.find(({ id }) => id === 'zed')
    if (!editor) throw new Error('the dashboard has no Zed')
    const run = { command: process.execPath, args: [program] }
    const connection = {
      url: '',
      key: '',
      keyId: id,
      kept: true,
      program: run,
      ownFolder: data,
      system: 'linux'
    } as const
    const { stdout } = await promisify(execFile)('sh', ['-c', connectCommand(editor, connection)], { env })
    expect(stdout).toContain(`with the key editor (${id})`)
    expect(read('.config/zed/settings.json')).toContain(id)
  })

  test('registers a launcher that answers the browser', async () => {
    const { run, read } = await person()
    await run('connect', 'chromium')
    const manifest = read('.config/chromium/NativeMessagingHosts/app.earmark.host.json')
    const { path, allowed_origins } = JSON.parse(manifest)
    const host = spawn(path, [allowed_origins[0]])
    onTestFinished(() => void host.kill('SIGKILL'))
    host.stdin.end(encodeFrame({ id: 1, ask: 'none', page: {} }))
    const [answer] = await once(host.stdout, 'data')
    expect(String(answer)).toContain('"error"')
  })
})
