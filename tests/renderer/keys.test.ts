// What the dashboard shows for API keys: the setup of each editor, and commands for each shell.
import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { connectCommand, EDITORS, editorAddress, editorNamedIn } from '../../src-renderer/features/keys/editors.ts'
import { commandLine, type System, systemOf } from '../../src-renderer/features/keys/snippets.ts'

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
const SYSTEMS = ['macos', 'linux', 'powershell', 'cmd'] as const

/** The texts to paste into an editor. */
function textsOf(id: string, connection: Partial<typeof CONNECTION> = {}): string[] {
  return editor(id)
    .steps({ ...CONNECTION, ...connection })
    .map(({ text }) => text)
}

function editor(id: string) {
  const named = EDITORS.find((candidate) => candidate.id === id)
  if (!named) throw new Error(`there is no editor ${id}`)
  return named
}

/** The JSON among the texts of an editor. */
function jsonOf(id: string, connection: Partial<typeof CONNECTION> = {}): unknown {
  return JSON.parse(textsOf(id, connection).find((text) => text.startsWith('{')) ?? '')
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the editors fill these in
const ASKED = { 'x-api-key': '${input:earmark-key}' }
const FROM_ENVIRONMENT = { 'x-api-key': '${EARMARK_KEY}' }
const FROM_ENV = { 'x-api-key': '${env:EARMARK_KEY}' }
const FROM_SECRETS = 'x-api-key: "${{ secrets.EARMARK_KEY }}"'
const HEADER = "'x-api-key: ${EARMARK_KEY}'"
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the editors fill these in
const INPUTS = [{ type: 'promptString', id: 'earmark-key', description: 'Earmark API key', password: true }]
const VS_CODE = { name: 'earmark', type: 'http', url: URL, headers: ASKED, inputs: INPUTS }

test('no command line and no link contains the key, because other users can read them', () => {
  for (const system of SYSTEMS) {
    for (const kept of [true, false]) {
      for (const { steps, install } of EDITORS) {
        const connection = { ...CONNECTION, system, kept }
        // Built-in commands of a shell start no program. Windows shows the command line of `setx` to its user only.
        const commands = steps(connection).filter(({ text }) => /^(code|claude|gemini|qwen|&) /.test(text))
        for (const { text } of commands) expect(text).not.toContain(KEY)
        const link = decodeURIComponent(install?.(connection) ?? '')
        expect(link + atob(link.split('&config=')[1] ?? '')).not.toContain(KEY)
      }
    }
  }
})

test('every editor gets the address 127.0.0.1, tool names without a dot, and the key unless it asks for it', () => {
  expect(URL).toBe('http://127.0.0.1:20727/api/tools/mcp?names=underscore')
  for (const { id } of EDITORS) {
    const texts = textsOf(id).join('\n')
    expect(texts, id).toMatch(/names=underscore|"underscore"/)
    expect(texts, id).toContain(id === 'vscode' ? 'input:' : KEY)
  }
})

test.for([
  ['vscode', { inputs: INPUTS, servers: { earmark: { type: 'http', url: URL, headers: ASKED } } }],
  ['cursor', { mcpServers: { earmark: { url: URL, headers: FROM_ENV } } }],
  ['claude-code', { mcpServers: { earmark: { type: 'http', url: URL, headers: FROM_ENVIRONMENT } } }],
  ['windsurf', { mcpServers: { earmark: { serverUrl: URL, headers: FROM_ENV } } }],
  ['zed', { context_servers: { earmark: { url: URL, headers: { 'x-api-key': KEY } } } }],
  ['cline', { mcpServers: { earmark: { type: 'streamableHttp', url: URL, headers: { 'x-api-key': KEY } } } }],
  ['copilot', { mcpServers: { earmark: { type: 'http', url: URL, headers: { 'x-api-key': KEY }, tools: ['*'] } } }],
  [
    'opencode',
    { mcp: { earmark: { type: 'remote', url: URL, oauth: false, headers: { 'x-api-key': '{env:EARMARK_KEY}' } } } }
  ]
] as const)('the JSON for %s has the shape that the editor reads', ([id, expected]) => {
  expect(jsonOf(id)).toEqual(expected)
})

test.for([
  ['linux', `code --add-mcp '${JSON.stringify(VS_CODE)}'`],
  ['macos', `code --add-mcp '${JSON.stringify(VS_CODE)}'`],
  ['powershell', `code --add-mcp '${JSON.stringify(VS_CODE).replaceAll('"', '\\"')}'`],
  ['cmd', `code --add-mcp "${JSON.stringify(VS_CODE).replaceAll('"', '\\"')}"`]
] as const)('the command for VS Code on %s quotes its JSON', ([system, command]) => {
  expect(textsOf('vscode', { system })[0]).toBe(command)
})

test('the link that installs Earmark in VS Code has the same server', () => {
  const [scheme, query = ''] = (editor('vscode').install?.(CONNECTION) ?? '').split('?')
  expect(scheme).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(query))).toEqual(VS_CODE)
})

