import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parse as parseToml } from '@decimalturn/toml-patch'
import { agents } from 'add-mcp'
import fc from 'fast-check'
import { parse as parseJson } from 'jsonc-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { openEditors } from '../../src-main/integrations/editor-files.ts'
import { merge } from '../../src-main/integrations/editor-merge.ts'
import { currentFile, HOSTS, type Host, isInstalled } from '../../src-main/integrations/editors.ts'
import type { Machine } from '../../src-main/integrations/files.ts'
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
    `# mine\nname: Mine\nmodels:\n  - name: m   # large\n    provider: ollama\n${servers}:\n  # first\n` +
    (servers === 'extensions' ? '  other:\n    command: other\n' : '  - name: other\n    command: other\n')
}

function machine(platform: 'linux' | 'darwin' | 'win32' = 'linux', env: NodeJS.ProcessEnv = {}) {
  return { home: tempFolder(), platform, env }
}

/** Puts the program's newest version on the machine: its first own folder or file. */
function install(host: Host, own: Machine, version = 0) {
  const [sign = ''] = host.places(own)[version]?.signs ?? []
  mkdirSync(sign.endsWith('.json') ? dirname(sign) : sign, { recursive: true })
}

const hostOf = (id: string) => HOSTS.find((host) => host.id === id) as Host

