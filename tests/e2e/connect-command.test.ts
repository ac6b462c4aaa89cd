import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { frameOf } from '../../src-main/serve/bridge/speak-frames.ts'
import { connectCommand, EDITORS } from '../../src-renderer/features/keys/editors.ts'
import { program, runCommand } from '../support/earmark.ts'
import { connectStdio } from '../support/mcp-clients.ts'
import { prepareLibrary } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A command line of somebody with an empty home. */
async function person() {
  const data = tempFolder()
  const { id } = await prepareLibrary(data)
  const env = { ...process.env, HOME: tempFolder(), XDG_CONFIG_HOME: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' }
  const run = (...args: string[]) => runCommand([...args, '--data', data], env)
  return { data, id, env, run }
}

test('what connect writes starts, searches and saves, with no service running', async () => {
  const { data, env, run } = await person()
  onTestFinished(() => {
    if (existsSync(join(data, 'service.json'))) {
      process.kill(JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')).pid, 'SIGKILL')
    }
  })
  expect(await run('connect', 'cursor', '--key-file')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Changed .*mcp\.json, with the new key Cursor .*\n\+ \{/)
  })
  const { command, args } = JSON.parse(readFileSync(join(env.HOME, '.cursor/mcp.json'), 'utf8')).mcpServers.earmark
  expect([command, args[0]]).toEqual([process.execPath, program])
  const client = await connectStdio(command, args, {})
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['bookmarks_search', 'bookmarks_insert'])
  const saved = await client.callTool({ name: 'bookmarks_insert', arguments: { urls: 'https://a.example/' } })
  expect(JSON.stringify(saved)).toContain('\\"saved\\":1')
  await client.close()
})

test('what the dashboard says to run in a terminal is run there', async () => {
  const { data, id, env } = await person()
  const editor = EDITORS.find((one) => one.id === 'zed')
  if (!editor) throw new Error('the dashboard does not know Zed')
  const command = connectCommand(editor, {
    url: '',
    key: '',
    keyId: id,
    kept: true,
    program: { command: process.execPath, args: [program] },
    ownFolder: data,
    system: 'linux'
  })
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
  expect(stdout).toContain(`with the key editor (${id})`)
  expect(readFileSync(join(env.HOME, '.config/zed/settings.json'), 'utf8')).toContain(id)
})

test('a browser is told of a launcher that speaks', async () => {
  const { env, run } = await person()
  await run('connect', 'chromium')
  const file = join(env.HOME, '.config/chromium/NativeMessagingHosts/app.earmark.host.json')
  const { path, allowed_origins } = JSON.parse(readFileSync(file, 'utf8'))
  const host = spawn(path, [allowed_origins[0]])
  onTestFinished(() => void host.kill('SIGKILL'))
  host.stdin.end(frameOf({ id: 1, ask: 'none', page: {} }))
  const [answer] = await once(host.stdout, 'data')
  expect(String(answer)).toContain('"error"')
})
