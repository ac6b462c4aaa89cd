import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
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
import { openEditors } from '../../src-main/editors/editor-files.ts'
import { HOSTS, type Host } from '../../src-main/editors/hosts.ts'
import { merge } from '../../src-main/editors/merge.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const SERVER = { command: '/opt/Earmark/earmark', args: ['mcp-stdio', '--key-id', 'k1'], env: { EARMARK_KEY: 'x' } }

/** A host's file as a person keeps it: with remarks, and with another server. */
const KEPT: Record<Host['format'], (servers: string) => string> = {
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

function read(host: Host, text: string): Record<string, unknown> {
  const parse = { json: (json: string) => parseJson(json), toml: parseToml, yaml: parseYaml }[host.format]
  return parse(text)
}

/** What a host reads as our entry, and as the other's. */
function entries(host: Host, text: string) {
  const servers = read(host, text)[host.servers]
  const list = Array.isArray(servers)
    ? servers
    : Object.entries(servers as object).map(([name, entry]) => ({ name, ...entry }))
  return {
    ours: list.find(({ name }) => name === 'earmark'),
    other: list.find(({ name }) => name === 'other')
  }
}

describe.each(HOSTS)('$name', (host) => {
  const place = (text?: string) => {
    const own = machine()
    const file = host.file(own)
    if (text !== undefined) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      chmodSync(file, 0o640)
    }
    return { file, editors: openEditors(tempFolder(), own) }
  }

  test('keeps all else in its file, remarks too, and gets it back byte for byte', async () => {
    const text = KEPT[host.format](host.servers)
    const { file, editors } = place(text)
    expect((await editors.list()).find(({ id }) => id === host.id)).toMatchObject({
      file,
      found: true,
      connected: false
    })
    await editors.connect(host.id, SERVER, false)
    const now = readFileSync(file, 'utf8')
    expect(entries(host, now)).toMatchObject({ ours: host.entry(SERVER), other: { command: 'other' } })
    for (const remark of ['mine', 'first']) expect(now).toContain(remark)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await editors.list()).find(({ id }) => id === host.id)).toMatchObject({ connected: true })
    await editors.disconnect(host.id, false)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  test('gets a file where it had none, and none again', async () => {
    const { file, editors } = place()
    await editors.connect(host.id, SERVER, false)
    expect(entries(host, readFileSync(file, 'utf8')).ours).toMatchObject(host.entry(SERVER))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await editors.disconnect(host.id, false)
    expect(existsSync(file)).toBe(false)
  })

  test('a dry run shows the lines, and changes nothing', async () => {
    const text = KEPT[host.format](host.servers)
    const { file, editors } = place(text)
    const { change } = await editors.connect(host.id, SERVER, true)
    expect(change.join('\n')).toMatch(/^\+ .*earmark/m)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('connected twice it has one entry, the newer, and undo is still the first file', async () => {
    const text = KEPT[host.format](host.servers)
    const { file, editors } = place(text)
    await editors.connect(host.id, SERVER, false)
    await editors.connect(host.id, { ...SERVER, args: ['newer'] }, false)
    const now = readFileSync(file, 'utf8')
    expect(now.match(/EARMARK_KEY/g)).toHaveLength(1)
    expect(now).toContain('newer')
    await editors.disconnect(host.id, false)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('changed and connected again, undo takes us out and keeps the change', async () => {
    const { file, editors } = place(KEPT[host.format](host.servers))
    await editors.connect(host.id, SERVER, false)
    writeFileSync(file, readFileSync(file, 'utf8').replace('mine', 'still mine'))
    await editors.connect(host.id, SERVER, false)
    await editors.disconnect(host.id, false)
    const now = readFileSync(file, 'utf8')
    expect(now).toContain('still mine')
    expect(entries(host, now)).toMatchObject({ ours: undefined, other: { command: 'other' } })
  })

  test('where the file changed since, only our entry is taken out', async () => {
    const { file, editors } = place(KEPT[host.format](host.servers))
    await editors.connect(host.id, SERVER, false)
    writeFileSync(file, readFileSync(file, 'utf8').replace('mine', 'still mine'))
    await editors.disconnect(host.id, false)
    const now = readFileSync(file, 'utf8')
    expect(now).toContain('still mine')
    expect(entries(host, now)).toMatchObject({ ours: undefined, other: { command: 'other' } })
  })

  test('a file it could not read itself is left alone', async () => {
    const { file, editors } = place('{ "half": [')
    await expect(editors.connect(host.id, SERVER, false)).rejects.toThrow(/is not valid .*Nothing was changed/)
    expect(readFileSync(file, 'utf8')).toBe('{ "half": [')
    expect((await editors.list()).find(({ id }) => id === host.id)?.connected).toBe(false)
  })

  test('a file that is nested too deeply to be read is left alone', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const { file, editors } = place({ json: `{"a":${deep}}`, toml: `a = ${deep}`, yaml: `a: ${deep}` }[host.format])
    await expect(editors.connect(host.id, SERVER, false)).rejects.toThrow(/is not valid .*Nothing was changed/)
    expect(readFileSync(file, 'utf8')).toContain(deep)
  })

  test('is not disconnected where it is not connected', async () => {
    await expect(place().editors.disconnect(host.id, false)).rejects.toThrow(/is not connected/)
    await expect(place(KEPT[host.format](host.servers)).editors.disconnect(host.id, false)).rejects.toThrow(
      /is not connected/
    )
  })
})

test.for([
  ['cursor', '{"mcpServers": null}'],
  ['cursor', '{"mcpServers": {},\n"mcpServers": {}}'],
  ['cursor', '{"mcpServers": {"earmark": {},\n"earmark": {}}}'],
  ['codex', 'mcp_servers = 1\n'],
  ['continue', 'mcpServers: none\n']
])('servers of %s that are none, or stand there twice, are not written over', async ([id = '', text = '']) => {
  const own = machine()
  const file = HOSTS.find((host) => host.id === id)?.file(own) ?? ''
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  await expect(openEditors(tempFolder(), own).connect(id, SERVER, false)).rejects.toThrow(
    /(is not an? (object|list)|second "(mcpServers|earmark)" in line 2).*Nothing was changed/
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.for([
  ['as Earmark writes it', ''],
  [
    'with remarks of its owner',
    '\n# mine\n[mcp_servers.earmark]\n# ours\ncommand = "a" # b\n\n[mcp_servers.earmark.env]\nA = "b"\n'
  ],
  ['with Windows line ends', '\r\n[mcp_servers.earmark]\r\ncommand = "a"\r\n']
])('in TOML, remarks around our entry stay when it is changed and taken out, %s', async ([, ours = '']) => {
  const own = machine()
  const file = join(own.home, '.codex/config.toml')
  mkdirSync(dirname(file))
  const remarks = ['# first', '# before', '# after', '# last']
  writeFileSync(file, `model = "o9" # first\n\n# before\n${ours}\n# after\n[tui] # last\n`)
  const editors = openEditors(tempFolder(), own)
  await editors.connect('codex', SERVER, false)
  writeFileSync(file, `${readFileSync(file, 'utf8')}# changed since\n`)
  const connected = readFileSync(file, 'utf8')
  expect(parseToml(connected)).toMatchObject({ model: 'o9', mcp_servers: { earmark: SERVER }, tui: {} })
  await editors.disconnect('codex', false)
  const undone = readFileSync(file, 'utf8')
  expect(undone).not.toMatch(/earmark|ours/)
  for (const remark of [...remarks, '# changed since']) {
    expect(connected).toContain(remark)
    expect(undone).toContain(remark)
  }
})

/** Parts of a TOML file as people write them. A heading ends the part before it. */
const LINES = [
  'model = "o9" # large',
  '# a remark',
  '',
  '\t',
  'text = """\n[mcp_servers.earmark]\n# not a remark\n""" # after a text',
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

test('whatever a TOML file holds, putting our entry in and taking it out changes no other byte', () => {
  const codex = HOSTS.find(({ id }) => id === 'codex') as Host
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
      } else for (const remark of before.match(/#.*/g) ?? []) expect(connected).toContain(remark)
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
])('an entry of ours is taken out of TOML however it is written, and no remark beside it: %j', (text) => {
  const codex = HOSTS.find(({ id }) => id === 'codex') as Host
  const changed = merge(codex, text, codex.entry(SERVER))
  expect(parseToml(changed)).toMatchObject({ a: 1, mcp_servers: { earmark: SERVER } })
  const without = merge(codex, text, undefined)
  expect(parseToml(without).mcp_servers?.earmark).toBeUndefined()
  for (const remark of ['# first', '# before', '# after', '# last']) {
    expect(changed).toContain(remark.slice(2))
    expect(without).toContain(remark.slice(2))
  }
  expect(without).not.toMatch(/earmark|ours|old/)
})

test('a TOML file of very many empty lines is changed at once', () => {
  const codex = HOSTS.find(({ id }) => id === 'codex') as Host
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
])('%s: %s is left alone at once', async ([id = '', , text = '']) => {
  const own = machine()
  const file = HOSTS.find((host) => host.id === id)?.file(own) ?? ''
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const editors = openEditors(tempFolder(), own)
  const begun = performance.now()
  await expect(editors.connect(id, SERVER, false)).rejects.toThrow(/too large, or .*Nothing was changed.*yourself/)
  expect((await editors.list()).find((one) => one.id === id)).toMatchObject({ connected: false })
  expect(performance.now() - begun).toBeLessThan(1000)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('of YAML with many faults, the line of the first is reported', () => {
  const host = HOSTS.find(({ id }) => id === 'continue') as Host
  const text = `a: 1\nb: [${'[]'.repeat(1000)}]\n`
  expect(() => merge(host, text, host.entry(SERVER))).toThrow(/not valid YAML \(.* in line 2\). Nothing was changed/)
})

test('TOML strings may hold many dots', () => {
  const codex = HOSTS.find(({ id }) => id === 'codex') as Host
  const text = `a = "${'b.'.repeat(1000)}"\n[mcp_servers.other]\nargs = ['${'b.'.repeat(1000)}']\n`
  expect(merge(codex, text, codex.entry(SERVER)).startsWith(text)).toBe(true)
})

test('a JSON file of 15,000 servers in one line is changed at once, and stays in one line', () => {
  const cursor = HOSTS.find(({ id }) => id === 'cursor') as Host
  const servers = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`s${index}`, { command: 'x' }]))
  const text = JSON.stringify({ mcpServers: servers })
  const begun = performance.now()
  const connected = merge(cursor, text, cursor.entry(SERVER))
  expect(performance.now() - begun).toBeLessThan(2000)
  expect(JSON.parse(connected)).toEqual({ mcpServers: { ...servers, earmark: cursor.entry(SERVER) } })
  expect(connected).not.toContain('\n')
  expect(JSON.parse(merge(cursor, connected, undefined))).toEqual(JSON.parse(text))
})

test.for([['a: *nobody\n'], ['mcpServers:\n  - &e\n    name: earmark\n    command: x\nextra: *e\n']])(
  'YAML that cannot be written again is left alone: %j',
  async ([text = '']) => {
    const own = machine()
    const file = HOSTS.find(({ id }) => id === 'continue')?.file(own) ?? ''
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    await expect(openEditors(tempFolder(), own).connect('continue', SERVER, false)).rejects.toThrow(
      /Nothing was changed/
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
)

test('a file behind a link is changed where it lies', async () => {
  const own = machine()
  const real = join(own.home, 'dotfiles-cursor.json')
  writeFileSync(real, '{}')
  mkdirSync(join(own.home, '.cursor'))
  symlinkSync(real, join(own.home, '.cursor/mcp.json'))
  const editors = openEditors(tempFolder(), own)
  await editors.connect('cursor', SERVER, false)
  expect(readFileSync(real, 'utf8')).toContain('earmark')
  await editors.disconnect('cursor', false)
  expect(readFileSync(real, 'utf8')).toBe('{}')
})

test('a file without the key keeps its mode, though what the process makes is its owner’s alone', async () => {
  const usual = process.umask(0o077)
  onTestFinished(() => void process.umask(usual))
  const own = machine()
  const file = join(own.home, '.gemini/settings.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{}')
  chmodSync(file, 0o644)
  const editors = openEditors(tempFolder(), own)
  const change = await editors.connect('gemini', { ...SERVER, env: undefined }, false)
  expect(change.madePrivate).toBeUndefined()
  expect(readFileSync(file, 'utf8')).toContain('earmark')
  expect(statSync(file).mode & 0o777).toBe(0o644)
})

test('a file that gets the key can be read by its owner alone from then on, and that is said', async () => {
  const own = machine()
  const file = join(own.home, '.gemini/settings.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{}')
  chmodSync(file, 0o644)
  const editors = openEditors(tempFolder(), own)
  expect(await editors.connect('gemini', SERVER, true)).toMatchObject({ madePrivate: true })
  expect(statSync(file).mode & 0o777).toBe(0o644)
  expect(await editors.connect('gemini', SERVER, false)).toMatchObject({ madePrivate: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await editors.connect('gemini', SERVER, false)).madePrivate).toBeUndefined()
})

test('a link to a file that is not there yet stays a link', async () => {
  const own = machine()
  const real = join(own.home, 'dotfiles/cursor.json')
  mkdirSync(join(own.home, '.cursor'))
  symlinkSync(real, join(own.home, '.cursor/mcp.json'))
  await openEditors(tempFolder(), own).connect('cursor', SERVER, false)
  expect(readFileSync(real, 'utf8')).toContain('earmark')
  expect(lstatSync(join(own.home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true)
})

test('numbers and line ends in YAML stay as they are written', async () => {
  const own = machine()
  const file = join(own.home, '.continue/config.yaml')
  mkdirSync(dirname(file))
  const text = ['id: 1096543210987654321', 'mode: 0777', 'k: 00123', 'm: 1e400', 'h: 1.123456789012345678901', ''].join(
    '\r\n'
  )
  writeFileSync(file, text)
  await openEditors(tempFolder(), own).connect('continue', { ...SERVER, args: ['00123'] }, false)
  const now = readFileSync(file, 'utf8')
  expect(now.startsWith(text)).toBe(true)
  expect(now).toMatch(/"00123"/)
  expect(now.replaceAll('\r\n', '')).not.toContain('\n')
})

test('line ends and indents are those of the file', async () => {
  const own = machine()
  const file = join(own.home, '.cursor/mcp.json')
  mkdirSync(dirname(file))
  writeFileSync(file, '\ufeff{\r\n    "a": 1\r\n}\r\n')
  await openEditors(tempFolder(), own).connect('cursor', SERVER, false)
  expect(readFileSync(file, 'utf8')).toMatch(/^\ufeff\{\r\n {4}"a": 1,\r\n {4}"mcpServers": \{\r\n {8}"earmark"/)
})

test('where no copy of an editor’s file can be kept, nothing is changed', async () => {
  const data = tempFolder()
  const own = machine()
  const cursor = HOSTS.find(({ id }) => id === 'cursor') as Host
  const file = cursor.file(own)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{}')

  writeFileSync(join(data, 'editors'), '')
  await expect(openEditors(data, own).connect('cursor', SERVER, false)).rejects.toThrow(
    /cannot write .*, the copy of .* that it keeps/
  )
  expect(readFileSync(file, 'utf8')).toBe('{}')
})

test('an editor that is not known is answered with those that are', async () => {
  await expect(openEditors(tempFolder(), machine()).connect('emacs', SERVER, false)).rejects.toThrow(
    /Known: vscode, cursor/
  )
})

test('a folder that cannot be written is said to be so, and nothing is left behind', async () => {
  const own = machine()
  writeFileSync(join(own.home, '.cursor'), 'a file where the folder should be')
  await expect(openEditors(tempFolder(), own).connect('cursor', SERVER, false)).rejects.toThrow(/cannot be written/)
  rmSync(join(own.home, '.cursor'))
})

/** Names in add-mcp, where they differ. */
const THEIRS: Record<string, string> = { gemini: 'gemini-cli', copilot: 'github-copilot-cli' }

describe('place and form are as add-mcp has them', () => {
  const known = HOSTS.flatMap((host) => {
    const agent = Object.values(agents).find(({ name }) => name === (THEIRS[host.id] ?? host.id))
    return agent ? [{ host, agent, name: host.name }] : []
  })

  test('for all hosts it knows', () => {
    expect(known.length).toBeGreaterThanOrEqual(12)
  })

  test.each(known)('$name', ({ host, agent }) => {
    const file = host.file({ platform: process.platform, home: homedir(), env: process.env })
    if (host.id !== 'opencode' && !process.env.XDG_CONFIG_HOME) expect(file).toBe(agent.configPath)
    expect([host.format, host.servers]).toEqual([agent.format, agent.configKey])
    const loose = (entry: unknown) => ({ ...(entry as object), type: undefined, disabled: undefined })
    expect(loose(host.entry(SERVER))).toEqual(loose(agent.transformConfig('earmark', SERVER)))
  })
})
