import { hash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { expectProblem, json, modeOf } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

describe('the data folder', () => {
  test('is made where it is missing', async () => {
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
  ])('is not made by %s: a mistyped name is no empty library', async (line) => {
    const data = join(tempFolder(), 'mistyped')
    await expectProblem([...line.split(' '), '--data', data], 'not-found', /no folder .*mistyped\. Check --data\./)
    expect(existsSync(data)).toBe(false)
  })

  test('that cannot be made is a problem that names it', async () => {
    const file = join(tempFolder(), 'a-file')
    writeFileSync(file, '')
    const data = join(file, 'x')
    await expectProblem(['serve', '--port', '0', '--data', data], 'data-folder-unusable', /a-file\/x.*--data/)
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
    const file = putEmptyLibrary(data)
    await json(['keys', 'list', '--data', data])
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
