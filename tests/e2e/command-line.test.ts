import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { earmark, expectPlainProblem, expectProblem, json, keysIn, modeOf, started } from '../support/command-line.ts'
import { type Running, startProgram, withoutKeychain } from '../support/program.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** What the machine in `withoutKeychain` makes of a secret. */
const KEPT = process.platform === 'linux' ? 'shown-once' : 'stored'

const KEY = /^emk_[0-9A-Za-z]{49}$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const PLACES = ['through a running service', 'with no service running']

describe.each(PLACES)('%s', (where) => {
  /** One library for what does not mind what else is in it. */
  const data = tempFolder(afterAll)
  let service: Running | undefined
  beforeAll(async () => {
    if (where !== 'through a running service') return
    service = await startProgram(data, [], { env: withoutKeychain, afterwards: () => {} })
  })
  afterAll(async () => {
    await service?.end('SIGTERM')
  })

  test('keys create gives the id, the key, its prefix and where the secret is', async () => {
    const made = await json(['keys', 'create', '--name', 'editor', '--data', data])
    expect(made).toStrictEqual({
      id: expect.any(String),
      key: expect.any(String),
      prefix: expect.any(String),
      keychain: KEPT
    })
    expect(made.key).toMatch(KEY)
    expect(made.prefix).toBe(made.key.slice(0, 10))
  })

  test('keys revoke ends a key', async () => {
    const { id } = await json(['keys', 'create', '--name', 'editor', '--data', data])
    expect(await json(['keys', 'revoke', id, '--data', data])).toMatchObject({ id })
    const gone = expect.objectContaining({ id, state: 'revoked', revokedAt: expect.stringMatching(TIME) })
    expect(await keysIn(data)).toContainEqual(gone)
  })

  test('import counts every record, and again as duplicates', async () => {
    const file = join(tempFolder(), 'bookmarks.html')
    writeFileSync(
      file,
      `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://one.example/">One</A>
<DT><A HREF="https://two.example/">Two</A>
<DT><A HREF="javascript:alert(1)">Three</A>
</DL>
`
    )
    const rejects = [{ line: 5, reason: expect.stringContaining('javascript') }]
    expect(await json(['import', file, '--data', data])).toEqual({
      imported: 2,
      duplicate: 0,
      rejected: 1,
      rejects,
      undo: expect.any(Number)
    })
    expect(await json(['import', file, '--data', data])).toEqual({ imported: 0, duplicate: 2, rejected: 1, rejects })
  })

  test('export writes the format its file’s name says, by filter, and an import elsewhere gives the same', async () => {
    const data = await library()
    const folder = tempFolder()
    const list = join(folder, 'urls.txt')
    writeFileSync(list, 'https://one.example/\nhttps://two.example/\n')
    await json(['import', list, '--data', data])
    const file = join(folder, 'all.jsonl')
    expect(await json(['export', file, '--data', data])).toEqual({
      file,
      format: 'jsonl',
      bytes: statSync(file).size,
      leftOut: expect.any(String)
    })
    expect(modeOf(file)).toBe('600')
    expect(await json(['import', file, '--data', tempFolder()])).toMatchObject({ imported: 2, rejected: 0 })
    const table = join(folder, 'one.csv')
    await json(['export', table, '--domain', 'one.example', '--data', data])
    expect(readFileSync(table, 'utf8').trim().split('\r\n')).toHaveLength(2)
    expect(readdirSync(folder).sort()).toEqual(['all.jsonl', 'one.csv', 'urls.txt'])
  })

  test('backup copies the library, and restore elsewhere gives the same', async () => {
    const data = await library()
    await json(['organizations', 'create', '--name', 'Acme', '--data', data])
    const file = join(tempFolder(), 'copy.sqlite')
    const made = await json(['backup', file, '--data', data])
    expect(made).toEqual({ file, bytes: statSync(file).size, at: expect.stringMatching(TIME) })
    const other = tempFolder()
    expect(await json(['restore', file, '--data', other])).toEqual({
      restored: file,
      from: expect.stringMatching(TIME),
      bookmarks: 0,
      kept: null
    })
    expect(await json(['organizations', 'list', '--data', other])).toMatchObject({ organizations: [{ name: 'Acme' }] })
    expect(readdirSync(join(data, 'backups'))).toHaveLength(1)
  })

  // The same wherever the library is open: `npm run test:full` asks it in both places.
  if (where === PLACES[0] || runs(false, true)) {
    const problems: { name: string; args: string[]; code: string; message: RegExp }[] = [
      {
        name: 'revoking an unknown key',
        args: ['keys', 'revoke', 'nobody'],
        code: 'not-found',
        message: /key.*nobody/
      },
      {
        name: 'a key for an unknown organization',
        args: ['keys', 'create', '--name', 'x', '--organization', 'Nowhere'],
        code: 'not-found',
        message: /organization.*Nowhere/
      },
      { name: 'a key without a name', args: ['keys', 'create', '--name', ' '], code: 'invalid', message: /name/ },
      {
        name: 'an organization without a name',
        args: ['organizations', 'create', '--name', ''],
        code: 'invalid',
        message: /name/
      },
      {
        name: 'importing no file',
        args: ['import', '/nowhere/x.html'],
        code: 'not-found',
        message: /\/nowhere\/x\.html/
      },
      { name: 'importing a program', args: ['import', process.execPath], code: 'invalid', message: /bookmark file/ },
      { name: 'backing up into no folder', args: ['backup', '/nowhere/x'], code: 'not-found', message: /\/nowhere\/x/ },
      { name: 'exporting to no known format', args: ['export', 'x.docx'], code: 'invalid', message: /\.jsonl/ },
      {
        name: 'exporting into no folder',
        args: ['export', '/nowhere/x.jsonl'],
        code: 'not-found',
        message: /\/nowhere\/x\.jsonl.* cannot be written/
      },
      {
        name: 'importing a folder',
        args: ['import', import.meta.dirname],
        code: 'not-found',
        message: /e2e cannot be read/
      }
    ]

    test('keys list shows every key and no secret', async () => {
      const made = await json(['keys', 'create', '--name', 'listed', '--data', data])
      const { code, stdout } = await earmark(['keys', 'list', '--json', '--data', data])
      expect(code).toBe(0)
      expect(stdout).not.toContain(made.key)
      expect(JSON.parse(stdout).keys).toContainEqual(
        expect.objectContaining({
          id: made.id,
          name: 'listed',
          prefix: made.prefix,
          keychain: KEPT,
          organization: null,
          readOnly: false,
          state: 'active',
          createdAt: expect.stringMatching(TIME),
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null,
          lastClient: null
        })
      )
    })

    test('a key can give tags to what it saves', async () => {
      const data = tempFolder()
      await json(['keys', 'create', '--name', 'agent', '--tag', '#agent', '--tag', 'to read', '--data', data])
      expect(await keysIn(data)).toMatchObject([{ tags: ['agent', 'to read'] }])
      expect((await earmark(['keys', 'list', '--data', data])).stdout).toContain('#agent  #to read')
    })

    test('a key can be read-only, can expire and can belong to an organization', async () => {
      const acme = await json(['organizations', 'create', '--name', 'Acme', '--data', data])
      await json(['keys', 'create', '--name', 'reader', '--read-only', '--data', data])
      await json(['keys', 'create', '--name', 'guest', '--expires', '30', '--data', data])
      for (const organization of ['Acme', 'acme', acme.id]) {
        await json(['keys', 'create', '--name', `of ${organization}`, '--organization', organization, '--data', data])
      }
      const keys = Object.fromEntries((await keysIn(data)).map((key) => [key.name, key]))
      expect(keys.reader).toMatchObject({ readOnly: true, expiresAt: null, organization: null })
      expect(keys.guest).toMatchObject({ readOnly: false, organization: null })
      expect(Date.parse(keys.guest?.expiresAt ?? '') - Date.parse(keys.guest?.createdAt ?? '')).toBe(30 * 86_400_000)
      for (const name of ['of Acme', 'of acme', `of ${acme.id}`]) {
        expect(keys[name]).toMatchObject({ organization: { id: acme.id, name: 'Acme' } })
      }
    })

    test('keys create --key-file keeps the secret in a file of the owner’s alone, until the key is revoked', async () => {
      const made = await json(['keys', 'create', '--name', 'server', '--key-file', '--data', data])
      expect(made).toStrictEqual({
        id: made.id,
        key: expect.stringMatching(KEY),
        prefix: made.prefix,
        keychain: 'file'
      })
      const file = join(data, 'keys', `${made.id}.key`)
      expect(readFileSync(file, 'utf8').trim()).toBe(made.key)
      expect(modeOf(file)).toBe('600')
      expect(modeOf(join(data, 'keys'))).toBe('700')
      await json(['keys', 'revoke', made.id, '--data', data])
      expect(existsSync(file)).toBe(false)
    })

    test('organizations create and list give id, name and time', async () => {
      const made = await json(['organizations', 'create', '--name', 'Listed', '--data', data])
      expect(made).toStrictEqual({
        id: expect.any(String),
        name: 'Listed',
        createdAt: expect.stringMatching(TIME),
        bookmarks: 0,
        keys: 0
      })
      expect((await json(['organizations', 'list', '--data', data])).organizations).toContainEqual(made)
    })

    test('import --dry-run says what would be, and --undo takes an import back', async () => {
      const data = await library()
      const file = join(tempFolder(), 'urls.txt')
      writeFileSync(file, 'https://one.example/\nhttps://two.example/\n')
      const counts = { imported: 2, duplicate: 0, rejected: 0, rejects: [] }
      expect(await json(['import', file, '--dry-run', '--data', data])).toEqual(counts)
      expect(await json(['search', '--data', data])).toMatchObject({ total: 0 })
      const { undo } = await json(['import', file, '--data', data])
      expect(await json(['import', '--undo', String(undo), '--data', data])).toEqual({ undone: 2, kept: 0 })
      expect(await json(['search', '--data', data])).toMatchObject({ total: 0 })
      await expectProblem(['import', '--undo', String(undo), '--data', data], 'not-found', /undone before/)
    })

    test('a person reads plain lines instead', async () => {
      const { code, stdout, stderr } = await earmark(['keys', 'create', '--name', 'editor', '--data', data])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.split('\n')[0]).toMatch(KEY)
      expect((await earmark(['keys', 'list', '--data', data])).stdout).toMatch(/editor.*active/)
    })

    test.each(problems)('$name is one clear problem', async ({ args, code, message }) => {
      await expectProblem([...args, '--data', data], code, message)
    })

    test('a person is told a problem in one plain line', async () => {
      await expectPlainProblem(['keys', 'revoke', 'nobody', '--data', data], 'There is no key with the id nobody.')
    })

    test('an organization’s name is taken once, in any case', async () => {
      await json(['organizations', 'create', '--name', 'Taken', '--data', data])
      await expectProblem(['organizations', 'create', '--name', 'TAKEN', '--data', data], 'taken', /TAKEN/)
    })
  }

  /** One that holds nothing yet. */
  async function library(): Promise<string> {
    const empty = tempFolder()
    if (where === 'through a running service') await startProgram(empty, [], { env: withoutKeychain })
    return empty
  }
})

