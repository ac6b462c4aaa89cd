import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { agents } from 'add-mcp'
import fc from 'fast-check'
import { parse as parseJson } from 'jsonc-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { HOSTS, type Host, openEditors } from '../../src-main/integrations/editor-files.ts'
import { merge } from '../../src-main/integrations/editor-merge.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const SERVER = { command: '/opt/Earmark/earmark', args: ['mcp-stdio', '--key-id', 'k1'], env: { EARMARK_KEY: 'x' } }

/** A host's file with comments and another server. */
const OTHER_CONTENT: Record<Host['format'], (servers: string) => string> = {
  json: (servers) =>
    `{\n\t// mine\n\t"theme": "dark", /* of the night */\n\t"${servers}": {\n\t\t"other": { "command": "other" }, // first\n\t},\n}`,
  toml: (servers) =>
    `# mine\nmodel = "o9" # large\n\n[${servers}.other]\ncommand = "other"  # first\nargs = [ "a",\n  "b" ]\n\n[tui]\ncolor = true\n`,
  yaml: (servers) =>
    `# mine\nname: Mine\nmodels:\n  - name: m   # large\n    provider: ollama\n${servers}:\n  # first\n  - name: other\n    command: other\n`
}

function machine() {
  const home = tempFolder()
  return { home, platform: 'linux' as const, env: {} }
}

const hostOf = (id: string) => HOSTS.find((host) => host.id === id) as Host

/** The editors of a machine on which one of them has this file, or none. */
function editorWith(host: Host, text?: string) {
  const own = machine()
  const file = host.file(own)
  if (text !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, 0o640)
  }
  const editors = openEditors(tempFolder(), own)
  return {
    own,
    file,
    editors,
    read: () => readFileSync(file, 'utf8'),
    mode: () => statSync(file).mode & 0o777,
    connect: (server: Parameters<typeof editors.connect>[1] = SERVER, dryRun = false) =>
      editors.connect(host.id, server, dryRun),
    disconnect: () => editors.disconnect(host.id, false),
    listed: async () => (await editors.list()).find(({ id }) => id === host.id)
  }
}

/** Earmark's entry and the other entry, as a host reads them. */
function entries(host: Host, text: string) {
  const parse = { json: (json: string) => parseJson(json), toml: parseToml, yaml: parseYaml }[host.format]
  const servers = (parse(text) as Record<string, unknown>)[host.servers]
  const list = Array.isArray(servers)
    ? servers
    : Object.entries(servers as object).map(([name, entry]) => ({ name, ...entry }))
  return {
    earmark: list.find(({ name }) => name === 'earmark'),
    other: list.find(({ name }) => name === 'other')
  }
}

