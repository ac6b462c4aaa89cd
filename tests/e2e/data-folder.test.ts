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
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectProblem, json, modeOf, started } from '../support/command-line.ts'
import { type Running, runProgram, startProgram, withoutKeychain } from '../support/program.ts'
import { rawRequest } from '../support/raw-http.ts'
import { tempFolder } from '../support/temp-folder.ts'

const linux = process.platform === 'linux'

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