describe('restore', () => {
  test('is refused while a service has the library', async () => {
    const { data } = await started()
    await expectProblem(['restore', process.execPath, '--data', data], 'library-in-use', /already using/)
  })

  test('refuses what is no backup and names what is there', async () => {
    const data = tempFolder()
    await json(['keys', 'list', '--data', data])
    await expectProblem(['restore', process.execPath, '--data', data], 'not-a-library', /not/)
    await expectProblem(['restore', 'daily-2020-01-01.sqlite', '--data', data], 'not-found', /daily-2020/)
    expect(readdirSync(data).filter((name) => name.startsWith('replaced'))).toEqual([])
  })
})

describe('login', () => {
  test('gives a new link to the running service each time', async () => {
    const service = await started()
    const first = await json(['login', '--data', service.data])
    const second = await json(['login', '--data', service.data])
    expect(first).toStrictEqual({ login: expect.stringMatching(new RegExp(`^${service.url}/login#[\\w-]{20,}$`)) })
    expect(second.login).not.toBe(first.login)
    expect(first.login).not.toBe(service.login)
  })

  test('says so when no service runs', async () => {
    await expectProblem(['login', '--data', tempFolder()], 'service-unreachable', /not running/)
  })

  test('says so when the service was killed', async () => {
    const service = await started()
    await service.end('SIGKILL')
    await expectProblem(['login', '--data', service.data], 'service-unreachable', /not running/)
  })
})

