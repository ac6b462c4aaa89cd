import { describe, expect, test, vi } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { earmark } from '../../support/command-line.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('wrong usage', () => {
  const rows: [line: string, message: RegExp][] = [
    ['nonsense', /nonsense/],
    ['serve --nonsense', /--nonsense/],
    ['serve --port x', /--port.*65535/],
    ['serve --port 65536', /--port.*65535/],
    ['serve --port -1', /--port/],
    ['serve --port 1.5', /--port.*65535/],
    ['keys create', /--name/],
    ['keys create x --name y', /the name once/],
    ['keys create --name x --expires 0', /--expires.*3650/],
    ['keys create --name x --expires soon', /--expires.*3650/],
    ['keys create --name x --expires 3651', /--expires.*3650/],
    ['keys revoke', /id/],
    ['keys nonsense', /nonsense/],
    ['organizations create', /--name/],
    ['import', /file/],
    ['import urls.txt --watch --dry-run', /--watch.*--dry-run/],
    ['add', /urls/],
    ['add https://a.example/ https://b.example/ --title Both', /--title/],
    ['search --limit 0', /--limit/],
    ['search --limit 101', /--limit.*100/],
    ['search --page x', /--page/],
    ['search --type video', /--type/],
    ['duplicates --limit 0', /--limit/],
    ['restore', /name a backup/],
    ['restore x --newest', /name a backup/],
    ['connect chromium --key-file', /a browser needs no key/],
    ['connect codex --key-id x --new-key', /not both/]
  ]

  test.each(rows)('earmark %s exits 2 with one line, also as JSON, and touches nothing', async (line, message) => {
    // Were one taken all the same, it would write there.
    vi.stubEnv('HOME', tempFolder())
    vi.stubEnv('XDG_CONFIG_HOME', '')
    const args = [...line.split(' '), ...(line === 'nonsense' ? [] : ['--data', tempFolder()])]
    const plain = await earmark(args)
    expect({ code: plain.code, stdout: plain.stdout }).toEqual({ code: 2, stdout: '' })
    expect(plain.stderr).toMatch(message)
    expect(plain.stderr.trimEnd().split('\n')).toHaveLength(1)
    const wanted = await earmark([...args, '--json'])
    expect({ code: wanted.code, stderr: wanted.stderr }).toEqual({ code: 2, stderr: '' })
    expect(JSON.parse(wanted.stdout)).toStrictEqual({
      error: { code: 'usage', message: expect.stringMatching(message) }
    })
  })

  test('earmark alone shows its commands and exits 2', async () => {
    const { code, stdout, stderr } = await earmark([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/Usage: earmark/)
  })
})

describe('--help and --version', () => {
  test.each([
    { args: [], names: ['serve', 'keys', 'organizations', 'import', 'login'] },
    { args: ['serve'], names: ['--port', '--data', '--json'] },
    { args: ['keys'], names: ['create', 'list', 'revoke'] },
    {
      args: ['keys', 'create'],
      names: ['--name', '--organization', '--key-file', '--read-only', '--tag', '--expires', '--data', '--json']
    },
    { args: ['organizations'], names: ['create', 'list'] },
    { args: ['import'], names: ['[file]', '--format', '--dry-run', '--undo', '--watch', '--data', '--json'] },
    { args: ['export'], names: ['<file>', '--format', '--words', '--tag', '--domain', '--type', '--data', '--json'] },
    { args: ['backup'], names: ['[file]', '--data', '--json'] },
    { args: ['restore'], names: ['[file]', '--newest', '--empty', '--data', '--json'] },
    { args: ['doctor'], names: ['--repair', '--data', '--json'] },
    { args: ['login'], names: ['--data', '--json'] }
  ])('earmark $args --help names $names and exits 0', async ({ args, names }) => {
    const { code, stdout, stderr } = await earmark([...args, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of names) expect(stdout).toContain(name)
  })

  test('earmark --version is the package’s', async () => {
    expect(await earmark(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })
})
