import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { frameOf } from '../../src-main/serve/bridge/frames.ts'
import { connectCommand, EDITORS } from '../../src-renderer/features/keys/editors.ts'
import { connectStdio } from '../support/mcp-clients.ts'
import { program, runProgram } from '../support/program.ts'
import { prepareLibrary } from '../support/sleeping-library.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** A command line of somebody with an empty home. */
async function person() {
  const data = tempFolder()
  await prepareLibrary(data)
  const env = { ...process.env, HOME: tempFolder(), XDG_CONFIG_HOME: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' }
  const run = (...args: string[]) => runProgram([...args, '--data', data], env)
  return { data, home: env.HOME, run }
}

test('what connect writes starts, searches and saves, with no service running', async () => {
  const { data, home, run } = await person()
  onTestFinished(() => {
    if (existsSync(join(data, 'service.json'))) {
      process.kill(JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')).pid, 'SIGKILL')
    }
  })
  expect(await run('connect', 'cursor', '--key-file')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Changed .*mcp\.json, with the new key Cursor .*\n\+ \{/)
  })
  const { command, args } = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers.earmark
  expect([command, args[0]]).toEqual([process.execPath, program])
  const client = await connectStdio(command, args, {})
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['bookmarks_search', 'bookmarks_insert'])
  const saved = await client.callTool({ name: 'bookmarks_insert', arguments: { urls: 'https://a.example/' } })
  expect(JSON.stringify(saved)).toContain('\\"saved\\":1')
  await client.close()
})

test('what the dashboard says to run in a terminal is run there', async () => {
  const { data, home, run } = await person()
  const { id } = JSON.parse((await run('keys', 'create', '--name', 'Zed', '--key-file', '--json')).stdout)
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
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
  expect(stdout).toContain(`with the key Zed (${id})`)
  expect(readFileSync(join(home, '.config/zed/settings.json'), 'utf8')).toContain(id)
})

test('a dry run changes nothing, undo puts back, and the list says how it stands', async () => {
  const { home, run } = await person()
  const file = join(home, '.codex/config.toml')
  expect((await run('connect', 'codex', '--dry-run')).stdout).toContain(`Would change ${file}`)
  expect(existsSync(file)).toBe(false)
  await run('connect', 'codex', '--key-file')
  expect((await run('connect')).stdout).toMatch(/^codex +connected /m)
  expect((await run('connect', 'codex', '--undo')).stdout).toContain(`Put back ${file}`)
  expect(existsSync(file)).toBe(false)
})

test('a browser is told of a launcher that speaks, listed as connected, and forgets it', async () => {
  const { data, home, run } = await person()
  const file = join(home, '.config/chromium/NativeMessagingHosts/app.earmark.host.json')
  expect((await run('connect', 'chromium', '--dry-run')).stdout).toContain(`Would write ${file}`)
  expect(existsSync(file)).toBe(false)
  expect((await run('connect', 'chromium')).stdout).toContain(`Wrote ${file}. Earmark’s extension in Chromium`)
  expect((await run('connect')).stdout).toMatch(/^chromium +connected +Chromium$/m)
  const { path, allowed_origins } = JSON.parse(readFileSync(file, 'utf8'))
  expect(path.startsWith(data)).toBe(true)
  const host = spawn(path, [allowed_origins[0]])
  onTestFinished(() => void host.kill('SIGKILL'))
  host.stdin.end(frameOf({ id: 1, ask: 'none', page: {} }))
  const [answer] = await once(host.stdout, 'data')
  expect(String(answer)).toContain('"error"')
  expect((await run('connect', 'chromium', '--undo')).stdout).toContain(`Removed ${file}.`)
  expect(existsSync(file)).toBe(false)
})

test.each([
  [['connect', 'chromium', '--undo'], 1, /Chromium is not connected/],
  [['connect', 'chromium', '--key-file'], 2, /a browser needs no key/],
  [['connect', 'emacs'], 1, /There is no editor emacs\. Known: vscode/],
  [['connect', 'codex', '--undo'], 1, /Codex is not connected/],
  [['connect', 'codex', '--key-id', 'x'], 1, /no living key with the id x/],
  [['connect', 'codex', '--key-id', 'x', '--new-key'], 2, /not both/]
])('%j is told what is wrong', async (args, code, message) => {
  const { run } = await person()
  expect(await run(...args)).toMatchObject({ code, stderr: expect.stringMatching(message) })
})