describe.each(HOSTS)('$name', (host) => {
  const text = OTHER_CONTENT[host.format](host.servers)

  test('keeps everything else in its file, and gets it back byte for byte', async () => {
    const { file, connect, disconnect, read, mode, listed } = editorWith(host, text)
    expect(await listed()).toMatchObject({ file, found: true, connected: false })
    await connect()
    expect(entries(host, read())).toMatchObject({ earmark: host.entry(SERVER), other: { command: 'other' } })
    for (const comment of ['mine', 'first']) expect(read()).toContain(comment)
    expect(mode()).toBe(0o600)
    expect(await listed()).toMatchObject({ connected: true })
    await disconnect()
    expect(read()).toBe(text)
    expect(mode()).toBe(0o640)
  })

  test('without a file gets one, which is removed again', async () => {
    const { file, connect, disconnect, read, mode } = editorWith(host)
    await connect()
    expect(entries(host, read()).earmark).toMatchObject(host.entry(SERVER))
    expect(mode()).toBe(0o600)
    await disconnect()
    expect(existsSync(file)).toBe(false)
  })

  test('shows the changed lines in a dry run, which changes nothing', async () => {
    const { connect, read } = editorWith(host, text)
    expect((await connect(SERVER, true)).change.join('\n')).toMatch(/^\+ .*earmark/m)
    expect(read()).toBe(text)
  })

  test('connected twice has the newer entry only, and disconnecting restores the first file', async () => {
    const { connect, disconnect, read } = editorWith(host, text)
    await connect()
    await connect({ ...SERVER, args: ['newer'] })
    expect(read().match(/EARMARK_KEY/g)).toHaveLength(1)
    expect(read()).toContain('newer')
    await disconnect()
    expect(read()).toBe(text)
  })

  test.each(['', ' and connected again'])('changed by its owner%s keeps the change', async (again) => {
    const { file, connect, disconnect, read } = editorWith(host, text)
    await connect()
    writeFileSync(file, read().replace('mine', 'still mine'))
    if (again !== '') await connect()
    await disconnect()
    expect(read()).toContain('still mine')
    expect(entries(host, read())).toMatchObject({ earmark: undefined, other: { command: 'other' } })
  })

  test('with an invalid or too deeply nested file is not connected', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    for (const invalid of [
      '{ "half": [',
      { json: `{"a":${deep}}`, toml: `a = ${deep}`, yaml: `a: ${deep}` }[host.format]
    ]) {
      const { connect, read, listed } = editorWith(host, invalid)
      await expect(connect()).rejects.toThrow(/is not valid .*Nothing was changed/)
      expect(read()).toBe(invalid)
      expect((await listed())?.connected).toBe(false)
    }
  })

  test('that is not connected cannot be disconnected', async () => {
    await expect(editorWith(host).disconnect()).rejects.toThrow(/is not connected/)
    await expect(editorWith(host, text).disconnect()).rejects.toThrow(/is not connected/)
  })
})

const NO_SERVERS = /is not an? (object|list).*Nothing was changed/
const SECOND_KEY = /second "(mcpServers|earmark)" in line 2.*Nothing was changed/

test.for([
  ['cursor', '{"mcpServers": null}', NO_SERVERS],
  ['cursor', '{"mcpServers": {},\n"mcpServers": {}}', SECOND_KEY],
  ['cursor', '{"mcpServers": {"earmark": {},\n"earmark": {}}}', SECOND_KEY],
  ['codex', 'mcp_servers = 1\n', NO_SERVERS],
  ['continue', 'mcpServers: none\n', NO_SERVERS],
  ['continue', 'a: *nobody\n', /Nothing was changed/],
  ['continue', 'mcpServers:\n  - &e\n    name: earmark\n    command: x\nextra: *e\n', /Nothing was changed/]
] as const)('the file of %s with unusable servers is not changed: %j', async ([id, text, reason]) => {
  const { connect, read } = editorWith(hostOf(id), text)
  await expect(connect()).rejects.toThrow(reason)
  expect(read()).toBe(text)
})

test.for([
  ['as Earmark writes it', ''],
  [
    'with comments of its owner',
    '\n# mine\n[mcp_servers.earmark]\n# ours\ncommand = "a" # b\n\n[mcp_servers.earmark.env]\nA = "b"\n'
  ],
  ['with Windows line ends', '\r\n[mcp_servers.earmark]\r\ncommand = "a"\r\n']
])('in TOML, comments around an entry %s stay when it is changed and removed', async ([, entry = '']) => {
  const text = `model = "o9" # first\n\n# before\n${entry}\n# after\n[tui] # last\n`
  const { file, connect, disconnect, read } = editorWith(hostOf('codex'), text)
  await connect()
  writeFileSync(file, `${read()}# changed since\n`)
  const connected = read()
  expect(parseToml(connected)).toMatchObject({ model: 'o9', mcp_servers: { earmark: SERVER }, tui: {} })
  await disconnect()
  expect(read()).not.toMatch(/earmark|ours/)
  for (const comment of ['# first', '# before', '# after', '# last', '# changed since']) {
    expect(connected).toContain(comment)
    expect(read()).toContain(comment)
  }
})

