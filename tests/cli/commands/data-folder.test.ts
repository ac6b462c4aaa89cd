import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { earmark, expectProblem, json, modeOf } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { callApi, testService } from '../../support/service.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

describe('a missing data folder', () => {
  test('is created by a command that writes', async () => {
    const data = join(tempFolder(), 'not/yet')
    await json(['keys', 'create', 'mine', '--data', data])
    expect(modeOf(data)).toBe('700')
  })

  test.each([
    'search',
    'export x.jsonl',
    'backup',
    'keys list',
    'doctor',
    'login',
    'restore --newest',
    'restore --empty',
    'connect codex --dry-run'
  ])('is not created by %s, because its name may be mistyped', async (line) => {
    const data = join(tempFolder(), 'mistyped')
    await expectProblem([...line.split(' '), '--data', data], 'not-found', /no folder .*mistyped\. Check --data\./)
    expect(existsSync(data)).toBe(false)
  })

  test('that cannot be created is named in the error', async () => {
    const file = join(tempFolder(), 'a-file')
    writeFileSync(file, '')
    const data = join(file, 'x')
    await expectProblem(['serve', '--port', '0', '--data', data], 'data-folder-unusable', /a-file\/x.*--data/)
  })
})

// `tests/database/library-file.test.ts` has all kinds of files that are refused.
test.each([
  ['another program’s database', 'not-a-library', /not an Earmark library/, otherDatabase],
  ['a library of a newer Earmark', 'store-too-new', /newer version of Earmark.*9990.*Update/, versioned(9990)],
  ['a library of an early Earmark', 'store-too-old', /early version of Earmark.*270.*Export/, versioned(270)],
  ['an empty file', 'library-damaged', /empty.*backup/, (file: string) => writeFileSync(file, '')]
])('%s is refused by commands and stays as it is', async (_, code, message, replace) => {
  const data = tempFolder()
  const file = putEmptyLibrary(data)
  await json(['keys', 'list', '--data', data])
  replace(file)
  const before = digests(data)
  await expectProblem(['serve', '--port', '0', '--data', data], code, message)
  await expectProblem(['keys', 'list', '--data', data], code, message)
  expect(digests(data)).toEqual(before)
})

function otherDatabase(file: string): void {
  const db = new Sqlite(`${file}.other`)
  db.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)')
  db.close()
  copyFileSync(`${file}.other`, file)
}

function versioned(version: number) {
  return (file: string) => {
    const db = new Sqlite(file)
    db.exec(`PRAGMA user_version = ${version}`)
    db.close()
  }
}

/** The digest of each file. Readers share `-shm`, which has no data. */
function digests(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'))
  return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]))
}

describe('a file of Earmark’s that is replaced by', () => {
  const atEnd = later()
  const original = tempFolder(atEnd)

  beforeAll(async () => {
    const service = await testService({ data: original }, atEnd)
    await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
    await service.close()
  })

  /** A library with one bookmark. */
  function library(): string {
    const data = tempFolder()
    cpSync(original, data, { recursive: true, preserveTimestamps: true })
    return data
  }

  const total = async (data: string) => (await json(['search', 'a', '--data', data])).total

  /** The command exits with 1 and one line that does not call the library damaged. */
  async function expectLine(args: string[], line: RegExp): Promise<void> {
    const { code, stderr } = await earmark(args)
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).not.toMatch(/unexpectedly|damaged/)
  }

  const REPLACEMENTS: [name: string, replace: (file: string) => void][] = [
    ['a folder', (file) => mkdirSync(file)],
    ['a pipe', (file) => execFileSync('mkfifo', [file])]
  ]

  test.each(REPLACEMENTS)('%s: the lock is named in the error, and the library is intact', async (_, replace) => {
    const data = library()
    const lock = join(data, 'earmark.lock')
    rmSync(lock)
    replace(lock)
    for (const command of [['serve'], ['keys', 'list'], ['doctor'], ['restore', '--newest']]) {
      await expectLine([...command, '--data', data], /lock/)
    }
    rmSync(lock, { recursive: true })
    expect(await total(data)).toBe(1)
  })

  test.each(REPLACEMENTS)('%s: the library is named in the error, and restored', async (_, replace) => {
    const data = library()
    const backup = join(tempFolder(), 'copy.sqlite')
    await json(['backup', backup, '--data', data])
    const file = join(data, 'library.sqlite')
    rmSync(file)
    replace(file)
    await expectLine(['serve', '--port', '0', '--data', data], /not a regular file/)
    await expectLine(['keys', 'list', '--data', data], /not a regular file/)
    expect((await earmark(['doctor', '--data', data])).code).toBe(1)
    await json(['restore', backup, '--data', data])
    expect(await total(data)).toBe(1)
  })

  test('a file: the folder of backups is named by backup and doctor, other commands work', async () => {
    const data = library()
    const backups = join(data, 'backups')
    rmSync(backups, { recursive: true, force: true })
    writeFileSync(backups, 'Dear diary')
    expect(await total(data)).toBe(1)
    await expectLine(['backup', '--data', data], /“backups” is a file.*Move the file away/)
    const { findings } = await json(['doctor', '--data', data], 1)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'backups', state: 'problem' }))
    expect(readFileSync(backups, 'utf8')).toBe('Dear diary')
  })
})