test('the link that installs Earmark in Cursor names a variable, or the id of a stored key', () => {
  const configIn = (link = '') => JSON.parse(atob(decodeURIComponent(link.split('config=')[1] ?? '')))
  const link = editor('cursor').install?.(CONNECTION) ?? ''
  expect(link).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=earmark&config=/)
  expect(configIn(link)).toEqual({ url: URL, headers: FROM_ENV })
  expect(configIn(editor('cursor').install?.({ ...CONNECTION, kept: true }))).toEqual({
    command: PROGRAM.command,
    args: [...PROGRAM.args, 'mcp-stdio', '--key-id', 'key-1', '--names', 'underscore']
  })
})

test('commands for terminal agents have the address, and the name of the variable with the key', () => {
  const claude = `claude mcp add --transport http --scope user earmark '${URL}' --header ${HEADER}`
  expect(textsOf('claude-code')[0]).toBe(claude)
  for (const id of ['qwen', 'gemini']) {
    const command = `${id} mcp add -s user -t http earmark '${URL}' -H ${HEADER}`
    expect(textsOf(id)).toEqual([command, `export EARMARK_KEY=${KEY}`])
  }
})

test.for([
  ['cursor', 'macos', [`launchctl setenv EARMARK_KEY ${KEY}`, `export EARMARK_KEY=${KEY}`]],
  ['windsurf', 'linux', [`EARMARK_KEY=${KEY}`, `export EARMARK_KEY=${KEY}`]],
  ['opencode', 'macos', [`export EARMARK_KEY=${KEY}`]]
] as const)('%s on %s gets its variable from the desktop and from the shell', ([id, system, texts]) => {
  expect(textsOf(id, { system }).slice(0, texts.length)).toEqual(texts)
})

test('on Linux the variable of the desktop is in a file, and files have the home of the system', () => {
  const instructions = (id: string, system: System) =>
    editor(id)
      .steps({ ...CONNECTION, system })
      .map(({ say }) => say)
  expect(instructions('windsurf', 'linux')[0]).toContain('~/.config/environment.d/earmark.conf')
  expect(instructions('cursor', 'linux')).toContain('Put into ~/.cursor/mcp.json')
  expect(instructions('cursor', 'cmd')).toContain('Put into %USERPROFILE%\\.cursor\\mcp.json')
})

test.for(['cursor', 'windsurf', 'claude-code', 'codex', 'opencode'])(
  'on Windows the variable of %s is set permanently, in both shells',
  (id) => {
    for (const system of ['powershell', 'cmd'] as const) {
      const texts = textsOf(id, { system })
      expect(texts).toContain(`setx EARMARK_KEY "${KEY}"`)
      expect(texts.join()).not.toMatch(/export|launchctl/)
    }
  }
)

test('Continue gets YAML that reads the key from its secrets', () => {
  const [secret, file] = textsOf('continue')
  expect(secret).toBe(`EARMARK_KEY=${KEY}`)
  expect(file).toContain('    type: streamable-http\n')
  expect(file).toContain(`    url: ${URL}\n`)
  expect(file).toContain(FROM_SECRETS)
})

test('Codex gets TOML with the key, or with the name of a variable', () => {
  const [file, named] = textsOf('codex')
  expect(file).toBe(`[mcp_servers.earmark]\nurl = "${URL}"\nhttp_headers = { "x-api-key" = "${KEY}" }`)
  expect(named).toContain('env_http_headers = { "x-api-key" = "EARMARK_KEY" }')
})

const STARTED = { command: PROGRAM.command, args: [...PROGRAM.args, 'mcp-stdio', '--names', 'underscore'] }

test('an editor that starts a program gets a stored key by its id, and another key in its environment', () => {
  expect(jsonOf('claude-desktop', { kept: true })).toEqual({
    mcpServers: {
      earmark: { ...STARTED, args: [...PROGRAM.args, 'mcp-stdio', '--key-id', 'key-1', '--names', 'underscore'] }
    }
  })
  expect(textsOf('jetbrains', { kept: true })[0]).not.toContain(KEY)
  expect(jsonOf('jetbrains')).toEqual({ mcpServers: { earmark: { ...STARTED, env: { EARMARK_KEY: KEY } } } })
})

