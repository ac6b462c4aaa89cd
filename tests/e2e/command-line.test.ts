import { hash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import {
  type Ended,
  launchProgram,
  type Running,
  runProgram,
  startProgram,
  withoutKeychain
} from '../support/program.ts'
import { rawRequest } from '../support/raw-http.ts'
import { tempFolder } from '../support/temp-folder.ts'

const linux = process.platform === 'linux'

/** Some machines and containers have no IPv6 at all. */
const ipv6 = await canListenOn('::1')

/** What the machine in `withoutKeychain` makes of a secret. */
const KEPT = linux ? 'shown-once' : 'stored'

const KEY = /^emk_[0-9A-Za-z]{49}$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

describe.each([{ where: 'through a running service' }, { where: 'with no service running' }])('$where', ({ where }) => {
  test('keys create gives the id, the key, its prefix and where the secret is', async () => {
    const data = await library()
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

  test('keys list shows every key and no secret', async () => {
    const data = await library()
    const made = await json(['keys', 'create', '--name', 'editor', '--data', data])
    const { code, stdout } = await earmark(['keys', 'list', '--json', '--data', data])
    expect(code).toBe(0)
    expect(stdout).not.toContain(made.key)
    expect(JSON.parse(stdout)).toMatchObject({
      keys: [
        {
          id: made.id,
          name: 'editor',
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
        }
      ]
    })
  })

  test('keys revoke ends a key', async () => {
    const data = await library()
    const { id } = await json(['keys', 'create', '--name', 'editor', '--data', data])
    expect(await json(['keys', 'revoke', id, '--data', data])).toMatchObject({ id })
    expect(await keysIn(data)).toMatchObject([{ id, state: 'revoked', revokedAt: expect.stringMatching(TIME) }])
  })

  test('a key can be read-only, can expire and can belong to an organization', async () => {
    const data = await library()
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
    const data = await library()
    const made = await json(['keys', 'create', '--name', 'server', '--key-file', '--data', data])
    expect(made).toStrictEqual({ id: made.id, key: expect.stringMatching(KEY), prefix: made.prefix, keychain: 'file' })
    const file = join(data, 'keys', `${made.id}.key`)
    expect(readFileSync(file, 'utf8').trim()).toBe(made.key)
    expect(modeOf(file)).toBe('600')
    expect(modeOf(join(data, 'keys'))).toBe('700')
    await json(['keys', 'revoke', made.id, '--data', data])
    expect(existsSync(file)).toBe(false)
  })

  test('organizations create and list give id, name and time', async () => {
    const data = await library()
    const made = await json(['organizations', 'create', '--name', 'Acme', '--data', data])
    expect(made).toStrictEqual({
      id: expect.any(String),
      name: 'Acme',
      createdAt: expect.stringMatching(TIME),
      bookmarks: 0,
      keys: 0
    })
    expect(await json(['organizations', 'list', '--data', data])).toStrictEqual({ organizations: [made] })
  })

  test('import counts every record, and again as duplicates', async () => {
    const data = await library()
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
      undo: 1
    })
    expect(await json(['import', file, '--data', data])).toEqual({ imported: 0, duplicate: 2, rejected: 1, rejects })
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

  test('a person reads plain lines instead', async () => {
    const data = await library()
    const { code, stdout, stderr } = await earmark(['keys', 'create', '--name', 'editor', '--data', data])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')[0]).toMatch(KEY)
    expect((await earmark(['keys', 'list', '--data', data])).stdout).toMatch(/editor.*active/)
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

  const problems: { name: string; args: string[]; code: string; message: RegExp }[] = [
    { name: 'revoking an unknown key', args: ['keys', 'revoke', 'nobody'], code: 'not-found', message: /key.*nobody/ },
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

  test.each(problems)('$name is one clear problem', async ({ args, code, message }) => {
    await expectProblem([...args, '--data', await library()], code, message)
  })

  test('an organization’s name is taken once, in any case', async () => {
    const data = await library()
    await json(['organizations', 'create', '--name', 'Acme', '--data', data])
    await expectProblem(['organizations', 'create', '--name', 'ACME', '--data', data], 'taken', /ACME/)
  })

  async function library(): Promise<string> {
    const data = tempFolder()
    if (where === 'through a running service') await startProgram(data, [], { env: withoutKeychain })
    return data
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
    const wanted = await earmark([...row.args, '--json'])
    expect({ code: wanted.code, stderr: wanted.stderr }).toEqual({ code: 2, stderr: '' })
    expect(JSON.parse(wanted.stdout)).toStrictEqual({
      error: { code: 'usage', message: expect.stringMatching(row.message) }
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
      names: ['--name', '--organization', '--key-file', '--read-only', '--expires', '--data', '--json']
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

describe('serve', () => {
  test('says in one line where it serves', async () => {
    const service = await started()
    const { url, mcp, login, pid, data } = service
    expect(JSON.parse(service.output.stdout)).toStrictEqual({ url, mcp, login, pid, data })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(mcp).toBe(`${url}/api/tools/mcp`)
    expect(login).toMatch(new RegExp(`^${url}/login#[\\w-]{20,}$`))
    expect(pid).toBe(service.child.pid)
    expect((await rawRequest(mcp)).status).toBe(401)
    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.output.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(service.output.stderr).toBe('')
  })

  test('takes the port it is given', async () => {
    const free = await listenOn('127.0.0.1')
    await closed(free.server)
    const service = await startProgram(tempFolder(), ['--port', `${free.port}`], { env: withoutKeychain })
    expect(service.url).toBe(`http://127.0.0.1:${free.port}`)
  })

  test('takes the port in settings where none is given', async () => {
    const free = await listenOn('127.0.0.1')
    await closed(free.server)
    const before = await started()
    await choosePort(before, free.port)
    await before.end('SIGTERM')
    const after = launchProgram(['serve', '--json', '--no-fetch', '--data', before.data], { env: withoutKeychain })
    expect(JSON.parse((await after.firstLine) ?? '')).toMatchObject({ url: `http://127.0.0.1:${free.port}` })
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends cleanly on %s and can be started again', async (signal) => {
    const service = await started()
    expect((await rawRequest(service.mcp)).status).toBe(401)
    expect(existsSync(join(service.data, 'service.json'))).toBe(true)
    expect(await service.end(signal)).toBe(0)
    expect(readdirSync(service.data).filter((name) => !KEPT_FILES.includes(name))).toEqual([])
    expect((await startProgram(service.data, [], { env: withoutKeychain })).pid).not.toBe(service.pid)
  })

  test('ends cleanly when it is told to the moment it serves, 10 times', async () => {
    const data = tempFolder()
    for (let round = 1; round <= 10; round++) {
      const service = launchProgram(['serve', '--json', '--port', '0', '--data', data], { env: withoutKeychain })
      service.child.stdout?.once('data', () => service.child.kill('SIGTERM'))
      expect((await service.ended).code, `round ${round}`).toBe(0)
      expect(existsSync(join(data, 'service.json')), `round ${round}`).toBe(false)
    }
  })

  test('starts again after it was killed, and commands work in between', async () => {
    const service = await started()
    await service.end('SIGKILL')
    expect(await json(['keys', 'list', '--data', service.data])).toEqual({ keys: [] })
    await startProgram(service.data, [], { env: withoutKeychain })
  })

  test('says within a second that another serves this library, 5 times', async () => {
    const service = await started()
    for (let round = 1; round <= 5; round++) {
      const begun = performance.now()
      const second = await earmark(['serve', '--json', '--port', '0', '--data', service.data])
      expect(performance.now() - begun).toBeLessThan(1000)
      expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 1, stderr: '' })
      const { error } = JSON.parse(second.stdout)
      expect(error).toStrictEqual({ code: 'library-in-use', message: expect.stringContaining(service.url) })
      expect(error.message).toContain(`${service.pid}`)
    }
    expect((await rawRequest(service.mcp)).status).toBe(401)
  })

  test('started twice at once serves once, 5 times', async () => {
    for (let round = 1; round <= 5; round++) {
      const data = tempFolder()
      const both = [0, 1].map(() =>
        launchProgram(['serve', '--json', '--port', '0', '--data', data], { env: withoutKeychain })
      )
      const lines = (await Promise.all(both.map(({ firstLine }) => firstLine))).map((line) =>
        JSON.parse(line ?? 'null')
      )
      expect(
        lines.filter((line) => line?.url !== undefined),
        JSON.stringify(lines)
      ).toHaveLength(1)
      expect(lines.find((line) => line?.url === undefined)).toMatchObject({ error: { code: 'library-in-use' } })
      expect((await both[lines.findIndex((line) => line.url === undefined)]?.ended)?.code).toBe(1)
      expect((await rawRequest(lines.find((line) => line.url).mcp)).status).toBe(401)
    }
  })

  test('never moves to another port: it says which is taken and who may have received keys', async () => {
    const data = tempFolder()
    const { port } = await listenOn('127.0.0.1')
    const message = new RegExp(`Port ${port} is taken.*keys.*received`)
    await expectProblem(['serve', '--port', `${port}`, '--data', data], 'port-taken', message)
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    await startProgram(data, [], { env: withoutKeychain })
  })

  test.runIf(ipv6)('warns of a program at the same port of [::1]', async () => {
    const { port } = await listenOn('::1')
    const service = await startProgram(tempFolder(), ['--port', `${port}`], { env: withoutKeychain })
    await expect.poll(() => service.output.stderr).toMatch(new RegExp(`\\[::1\\]:${port}.*127\\.0\\.0\\.1.*keys`))
    expect(service.output.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect((await rawRequest(service.mcp)).status).toBe(401)
  })

  const KEPT_FILES = ['earmark.lock', 'library.sqlite', 'library.seen', 'backups']
})

describe('the data folder', () => {
  test('and everything in it is the owner’s alone', async () => {
    const data = tempFolder()
    chmodSync(data, 0o755)
    const service = await startProgram(data, [], { env: withoutKeychain })
    const { id } = await json(['keys', 'create', '--name', 'server', '--key-file', '--data', data])
    const { bookmarks } = await insert(service, (await json(['keys', 'create', '--name', 'x', '--data', data])).key)
    expect(bookmarks).toHaveLength(1)
    expect(modeOf(data)).toBe('700')
    const found = readdirSync(data, { recursive: true, withFileTypes: true })
    const names = found.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['library.sqlite', 'library.sqlite-wal', 'library.sqlite-shm']))
    expect(names).toEqual(expect.arrayContaining(['earmark.lock', 'service.json', 'keys', `${id}.key`]))
    for (const entry of found) {
      expect(modeOf(join(entry.parentPath, entry.name)), entry.name).toBe(entry.isDirectory() ? '700' : '600')
    }
  })

  test('is made where it is missing', async () => {
    const data = join(tempFolder(), 'not/yet')
    await json(['keys', 'list', '--data', data])
    expect(modeOf(data)).toBe('700')
  })

  test.runIf(linux)('is the platform’s when none is named', async () => {
    const home = tempFolder()
    const env = { ...withoutKeychain, HOME: home, XDG_DATA_HOME: join(home, 'data') }
    expect((await runProgram(['keys', 'list', '--json'], env)).stdout).toBe('{"keys":[]}\n')
    expect(readdirSync(join(home, 'data'))).toEqual(['Earmark'])
    expect(existsSync(join(home, 'data/Earmark/library.sqlite'))).toBe(true)
  })

  test('that cannot be made is a problem that names it', async () => {
    const file = join(tempFolder(), 'a-file')
    writeFileSync(file, '')
    const data = join(file, 'x')
    await expectProblem(['serve', '--port', '0', '--data', data], 'data-folder-unusable', /a-file\/x.*--data/)
  })
})

describe('secrets', () => {
  test.runIf(linux)('are never in a command line of ours', async () => {
    const service = await started()
    const seen = new Set<string>()
    let over = false
    const command = json(['keys', 'create', '--name', 'watched', '--data', service.data]).finally(() => {
      over = true
    })
    while (!over) {
      for (const line of commandLines()) seen.add(line)
      await setImmediate()
    }
    const { key } = await command
    const { token } = JSON.parse(readFileSync(join(service.data, 'service.json'), 'utf8'))
    const all = [...seen].join('\n')
    expect(all).toContain('keys create --name watched')
    expect(all).toContain('keychain-child')
    for (const secret of [key, token, new URL(service.login).hash.slice(1)]) expect(all).not.toContain(secret)
  })

  test('are in nothing the service writes out or logs', async () => {
    const service = await started()
    const { key } = await json(['keys', 'create', '--name', 'x', '--data', service.data])
    const { token } = JSON.parse(readFileSync(join(service.data, 'service.json'), 'utf8'))
    await insert(service, key)
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answers = [
      await rawRequest(service.mcp, { method: 'POST', headers, body: '{' }),
      await rawRequest(service.mcp, { method: 'POST', headers: { ...headers, 'x-api-key': [key, key] }, body: '{' }),
      await rawRequest(`${service.url}/api/keys`, { headers: { authorization: `Bearer ${token}` } }),
      await rawRequest(`${service.url}/api/keys`, { headers: { authorization: `Bearer ${token}x` } })
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 200, 401])
    expect(await service.end('SIGTERM')).toBe(0)
    const log = join(service.data, 'earmark.log')
    const { stdout, stderr } = service.output
    const written = [
      ...answers.map(({ body }) => body),
      stdout,
      stderr,
      existsSync(log) ? readFileSync(log, 'utf8') : ''
    ]
    for (const text of written) {
      expect(text).not.toContain(key.slice(10))
      expect(text).not.toContain(token)
    }
  })
})

describe('a library that is not to be opened is refused and left as it is', () => {
  const rows: { name: string; code: string; message: RegExp; spoil: (file: string) => void }[] = [
    {
      name: 'an empty file',
      code: 'library-damaged',
      message: /empty.*backup/,
      spoil: (file) => writeFileSync(file, '')
    },
    {
      name: 'garbage',
      code: 'not-a-library',
      message: /not an Earmark library/,
      spoil: (file) => writeFileSync(file, randomBytes(8192))
    },
    {
      name: 'the beginning of a header',
      code: 'not-a-library',
      message: /not an Earmark library/,
      spoil: (file) => writeFileSync(file, 'SQLite format 3\0')
    },
    {
      name: 'another program’s database',
      code: 'not-a-library',
      message: /not an Earmark library/,
      spoil: (file) => withDatabase(`${file}.other`, file, 'CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)')
    },
    {
      name: 'a library of a newer Earmark',
      code: 'store-too-new',
      message: /newer version of Earmark.*9990.*Update/,
      spoil: (file) => withDatabase(file, file, 'PRAGMA user_version = 9990')
    },
    {
      name: 'a library of a newer Earmark that keeps another journal',
      code: 'store-too-new',
      message: /newer version of Earmark/,
      spoil: (file) => withDatabase(file, file, 'PRAGMA user_version = 9990; PRAGMA journal_mode = DELETE')
    },
    {
      name: 'a library of a newer Earmark that was killed',
      code: 'store-too-new',
      message: /newer version of Earmark/,
      spoil: (file) => leaveOpen(file, 'PRAGMA user_version = 9990')
    },
    {
      name: 'half a library',
      code: 'library-damaged',
      message: /damaged/,
      spoil: (file) => truncateSync(file, statSync(file).size / 2)
    },
    {
      name: 'a library whose pages were overwritten',
      code: 'library-damaged',
      message: /damaged/,
      spoil(file) {
        const bytes = readFileSync(file)
        writeFileSync(file, bytes.fill(0xa5, 4096))
      }
    }
  ]

  test.each(rows)('$name', async ({ code, message, spoil }) => {
    const data = tempFolder()
    await json(['keys', 'list', '--data', data])
    const file = join(data, 'library.sqlite')
    spoil(file)
    const before = contentOf(data)
    await expectProblem(['serve', '--port', '0', '--data', data], code, message)
    await expectProblem(['keys', 'list', '--data', data], code, message)
    expect(contentOf(data)).toEqual(before)
  })

  /** Every file with the digest of its bytes. Readers share `-shm`, which holds nothing of its own. */
  function contentOf(folder: string): Record<string, string> {
    const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'))
    const digest = (name: string) => hash('sha256', readFileSync(join(folder, name)))
    return Object.fromEntries(names.map((name) => [name, digest(name)]))
  }

  /** Runs SQL on a database and leaves it as a killed process would: the change is in the log only. */
  function leaveOpen(file: string, sql: string): void {
    const db = new Sqlite(file)
    db.exec(sql)
    const left = ['', '-wal'].map((suffix) => ({ path: `${file}${suffix}`, bytes: readFileSync(`${file}${suffix}`) }))
    db.close()
    for (const { path, bytes } of left) writeFileSync(path, bytes)
  }

  /** Runs SQL on a database and puts the outcome in `target`. */
  function withDatabase(source: string, target: string, sql: string): void {
    const db = new Sqlite(source)
    db.exec(sql)
    db.close()
    if (source !== target) copyFileSync(source, target)
  }
})

/** A command's JSON, as far as any of them goes. */
interface Printed {
  undo: number
  id: string
  key: string
  prefix: string
  login: string
  keys: { name: string; expiresAt: string | null; createdAt: string }[]
}

function earmark(args: string[]): Promise<Ended> {
  return runProgram(args, withoutKeychain)
}

/** A command that must succeed, and the one JSON object it prints. */
async function json(args: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await earmark([...args, '--json'])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  expect(stdout.endsWith('}\n')).toBe(true)
  return JSON.parse(stdout)
}

async function keysIn(data: string): Promise<Printed['keys']> {
  return (await json(['keys', 'list', '--data', data])).keys
}

/** Exit 1, and one line: on stderr for a person, as JSON for a program. */
async function expectProblem(args: string[], code: string, message: RegExp): Promise<void> {
  const plain = await earmark(args)
  expect({ code: plain.code, stdout: plain.stdout }, plain.stderr).toEqual({ code: 1, stdout: '' })
  expect(plain.stderr).toMatch(message)
  expect(plain.stderr.trimEnd().split('\n')).toHaveLength(1)
  const wanted = await earmark([...args, '--json'])
  expect({ code: wanted.code, stderr: wanted.stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(wanted.stdout)).toStrictEqual({ error: { code, message: plain.stderr.trimEnd() } })
}

function started(): Promise<Running> {
  return startProgram(tempFolder(), [], { env: withoutKeychain })
}

async function insert(service: Running, key: string): Promise<{ bookmarks: object[] }> {
  const { body } = await rawRequest(service.mcp, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'bookmarks.insert', arguments: { urls: 'https://a.example/' } }
    })
  })
  return JSON.parse(JSON.parse(body).result.content[0].text)
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** What every process on this machine was started with. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return '' // it ended meanwhile
      }
    })
}

/** A program that takes a port and says nothing. */
async function listenOn(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  onTestFinished(() => closed(server))
  return { server, port: (server.address() as AddressInfo).port }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

function canListenOn(host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(0, host, () => server.close(() => resolve(true)))
  })
}

/** Sets the port of the next start, as the dashboard does. */
async function choosePort({ url, data }: Running, port: number): Promise<void> {
  const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { token: string }
  const body = JSON.stringify({ port })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': `${body.length}`
  }
  const answer = await rawRequest(url, { method: 'PATCH', path: '/api/settings', headers, body })
  expect(answer.status).toBe(200)
}