/** Parts of TOML files as people write them. */
const LINES = [
  'model = "o9" # large',
  '# a comment',
  '',
  '\t',
  'text = """\n[mcp_servers.earmark]\n# not a comment\n""" # after a text',
  "path = '''\n]\n'''",
  'list = [ # a list\n  "a", # first\n  { b = "]" },\n]',
  '"quoted key" = 1',
  'when = 1979-05-27 07:32:00 # a date',
  'dotted.key = "x"'
]
const TABLES = [
  '[tui] # a heading',
  '[mcp_servers.other]\ncommand = "o" # theirs',
  '[mcp_servers]',
  '[mcp_servers]\nother = { command = "o" } # theirs',
  '[mcp_servers]\nother.command = "o" # theirs',
  '[ "mcp_servers" . other ]\ncommand = "o"',
  '[[mcp_list.earmark]]\na = 1'
]
const INLINE = ['mcp_servers = {} # theirs', 'mcp_servers = { other = { command = "o" } } # theirs']
const OURS = [
  '',
  '[mcp_servers.earmark]\ncommand = "old"',
  '[ mcp_servers . "earmark" ] # ours\ncommand = "old" # ours\n# ours\n[mcp_servers.earmark.env]\nA = "b"'
]

test('adding and removing the entry changes no other byte of a TOML file', () => {
  const codex = hostOf('codex')
  const parts = fc.record({
    inline: fc.option(fc.constantFrom(...INLINE), { nil: '' }),
    top: fc.uniqueArray(fc.constantFrom(...LINES), { maxLength: 6 }),
    table: fc.option(fc.constantFrom(...TABLES), { nil: '' }),
    below: fc.constantFrom('', '', '# at the end'),
    eol: fc.constantFrom('\n', '\r\n')
  })
  fc.assert(
    fc.property(parts, ({ inline, top, table, below, eol }) => {
      const tables = inline && table.includes('mcp_servers') ? '' : table
      const text = [inline, ...top, tables, below, ''].filter((part, index, all) => part || index === all.length - 1)
      const before = text.join('\n').replaceAll('\n', eol)
      const connected = merge(codex, before, codex.entry(SERVER))
      expect(parseToml(connected)).toMatchObject({ ...parseToml(before), mcp_servers: { earmark: SERVER } })
      if (inline === '') {
        expect(connected.startsWith(before)).toBe(true)
        expect(merge(codex, `${connected}# since${eol}`, undefined)).toBe(`${before}# since${eol}`)
      } else for (const comment of before.match(/#.*/g) ?? []) expect(connected).toContain(comment)
      expect(merge(codex, merge(codex, connected, codex.entry(SERVER)), undefined)).toBe(
        merge(codex, connected, undefined)
      )
    }),
    { numRuns: runs(500, 5000) }
  )
})

test.for([
  ...OURS.map((ours) => `a = 1 # first\n\n# before\n${ours}\n\n# after\n[tui] # last\n`),
  'a = 1 # first\n# before\nmcp_servers.earmark.command = "old"\n# after\n[tui] # last\n',
  'a = 1 # first\n# before\n[mcp_servers]\nearmark = { command = "old" }\n# after\nother.command = "o"\n[tui] # last\n',
  'a = 1 # first\n# before\nmcp_servers = { earmark = { command = "old" }, other = { args = [","] } }\n# after # last\n',
  'a = 1 # first\n# before\nmcp_servers = { other = { a = 1 }, "earmark" = { command = "old" } } # after\n# last\n'
])('an entry in TOML is changed and removed however it is written, without the comments around it: %j', (text) => {
  const codex = hostOf('codex')
  const changed = merge(codex, text, codex.entry(SERVER))
  expect(parseToml(changed)).toMatchObject({ a: 1, mcp_servers: { earmark: SERVER } })
  const without = merge(codex, text, undefined)
  expect(parseToml(without).mcp_servers?.earmark).toBeUndefined()
  for (const comment of ['first', 'before', 'after', 'last']) {
    expect(changed).toContain(comment)
    expect(without).toContain(comment)
  }
  expect(without).not.toMatch(/earmark|ours|old/)
})

test('a TOML file of very many empty lines takes linear time', () => {
  const codex = hostOf('codex')
  const text = `a = 1${'\n'.repeat(100_000)}b = 2${'\n# x'.repeat(35_000)}\n`
  const begun = performance.now()
  expect(merge(codex, merge(codex, text, codex.entry(SERVER)), undefined)).toBe(text)
  // Time that grows with the square of the lines would be 25 s or more.
  expect(performance.now() - begun).toBeLessThan(8000)
})

test.for([
  ['codex', 'TOML with a name of 14,000 parts', `${'a.'.repeat(14_000)}a = 1\n`],
  ['codex', 'TOML with a quoted name of 5,000 parts', `[${'"a b" . '.repeat(5000)}a]\n`],
  ['codex', 'TOML of 1 MB', `a = 1\n${'# x\n'.repeat(250_000)}`],
  ['continue', 'YAML of 15,000 servers', `mcpServers:\n${'  - name: a\n    command: b\n'.repeat(15_000)}`],
  ['continue', 'YAML of 10,000 keys', Array.from({ length: 10_000 }, (_, index) => `k${index}: 1\n`).join('')]
])('%s: %s is refused unchanged', async ([id = '', , text = '']) => {
  const own = machine()
  const file = HOSTS.find((host) => host.id === id)?.file(own) ?? ''
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const editors = openEditors(tempFolder(), own)
  const begun = performance.now()
  await expect(editors.connect(id, SERVER, false)).rejects.toThrow(/too large, or .*Nothing was changed.*yourself/)
  expect((await editors.list()).find((one) => one.id === id)).toMatchObject({ connected: false })
  expect(performance.now() - begun).toBeLessThan(8000)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('of YAML with many faults, the line of the first is reported', () => {
  const host = hostOf('continue')
  const text = `a: 1\nb: [${'[]'.repeat(1000)}]\n`
  expect(() => merge(host, text, host.entry(SERVER))).toThrow(/not valid YAML \(.* in line 2\). Nothing was changed/)
})

test('TOML strings may hold many dots', () => {
  const codex = hostOf('codex')
  const text = `a = "${'b.'.repeat(1000)}"\n[mcp_servers.other]\nargs = ['${'b.'.repeat(1000)}']\n`
  expect(merge(codex, text, codex.entry(SERVER)).startsWith(text)).toBe(true)
})

test('a JSON file of 15,000 servers in one line stays in one line', () => {
  const cursor = hostOf('cursor')
  const servers = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`s${index}`, { command: 'x' }]))
  const text = JSON.stringify({ mcpServers: servers })
  const begun = performance.now()
  const connected = merge(cursor, text, cursor.entry(SERVER))
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(JSON.parse(connected)).toEqual({ mcpServers: { ...servers, earmark: cursor.entry(SERVER) } })
  expect(connected).not.toContain('\n')
  expect(JSON.parse(merge(cursor, connected, undefined))).toEqual(JSON.parse(text))
})

test('links are followed, to an existing and to a missing file, and stay links', async () => {
  for (const text of ['{}', undefined]) {
    const own = machine()
    const [real, link] = [join(own.home, 'dotfiles/cursor.json'), join(own.home, '.cursor/mcp.json')]
    mkdirSync(dirname(link))
    if (text !== undefined) mkdirSync(dirname(real))
    if (text !== undefined) writeFileSync(real, text)
    symlinkSync(real, link)
    const editors = openEditors(tempFolder(), own)
    await editors.connect('cursor', SERVER, false)
    expect(readFileSync(real, 'utf8')).toContain('earmark')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    await editors.disconnect('cursor', false)
    if (text !== undefined) expect(readFileSync(real, 'utf8')).toBe(text)
  }
})

test('a file without the key keeps its mode, whatever the umask', async () => {
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  const { file, connect, read, mode } = editorWith(hostOf('gemini'), '{}')
  chmodSync(file, 0o644)
  expect((await connect({ ...SERVER, env: undefined })).madePrivate).toBeUndefined()
  expect(read()).toContain('earmark')
  expect(mode()).toBe(0o644)
})

test('a file with the key is closed to other users, which is reported once', async () => {
  const { connect, mode } = editorWith(hostOf('gemini'), '{}')
  expect(await connect(SERVER, true)).toMatchObject({ madePrivate: true })
  expect(mode()).toBe(0o640)
  expect(await connect()).toMatchObject({ madePrivate: true })
  expect(mode()).toBe(0o600)
  expect((await connect()).madePrivate).toBeUndefined()
})

test('numbers and line ends in YAML stay as they are written', async () => {
  const lines = ['id: 1096543210987654321', 'mode: 0777', 'k: 00123', 'm: 1e400', 'h: 1.123456789012345678901', '']
  const text = lines.join('\r\n')
  const { connect, read } = editorWith(hostOf('continue'), text)
  await connect({ ...SERVER, args: ['00123'] })
  expect(read().startsWith(text)).toBe(true)
  expect(read()).toMatch(/"00123"/)
  expect(read().replaceAll('\r\n', '')).not.toContain('\n')
})

test('a JSON file keeps its byte order mark, line ends and indentation', async () => {
  const { connect, read } = editorWith(hostOf('cursor'), '\ufeff{\r\n    "a": 1\r\n}\r\n')
  await connect()
  expect(read()).toMatch(/^\ufeff\{\r\n {4}"a": 1,\r\n {4}"mcpServers": \{\r\n {8}"earmark"/)
})

test('without a copy of the file nothing is changed', async () => {
  const { own, read } = editorWith(hostOf('cursor'), '{}')
  const data = tempFolder()
  writeFileSync(join(data, 'editors'), '')
  await expect(openEditors(data, own).connect('cursor', SERVER, false)).rejects.toThrow(
    /cannot write .*, the copy of .* that it keeps/
  )
  expect(read()).toBe('{}')
})

test('an unknown editor is answered with the known ones, and a file in place of its folder is reported', async () => {
  const own = machine()
  const editors = openEditors(tempFolder(), own)
  await expect(editors.connect('emacs', SERVER, false)).rejects.toThrow(/Known: vscode, cursor/)
  writeFileSync(join(own.home, '.cursor'), 'a file where the folder should be')
  await expect(editors.connect('cursor', SERVER, false)).rejects.toThrow(/cannot be written/)
})

/** The names in add-mcp that differ. */
const ADD_MCP_NAMES: Record<string, string> = { gemini: 'gemini-cli', copilot: 'github-copilot-cli' }

describe('the path and the entry are as in add-mcp', () => {
  const common = HOSTS.flatMap((host) => {
    const agent = Object.values(agents).find(({ name }) => name === (ADD_MCP_NAMES[host.id] ?? host.id))
    return agent ? [{ host, agent, name: host.name }] : []
  })

  test('for all its hosts', () => {
    expect(common.length).toBeGreaterThanOrEqual(12)
  })

  test.each(common)('for $name', ({ host, agent }) => {
    const file = host.file({ platform: process.platform, home: homedir(), env: process.env })
    if (host.id !== 'opencode' && !process.env.XDG_CONFIG_HOME) expect(file).toBe(agent.configPath)
    expect([host.format, host.servers]).toEqual([agent.format, agent.configKey])
    const loose = (entry: unknown) => ({ ...(entry as object), type: undefined, disabled: undefined })
    expect(loose(host.entry(SERVER))).toEqual(loose(agent.transformConfig('earmark', SERVER)))
  })
})