describe('wrong usage', () => {
  const rows = [
    { args: ['nonsense'], message: /nonsense/ },
    { args: ['serve', '--nonsense'], message: /--nonsense/ },
    { args: ['serve', '--port', 'x'], message: /--port.*65535/ },
    { args: ['serve', '--port', '65536'], message: /--port.*65535/ },
    { args: ['serve', '--port', '-1'], message: /--port/ },
    { args: ['serve', '--port', '1.5'], message: /--port.*65535/ },
    { args: ['keys', 'create'], message: /--name/ },
    { args: ['keys', 'create', '--name', 'x', '--expires', '0'], message: /--expires.*3650/ },
    { args: ['keys', 'create', '--name', 'x', '--expires', 'soon'], message: /--expires.*3650/ },
    { args: ['keys', 'create', '--name', 'x', '--expires', '3651'], message: /--expires.*3650/ },
    { args: ['keys', 'revoke'], message: /id/ },
    { args: ['keys', 'nonsense'], message: /nonsense/ },
    { args: ['organizations', 'create'], message: /--name/ },
    { args: ['import'], message: /file/ }
  ]

  test.each(rows.map((row) => ({ ...row, line: row.args.join(' ') })))('earmark $line exits 2', async (row) => {
    const plain = await earmark(row.args)
    expect({ code: plain.code, stdout: plain.stdout }).toEqual({ code: 2, stdout: '' })
    expect(plain.stderr).toMatch(row.message)
    expect(plain.stderr.trimEnd().split('\n')).toHaveLength(1)
    if (!runs(false, true)) return
    const wanted = await earmark([...row.args, '--json'])
    expect({ code: wanted.code, stderr: wanted.stderr }).toEqual({ code: 2, stderr: '' })
    expect(JSON.parse(wanted.stdout)).toStrictEqual({
      error: { code: 'usage', message: expect.stringMatching(row.message) }
    })
  })

  test('and says so as JSON where that is asked for', async () => {
    const { code, stdout, stderr } = await earmark(['serve', '--port', 'x', '--json'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(JSON.parse(stdout)).toStrictEqual({ error: { code: 'usage', message: expect.stringMatching(/--port/) } })
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
