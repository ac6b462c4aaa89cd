import { describe, expect, test } from 'vitest'
import { connectCommand, EDITORS, editorAddress } from '../../../../src-renderer/features/keys/editors.ts'
import type { System } from '../../../../src-renderer/features/keys/systems.ts'

const URL = editorAddress('http://127.0.0.1:20727/api/tools/mcp')
const KEY = `emk_${'k'.repeat(49)}`
const PROGRAM = { command: '/usr/bin/node', args: ['/earmark/out/main/earmark.js'] }
const CONNECTION = {
  url: URL,
  key: KEY,
  keyId: 'key-1',
  kept: false,
  program: PROGRAM,
  ownFolder: null as string | null,
  system: 'linux' as System
}

/** The texts to paste into an editor. */
function textsOf(id: string, connection = CONNECTION): string[] {
  return editor(id)
    .steps(connection)
    .map(({ text }) => text)
}

function editor(id: string) {
  const found = EDITORS.find((one) => one.id === id)
  if (!found) throw new Error(`there is no editor ${id}`)
  return found
}

/** The one text of an editor that is JSON. */
function jsonOf(id: string, connection = CONNECTION): unknown {
  return JSON.parse(textsOf(id, connection).find((text) => text.startsWith('{')) ?? '')
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
const ASKED = { 'x-api-key': '${input:earmark-key}' }
const INPUTS = [{ type: 'promptString', id: 'earmark-key', description: 'Earmark API key', password: true }]
const VS_CODE = { name: 'earmark', type: 'http', url: URL, headers: ASKED, inputs: INPUTS }

test('no command and no link holds the key: other users of the computer see what a program is told', () => {
  for (const system of ['macos', 'linux', 'powershell', 'cmd'] as const) {
    for (const kept of [true, false]) {
      for (const { steps, install } of EDITORS) {
        const connection = { ...CONNECTION, system, kept }
        // What a shell does itself starts no program. `setx` is of Windows, which shows nobody else's programs.
        const commands = steps(connection).filter(({ text }) => /^(code|claude|gemini|qwen|&) /.test(text))
        for (const { text } of commands) expect(text).not.toContain(KEY)
        const link = decodeURIComponent(install?.(connection) ?? '')
        expect(link + atob(link.split('&config=')[1] ?? '')).not.toContain(KEY)
      }
    }
  }
})

test('VS Code asks for the key, however the server came to it', () => {
  const server = VS_CODE
  expect(textsOf('vscode')[0]).toBe(`code --add-mcp '${JSON.stringify(server)}'`)
  expect(jsonOf('vscode')).toEqual({
    inputs: INPUTS,
    servers: { earmark: { type: 'http', url: URL, headers: ASKED } }
  })
  const [scheme, query = ''] = (editor('vscode').install?.(CONNECTION) ?? '').split('?')
  expect(scheme).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(query))).toEqual(server)
})

test('Cursor gets a server without the key in its file and its link', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
  const server = { url: URL, headers: { 'x-api-key': '${env:EARMARK_KEY}' } }
  expect(jsonOf('cursor')).toEqual({ mcpServers: { earmark: server } })
  const link = editor('cursor').install?.(CONNECTION) ?? ''
  expect(link).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=earmark&config=/)
  const configOf = (address: string) => JSON.parse(atob(decodeURIComponent(address.split('config=')[1] ?? '')))
  expect(configOf(link)).toEqual(server)
  expect(configOf(editor('cursor').install?.({ ...CONNECTION, kept: true }) ?? '')).toEqual({
    command: PROGRAM.command,
    args: [...PROGRAM.args, 'mcp-stdio', '--key-id', 'key-1', '--names', 'underscore']
  })
})

test('commands of the terminal carry the address, and the name of the variable with the key', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the hosts fill it in
  const header = "'x-api-key: ${EARMARK_KEY}'"
  const claude = `claude mcp add --transport http --scope user earmark '${URL}' --header ${header}`
  expect(textsOf('claude-code')[0]).toBe(claude)
  for (const id of ['qwen', 'gemini']) {
    const command = `${id} mcp add -s user -t http earmark '${URL}' -H ${header}`
    expect(textsOf(id)).toEqual([command, `export EARMARK_KEY=${KEY}`])
  }
})

describe('the environment', () => {
  const on = (system: System) => ({ ...CONNECTION, system })

  test('of an editor opened from the desktop is set where the desktop has it, and for a shell', () => {
    expect(textsOf('cursor', on('macos')).slice(0, 2)).toEqual([
      `launchctl setenv EARMARK_KEY ${KEY}`,
      `export EARMARK_KEY=${KEY}`
    ])
    expect(textsOf('windsurf', on('linux')).slice(0, 2)).toEqual([`EARMARK_KEY=${KEY}`, `export EARMARK_KEY=${KEY}`])
    expect(editor('windsurf').steps(on('linux'))[0]?.say).toContain('~/.config/environment.d/earmark.conf')
  })

  test('on Windows is set for good in both shells, and nothing is exported', () => {
    for (const system of ['powershell', 'cmd'] as const) {
      for (const id of ['cursor', 'windsurf', 'claude-code', 'codex', 'opencode']) {
        const texts = textsOf(id, on(system))
        expect(texts, id).toContain(`setx EARMARK_KEY "${KEY}"`)
        expect(texts.join(), id).not.toMatch(/export|launchctl/)
      }
    }
  })

  test('of a command-line program is that of its shell', () => {
    expect(textsOf('opencode', on('macos'))[0]).toBe(`export EARMARK_KEY=${KEY}`)
  })
})

