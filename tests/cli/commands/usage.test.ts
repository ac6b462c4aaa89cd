import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { runCommandLine } from '../../../src-main/cli/program.ts'
import { asTyped } from '../../../src-main/host/own-program.ts'
import { earmark } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test.each([
  ['nonsense', /nonsense/],
  ['serve --nonsense', /--nonsense/],
  ['serve --port x', /--port.*65535/],
  ['serve --port 65536', /--port.*65535/],
  ['serve --port -1', /--port/],
  ['serve --port 1.5', /--port.*65535/],
  ['keys create', /keys create NAME/],
  ['keys create x --name y', /the name once/],
  ['keys create --name x --expires 0', /--expires.*3650/],
  ['keys create --name x --expires soon', /--expires.*3650/],
  ['keys create --name x --expires 3651', /--expires.*3650/],
  ['keys revoke', /id/],
  ['keys nonsense', /nonsense/],
  ['organizations create', /organizations create NAME/],
  ['import', /file/],
  ['import urls.txt --watch', /--watch/],
  ['add', /urls/],
  ['add https://a.example/ https://b.example/ --title Both', /--title/],
  ['search --limit 0', /--limit/],
  ['search --limit 101', /--limit.*100/],
  ['search --page x', /--page/],
  ['search --type video', /--type/],
  ['search x --tga y', /unknown option '--tga'/],
  ['search x -limit 3', /unknown option '-limit'/],
  ['duplicates --limit 0', /--limit/],
  ['check-links --type color', /--type/],
  ['restore', /name a backup/],
  ['restore x --newest', /name a backup/],
  ['connect chromium --key-file', /a browser needs no key/],
  ['connect codex --key-id x --new-key', /not both/]
])('earmark %s exits with 2 and one line, also as JSON', async (line, message) => {
  // A command that runs by mistake writes there.
  vi.stubEnv('HOME', tempFolder())
  vi.stubEnv('XDG_CONFIG_HOME', '')
  const args = [...line.split(' '), ...(line === 'nonsense' ? [] : ['--data', tempFolder()])]
  const plain = await earmark(args)
  expect({ code: plain.code, stdout: plain.stdout }).toEqual({ code: 2, stdout: '' })
  expect(plain.stderr).toMatch(message)
  expect(plain.stderr.trimEnd().split('\n')).toHaveLength(1)
  const asJson = await earmark([...args, '--json'])
  expect({ code: asJson.code, stderr: asJson.stderr }).toEqual({ code: 2, stderr: '' })
  expect(JSON.parse(asJson.stdout)).toStrictEqual({ error: { code: 'usage', message: expect.stringMatching(message) } })
})

test('earmark without a command prints its usage and exits with 2', async () => {
  const { code, stdout, stderr } = await earmark([])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/Usage: earmark/)
})

test('--help and --version print and exit with 0', async () => {
  expect(await earmark(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  const { code, stdout, stderr } = await earmark(['keys', 'create', '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const option of ['--name', '--organization', '--key-file', '--read-only', '--tag', '--expires', '--data']) {
    expect(stdout).toContain(option)
  }
})

test.each([
  [['--data', 'DATA', 'search', 'x', '--json']],
  [['--json', '--data=DATA', 'keys', 'list']],
  [['--data', 'DATA', '--json', 'search', '--', '-x']]
])('%j takes the options of every command before the command too', async (line) => {
  const data = tempFolder()
  putEmptyLibrary(data)
  const { code, stdout } = await earmark(line.map((word) => word.replace('DATA', data)))
  expect([code, Object.keys(JSON.parse(stdout))[0]]).toEqual([0, line.includes('keys') ? 'keys' : 'total'])
})

test.each(['bash', 'zsh', 'fish', 'powershell'])('complete prints a script for %s', async (shell) => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => lines.mockRestore())
  expect((await earmark(['complete', shell])).code).toBe(0)
  expect(String(lines.mock.calls)).toContain('earmark')
})

test('what a shell asks for is completed: commands, their parts and options', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => lines.mockRestore())
  const suggested = async (...words: string[]) => {
    lines.mockClear()
    await earmark(['complete', '--', ...words])
    return lines.mock.calls.map(([line]) => String(line).split('\t')[0])
  }
  expect(await suggested('du')).toContain('duplicates')
  expect(await suggested('keys', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']))
  expect(await suggested('search', '--')).toEqual(expect.arrayContaining(['--exactly', '--long']))
})

test('each command in a message is replaced by what a person types', async () => {
  const { stdout } = await earmark(['--help'])
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) .*\S/gm)].map(([, name = '']) => name)
  expect(names).toContain('check-links')
  // No message names these: browsers start the native host.
  const named = names.filter((name) => !['help', 'native-host', 'complete'].includes(name))
  for (const name of named) expect(asTyped(`earmark ${name}`)).not.toBe(`earmark ${name}`)
})

test.for([
  [['import', 'b.html'], { npm_config_dry_run: 'true' }, '--dry-run'],
  [['connect', 'cursor'], { npm_config_undo: 'true' }, '--undo']
] as const)('%j is refused if npm kept an option for itself', async ([args, kept, option]) => {
  const { code, stderr } = await runThroughNpm([...args], kept)
  expect([code, stderr]).toEqual([
    2,
    `error: npm kept ${option} for itself. Put -- before the command: npm run -s earmark -- ${args.join(' ')} ${option}\n`
  ])
})

test('an option that may come from an .npmrc is no reason to refuse a command', async () => {
  const { code } = await runThroughNpm(['search', '--help'], { npm_config_json: 'true', npm_config_port: 'true' })
  expect(code).toBe(0)
})

async function runThroughNpm(args: string[], config: object) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough({ encoding: 'utf8' }) }
  const host = Object.assign(new PassThrough(), streams, { kill: () => {} })
  const code = await runCommandLine(args, host as never, { npm_lifecycle_event: 'earmark', ...config })
  return { code, stderr: streams.stderr.read() }
}
