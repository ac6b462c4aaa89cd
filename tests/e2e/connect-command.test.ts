import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test.each([
  [['connect', 'emacs'], 1, /There is no editor emacs\. Known: vscode/],
  [['connect', 'codex', '--undo'], 1, /Codex is not connected/],
  [['connect', 'codex', '--key-id', 'x'], 1, /no living key with the id x/],
  [['connect', 'codex', '--key-id', 'x', '--new-key'], 2, /not both/]
])('%j is told what is wrong', async (args, code, message) => {
  const { run } = await person()
  expect(await run(...args)).toMatchObject({ code, stderr: expect.stringMatching(message) })
})