test('an editor that starts a program gets a data folder that is not the default', () => {
  expect(jsonOf('claude-desktop', { ownFolder: '/my marks' })).toMatchObject({
    mcpServers: { earmark: { args: [...STARTED.args, '--data', '/my marks'] } }
  })
})

test('JetBrains gets a choice: start a program, or call the address', () => {
  const [started, called] = textsOf('jetbrains').map((text): unknown => JSON.parse(text))
  expect(started).toMatchObject({ mcpServers: { earmark: { command: PROGRAM.command } } })
  expect(called).toEqual({ mcpServers: { earmark: { url: URL, headers: { 'x-api-key': KEY } } } })
})

test('the command that connects an editor names a stored key, and the folder as each shell reads it', () => {
  const kept = { ...CONNECTION, kept: true, ownFolder: '/my marks' }
  const command = '/usr/bin/node /earmark/out/main/earmark.js connect'
  expect(connectCommand(editor('zed'), kept)).toBe(`${command} zed --key-id key-1 --data '/my marks'`)
  expect(connectCommand(editor('zed'), { ...kept, system: 'cmd' })).toBe(
    `${command} zed --key-id key-1 --data "/my marks"`
  )
  expect(connectCommand(editor('codex'), CONNECTION)).toBe(`${command} codex`)
})

test.for([
  ['Cursor', 'cursor'],
  ['cursor at work', 'cursor'],
  ['My CURSOR', 'cursor'],
  ['Claude', 'claude-code'],
  ['claude-code 2', 'claude-code'],
  ['Claude Desktop, laptop', 'claude-desktop'],
  ['vscode', 'vscode'],
  ['Visual Studio Code', 'vscode'],
  ['Cursor, not VS Code', 'cursor'],
  ['codex_laptop', 'codex'],
  ['PyCharm (work)', 'jetbrains'],
  ...EDITORS.map(({ name, id }) => [name, id] as const),
  ...['', 'My editor', 'recursor', 'analyzed', 'Agent 7'].map((name) => [name, undefined] as const)
] as const)('a key named “%s” is for the editor %s', ([name, id]) => {
  expect(editorNamedIn(name)?.id).toBe(id)
})

test.for([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macos'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'powershell'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
  ['', 'linux']
] as const)('the browser “%s” gets commands for %s', ([userAgent, system]) => {
  expect(systemOf(userAgent)).toBe(system)
})

test.for(SYSTEMS)('plain words need no quotes on %s', (system) => {
  expect(commandLine(['earmark', 'connect', '--key-id', 'k-1'], system)).toBe('earmark connect --key-id k-1')
})

test('a POSIX shell reads each quoted word unchanged', () => {
  const words = ["it's", '{"a":"b c"}', '$HOME', '`id`', 'back\\slash', '~/x', '', 'a&b;c']
  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${commandLine(words, 'linux')}`]).toString()
  expect(read.split('\0').slice(0, -1)).toEqual(words)
})

test('on Windows paths with spaces are quoted, and PowerShell calls them', () => {
  const words = ['C:\\Program Files\\Earmark\\Earmark.exe', 'connect', '--data', "D:\\it's mine\\"]
  expect(commandLine(words, 'cmd')).toBe(
    '"C:\\Program Files\\Earmark\\Earmark.exe" connect --data "D:\\it\'s mine\\\\"'
  )
  expect(commandLine(words, 'powershell')).toBe(
    "& 'C:\\Program Files\\Earmark\\Earmark.exe' connect --data 'D:\\it''s mine\\\\'"
  )
  expect(commandLine(['C:\\Earmark\\earmark.exe', 'serve'], 'powershell')).toBe('C:\\Earmark\\earmark.exe serve')
})

test('commands name a data folder that is not the default, quoted for a shell', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name)
  })
  const { loginCommand, rememberOwnFolder, startCommand } = await import('../../src-renderer/lib/own-folder.ts')
  expect([loginCommand(), startCommand()]).toEqual(['npm run -s earmark -- login', 'npm start'])
  rememberOwnFolder('/home/me/my marks')
  expect([loginCommand(), startCommand()]).toEqual([
    'npm run -s earmark -- login --data "/home/me/my marks"',
    'npm start -- --data "/home/me/my marks"'
  ])
  rememberOwnFolder('/srv/marks')
  expect(startCommand()).toBe('npm start -- --data /srv/marks')
  rememberOwnFolder(null)
  expect(startCommand()).toBe('npm start')
  vi.unstubAllGlobals()
})