test('JSON in a command is quoted as its shell wants it', () => {
  const json = JSON.stringify(VS_CODE)
  const escaped = json.replaceAll('"', '\\"')
  expect(textsOf('vscode', { ...CONNECTION, system: 'macos' })[0]).toBe(`code --add-mcp '${json}'`)
  expect(textsOf('vscode', { ...CONNECTION, system: 'powershell' })[0]).toBe(`code --add-mcp '${escaped}'`)
  expect(textsOf('vscode', { ...CONNECTION, system: 'cmd' })[0]).toBe(`code --add-mcp "${escaped}"`)
})

test('files are named as the system names them', () => {
  const says = (system: System) =>
    editor('cursor')
      .steps({ ...CONNECTION, system })
      .map(({ say }) => say)
  expect(says('linux')).toContain('Put into ~/.cursor/mcp.json')
  expect(says('cmd')).toContain('Put into %USERPROFILE%\\.cursor\\mcp.json')
})

describe('the file of', () => {
  test.for([
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the editors fill these in
    [
      'claude-code',
      { mcpServers: { earmark: { type: 'http', url: URL, headers: { 'x-api-key': '${EARMARK_KEY}' } } } }
    ],
    ['windsurf', { mcpServers: { earmark: { serverUrl: URL, headers: { 'x-api-key': '${env:EARMARK_KEY}' } } } }],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the editors fill these in
    ['zed', { context_servers: { earmark: { url: URL, headers: { 'x-api-key': KEY } } } }],
    ['cline', { mcpServers: { earmark: { type: 'streamableHttp', url: URL, headers: { 'x-api-key': KEY } } } }],
    ['copilot', { mcpServers: { earmark: { type: 'http', url: URL, headers: { 'x-api-key': KEY }, tools: ['*'] } } }],
    [
      'opencode',
      { mcp: { earmark: { type: 'remote', url: URL, oauth: false, headers: { 'x-api-key': '{env:EARMARK_KEY}' } } } }
    ]
  ] as const)('%s has the shape it reads', ([id, expected]) => {
    expect(jsonOf(id)).toEqual(expected)
  })

  test('Continue is YAML that takes the key from its secrets', () => {
    const [secret, file] = textsOf('continue')
    expect(secret).toBe(`EARMARK_KEY=${KEY}`)
    expect(file).toContain('    type: streamable-http\n')
    expect(file).toContain(`    url: ${URL}\n`)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Continue fills it in
    expect(file).toContain('x-api-key: "${{ secrets.EARMARK_KEY }}"')
  })

  test('Codex is TOML, with the key or with the name of a variable', () => {
    const [file, named] = textsOf('codex')
    expect(file).toBe(`[mcp_servers.earmark]\nurl = "${URL}"\nhttp_headers = { "x-api-key" = "${KEY}" }`)
    expect(named).toContain('env_http_headers = { "x-api-key" = "EARMARK_KEY" }')
  })
})

describe('the command that writes an editor’s file', () => {
  test('names the editor, the key and the folder, as each shell reads it', () => {
    const kept = { ...CONNECTION, kept: true, ownFolder: '/my marks' }
    const command = '/usr/bin/node /earmark/out/main/earmark.js connect zed --key-id key-1 --data'
    expect(connectCommand(editor('zed'), kept)).toBe(`${command} '/my marks'`)
    expect(connectCommand(editor('zed'), { ...kept, system: 'cmd' })).toBe(`${command} "/my marks"`)
  })

  test('names no key that could not be had later', () => {
    expect(connectCommand(editor('codex'), CONNECTION)).toBe('/usr/bin/node /earmark/out/main/earmark.js connect codex')
  })
})

describe('a host that starts a program', () => {
  test('is told the data folder where it is another than the platform’s own', () => {
    const args = ['mcp-stdio', '--names', 'underscore', '--data', '/my marks']
    expect(jsonOf('claude-desktop', { ...CONNECTION, ownFolder: '/my marks' })).toMatchObject({
      mcpServers: { earmark: { args: [...PROGRAM.args, ...args] } }
    })
  })

  test('gets the key by its id where it is kept, and none stands in the file', () => {
    const kept = { ...CONNECTION, kept: true }
    expect(jsonOf('claude-desktop', kept)).toEqual({
      mcpServers: {
        earmark: {
          command: '/usr/bin/node',
          args: [...PROGRAM.args, 'mcp-stdio', '--key-id', 'key-1', '--names', 'underscore']
        }
      }
    })
    expect(textsOf('jetbrains', kept)[0]).not.toContain(KEY)
  })

  test('gets the key in its environment where it is kept nowhere', () => {
    expect(jsonOf('jetbrains')).toEqual({
      mcpServers: {
        earmark: {
          command: '/usr/bin/node',
          args: [...PROGRAM.args, 'mcp-stdio', '--names', 'underscore'],
          env: { EARMARK_KEY: KEY }
        }
      }
    })
  })
})

test('JetBrains may call the address instead of starting a program', () => {
  const [started, called] = textsOf('jetbrains').map((text): unknown => JSON.parse(text))
  expect(started).toMatchObject({ mcpServers: { earmark: { command: PROGRAM.command } } })
  expect(called).toEqual({ mcpServers: { earmark: { url: URL, headers: { 'x-api-key': KEY } } } })
})

test('every editor is told 127.0.0.1 and names without a dot', () => {
  expect(URL).toBe('http://127.0.0.1:20727/api/tools/mcp?names=underscore')
  for (const { id } of EDITORS) expect(textsOf(id).join('\n'), id).toMatch(/names=underscore|"underscore"/)
})

test('every editor has something to paste, and with a key in it somewhere unless it asks for one', () => {
  for (const { id } of EDITORS) expect(textsOf(id).join('\n'), id).toContain(id === 'vscode' ? 'input:' : KEY)
})