/** The editors of a machine on which one of them has this file, or none. */
function editorWith(host: Host, text?: string) {
  const own = machine()
  const file = currentFile(host, own)
  if (text !== undefined) {
    install(host, own)
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

  test('that is not installed is not found, is reported as missing, and loses its new file again', async () => {
    const { own, connect, disconnect, read, mode, listed } = editorWith(host)
    mkdirSync(join(own.home, '.config'))
    writeFileSync(join(own.home, '.profile'), '')
    expect(await listed()).toMatchObject({ found: false, connected: false })
    expect(await connect()).toMatchObject({ missing: true })
    expect(entries(host, read()).earmark).toMatchObject(host.entry(SERVER))
    expect(mode()).toBe(0o600)
    await disconnect()
    expect(await listed()).toMatchObject({ found: false })
    expect(readdirSync(own.home)).toContain('.profile')
  })

  test('shows the changed lines in a dry run, which changes nothing', async () => {
    const { connect, read } = editorWith(host, text)
    expect((await connect(SERVER, true)).missing).toBeUndefined()
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

/** Files below the home folder of Linux, macOS and Windows, as docs/develop/hosts.md has them. */
const FILES: Record<string, [linux: string, macos?: string, windows?: string]> = {
  vscode: [
    '.config/Code/User/mcp.json',
    'Library/Application Support/Code/User/mcp.json',
    'AppData/Roaming/Code/User/mcp.json'
  ],
  cursor: ['.cursor/mcp.json'],
  'claude-code': ['.claude.json'],
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    'Library/Application Support/Claude/claude_desktop_config.json',
    'AppData/Roaming/Claude/claude_desktop_config.json'
  ],
  codex: ['.codex/config.toml'],
  gemini: ['.gemini/settings.json'],
  antigravity: ['.gemini/config/mcp_config.json'],
  qwen: ['.qwen/settings.json'],
  opencode: ['.config/opencode/opencode.json'],
  windsurf: ['.config/devin/mcp_config.json', undefined, 'AppData/Roaming/devin/mcp_config.json'],
  zed: ['.config/zed/settings.json', undefined, 'AppData/Roaming/Zed/settings.json'],
  cline: ['.cline/data/settings/cline_mcp_settings.json'],
  continue: ['.continue/config.yaml'],
  copilot: ['.copilot/mcp-config.json'],
  jetbrains: ['.junie/mcp/mcp.json'],
  goose: ['.config/goose/config.yaml', undefined, 'AppData/Roaming/Block/goose/config/config.yaml']
}

test('each host has the file that its documentation names, on every system', () => {
  const platforms = ['linux', 'darwin', 'win32'] as const
  const files = HOSTS.map((host) => {
    const paths = platforms.map((platform) => {
      const own = machine(platform)
      return relative(own.home, currentFile(host, own))
    })
    return [host.id, paths]
  })
  const expected = Object.entries(FILES).map(([id, [linux, macos = linux, windows = linux]]) => [
    id,
    [linux, macos, windows]
  ])
  expect(files).toEqual(expected)
})

test('docs/develop/hosts.md names the source of each host’s file', () => {
  const docs = readFileSync('docs/develop/hosts.md', 'utf8')
  for (const { id } of HOSTS) expect(docs).toMatch(new RegExp(`^\\| \`${id}\` \\|.*2026-\\d\\d-\\d\\d \\|$`, 'm'))
})

test('a host is found by its command or its application alone', () => {
  const own = machine('linux')
  mkdirSync(join(own.home, 'bin'))
  writeFileSync(join(own.home, 'bin/claude'), '')
  const withPath = { ...own, env: { PATH: `/nowhere::${join(own.home, 'bin')}` } }
  expect(HOSTS.filter((host) => isInstalled(host, withPath)).map(({ id }) => id)).toEqual(['claude-code'])
  const mac = machine('darwin')
  mkdirSync(join(mac.home, 'Applications/Cursor.app'), { recursive: true })
  expect(isInstalled(hostOf('cursor'), mac)).toBe(true)
  const windows = machine('win32')
  writeFileSync(join(windows.home, 'agy.exe'), '')
  expect(isInstalled(hostOf('antigravity'), { ...windows, env: { Path: '', PATH: `C:\\;${windows.home}` } })).toBe(true)
})

test('Gemini CLI and Antigravity, which share a folder, are told apart', () => {
  const own = machine()
  mkdirSync(join(own.home, '.gemini/antigravity'), { recursive: true })
  expect([isInstalled(hostOf('gemini'), own), isInstalled(hostOf('antigravity'), own)]).toEqual([false, true])
})

test.each([
  ['windsurf', '.codeium/windsurf/mcp_config.json'],
  ['cline', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json']
])(
  'of %s, an older version keeps its file until the newer version is there, and is still disconnected then',
  async (id, old) => {
    const host = hostOf(id)
    const own = machine()
    install(host, own, 1)
    const editors = openEditors(tempFolder(), own)
    expect(await editors.connect(id, SERVER, false)).toMatchObject({ file: join(own.home, old), missing: undefined })
    install(host, own)
    const listed = async () => (await editors.list()).find((editor) => editor.id === id)
    expect(await listed()).toMatchObject({ file: join(own.home, FILES[id]?.[0] ?? ''), connected: false })
    expect(await editors.disconnect(id, false)).toMatchObject({ file: join(own.home, old) })
    expect(existsSync(join(own.home, old))).toBe(false)
  }
)

test('Claude Desktop on Windows, installed as a package, has its file in the package’s folder', async () => {
  const own = machine('win32')
  const packages = join(own.home, 'AppData/Local/Packages')
  mkdirSync(join(packages, 'Claude_pzs8sxrjxfjjc'), { recursive: true })
  mkdirSync(join(own.home, 'AppData/Roaming/Claude'), { recursive: true })
  const { file, missing } = await openEditors(tempFolder(), own).connect('claude-desktop', SERVER, false)
  expect(relative(packages, file)).toBe('Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json')
  expect(missing).toBeUndefined()
})

test('opencode’s file keeps its layout, with servers in `mcp` or in `mcp.servers`', () => {
  const host = hostOf('opencode')
  const before = '{\n  "mcp": {\n    "servers": {\n      "other": {}\n    }\n  }\n}\n'
  const connected = merge(host, before, host.entry(SERVER))
  expect(JSON.parse(connected).mcp).toMatchObject({ servers: { other: {}, earmark: host.entry(SERVER) } })
  expect(merge(host, connected, undefined)).toBe(before)
  const named = '{"mcp": {"servers": {"type": "local", "command": ["a server of this name"]}}}'
  expect(JSON.parse(merge(host, named, host.entry(SERVER))).mcp).toHaveProperty('earmark')
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

/** Whether a text became another one by adding characters in one place, and perhaps a comma. */
function isAddition(before: string, after: string): boolean {
  const begin = [...before].findIndex((character, index) => character !== after[index])
  const start = begin < 0 ? before.length : begin
  if (after.endsWith(before.slice(start))) return true
  return after[start] === ',' && isAddition(before.slice(start), after.slice(start + 1))
}

/** Spaces and comments between the parts of a JSON file. */
const SPACES = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\r\n\t',
  ' // a comment\n',
  ' /* two\n lines */ ',
  '\n\n    /* , */'
)
const VALUES = fc.constantFrom('1', '"a, // b"', '[ 1,\n2 ]', '{ "a":1,\n      "earmark": {} }', 'null', '{}')

function jsonObject(names: string[], valueFor: (name: string) => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const properties = names.map((name) =>
    fc.tuple(SPACES, fc.constant(`"${name}"`), SPACES, fc.constant(':'), SPACES, valueFor(name), SPACES)
  )
  return fc.tuple(fc.tuple(...properties), fc.boolean(), SPACES).map(([parts, hasComma, end]) => {
    const all = parts.map((part) => part.join('')).join(',')
    return `{${all}${hasComma && all !== '' ? ',' : ''}${end}}`
  })
}

test('adding and removing the entry changes no other character of a JSON file', () => {
  const cursor = hostOf('cursor')
  const servers = fc.shuffledSubarray(['other', 'our']).chain((names) => jsonObject(names, () => VALUES))
  const files = fc
    .shuffledSubarray(['a', 'b', 'mcpServers'])
    .chain((names) => jsonObject(names, (name) => (name === 'mcpServers' ? servers : VALUES)))
  fc.assert(
    fc.property(files, (before) => {
      const value = parseJson(before)
      const connected = merge(cursor, before, cursor.entry(SERVER))
      expect(parseJson(connected)).toEqual({ ...value, mcpServers: { ...value.mcpServers, earmark: SERVER } })
      expect(isAddition(before, connected), connected).toBe(true)
      const removed = merge(cursor, connected, undefined)
      if (Object.keys(value.mcpServers ?? {}).length > 0) expect(removed).toBe(before)
      const changed = merge(cursor, connected, cursor.entry({ ...SERVER, args: [] }))
      expect(merge(cursor, changed, undefined)).toBe(removed)
    }),
    { numRuns: runs(1000, 10_000) }
  )
})

test.for([
  [
    '{"a": 1,\n  // mine\n  "mcpServers": {"earmark": {}, "b": {}}}',
    '{"a": 1,\n  // mine\n  "mcpServers": { "b": {}}}'
  ],
  [
    '{\n  "mcpServers": {\n    "earmark": {}, // mine\n    "b": {}\n  }\n}',
    '{\n  "mcpServers": { // mine\n    "b": {}\n  }\n}'
  ],
  [
    '{\n  "mcpServers": {\n    "a": {}, // mine\n    "earmark": {}, "b": {}\n  }\n}',
    '{\n  "mcpServers": {\n    "a": {}, // mine\n     "b": {}\n  }\n}'
  ],
  ['{\n  "mcpServers": {\n    "earmark": {}\n  }\n}', '{\n  "mcpServers": {}\n}']
])('an entry of JSON that somebody else wrote is removed alone: %j', ([before = '', after = '']) => {
  expect(merge(hostOf('cursor'), before, undefined)).toBe(after)
})

const YAML_LINES = [
  'name: Mine   # mine',
  '# a comment',
  '',
  'models:\n  - name: m   # large\n    roles: [ "a",\n      b ]',
  'mode: 0777',
  'text: |\n  a text\n   # of two lines\n',
  'q: {a: 1,   b: [1,2]}',
  'r:\n- a\n-   b',
  'k: "\\u0041"',
  'base: &base 1\nsame: *base'
]
const YAML_SERVERS: Record<string, string[]> = {
  mcpServers: [
    'mcpServers:\n- name: o\n  command: c # theirs',
    'mcpServers:\n  # first\n  - name: o\n    args: [ "a",\n      b ]\n  # after',
    'mcpServers: [ {name: o, command: c} ] # theirs',
    'mcpServers: [ {name: o}, "p",\n  {name: q}, ]',
    'mcpServers:\n  -   name: o\n      command: |\n        x\n',
    'mcpServers:\n  - name: o\n\n  - name: p\n\n  # after'
  ],
  extensions: [
    'extensions:\n  o:\n    enabled: true # theirs',
    'extensions:\n    # first\n    o: {a: 1}\n    p:\n    # after',
    '"extensions": { o: { a: 1 } } # theirs'
  ]
}
const NO_YAML_SERVERS = ['', 'SERVERS:', 'SERVERS: # none', 'SERVERS: []  # none', 'SERVERS: null']

test.each(['continue', 'goose'])(
  'adding and removing the entry changes no other character of the YAML file of %s',
  (id) => {
    const host = hostOf(id)
    const empty = NO_YAML_SERVERS.map((text) =>
      text.replace('SERVERS', host.servers).replace('[]', host.isList ? '[]' : '{}')
    )
    const parts = fc.record({
      top: fc.uniqueArray(fc.constantFrom(...YAML_LINES), { maxLength: 4 }),
      servers: fc.constantFrom(...empty, ...(YAML_SERVERS[host.servers] ?? [])),
      below: fc.constantFrom('', '# at the end', 'z: 1', 'zs:\n  - 1 # last'),
      eol: fc.constantFrom('\n', '\r\n'),
      end: fc.constantFrom('', '\n', '\n\n')
    })
    fc.assert(
      fc.property(parts, ({ top, servers, below, eol, end }) => {
        const before = (['first: 1', ...top, servers, below].join('\n') + end).replaceAll('\n', eol)
        const connected = merge(host, before, host.entry(SERVER))
        expect(entries(host, connected).earmark).toMatchObject(host.entry(SERVER))
        const removed = merge(host, connected, undefined)
        if (servers === '') expect(isAddition(before, connected), connected).toBe(true)
        else if (empty.includes(servers)) {
          for (const line of [...top, below]) expect(connected).toContain(line.replaceAll('\n', eol))
          expect(connected.includes('# none')).toBe(servers.includes('# none'))
        } else {
          expect(isAddition(before, connected), connected).toBe(true)
          // A file that ends within a line gets a line end, which stays.
          expect([before, before + eol]).toContain(removed)
        }
        const changed = merge(host, connected, host.entry({ ...SERVER, args: [] }))
        expect(merge(host, changed, undefined)).toBe(removed)
      }),
      { numRuns: runs(500, 5000) }
    )
  }
)

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
  const file = currentFile(hostOf(id), own)
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

/** Hosts whose files add-mcp has in another place or under another name. */
const MOVED_FILES = ['opencode', 'windsurf', 'cline']

/** Parts of an entry that add-mcp writes differently, or only Earmark writes. */
const DIFFERENT = {
  type: undefined,
  disabled: undefined,
  enabled: undefined,
  alwaysLoad: undefined,
  description: undefined
}

describe('the path and the entry are as in add-mcp', () => {
  const common = HOSTS.flatMap((host) => {
    const agent = Object.values(agents).find(({ name }) => name === (ADD_MCP_NAMES[host.id] ?? host.id))
    return agent ? [{ host, agent, name: host.name }] : []
  })

  test('for all its hosts', () => {
    expect(common.length).toBeGreaterThanOrEqual(12)
  })

  test.each(common)('for $name', ({ host, agent }) => {
    const file = currentFile(host, { platform: process.platform, home: homedir(), env: process.env })
    if (!MOVED_FILES.includes(host.id) && !process.env.XDG_CONFIG_HOME) expect(file).toBe(agent.configPath)
    expect([host.format, host.servers]).toEqual([agent.format, agent.configKey])
    const loose = (entry: unknown) => ({ ...(entry as object), ...DIFFERENT })
    expect(loose(host.entry(SERVER))).toEqual(loose(agent.transformConfig('earmark', SERVER)))
  })
})
