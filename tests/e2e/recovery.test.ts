import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { launchProgram, runProgram, startProgram, withoutKeychain } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
async function json(args: string[], code = 0): Promise<any> {
  const ended = await runProgram([...args, '--json'], withoutKeychain)
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: '' })
  return JSON.parse(ended.stdout)
}

/** A library of one page, and a backup of it. */
async function library(): Promise<{ data: string; urls: (...pages: string[]) => string }> {
  const data = tempFolder()
  cpSync(backedUp, data, { recursive: true, preserveTimestamps: true })
  chmodSync(join(data, 'backups'), 0o700) // which copying does not keep
  return { data, urls: listsIn(tempFolder()) }
}

/** Writes lists of pages to import. */
function listsIn(folder: string): (...pages: string[]) => string {
  return (...pages) => {
    const file = join(folder, `${pages.length}.txt`)
    writeFileSync(file, pages.map((page) => `https://${page}.example/\n`).join(''))
    return file
  }
}

/** What `library` copies. */
let backedUp = ''
const leaving: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  const folder = tempFolder((work) => leaving.push(work))
  backedUp = tempFolder((work) => leaving.push(work))
  await json(['import', listsIn(folder)('a'), '--data', backedUp])
  await json(['backup', '--data', backedUp])
})
afterAll(async () => {
  for (const work of leaving) await work()
})

/** Changes the setting, as the dashboard does. */
async function choosePort({ url, data }: { url: string; data: string }, port: number): Promise<void> {
  const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/settings`, { method: 'PATCH', headers, body: JSON.stringify({ port }) })
  expect(response.status).toBe(200)
}

describe('a library that is lost', () => {
  test.each([
    ['library-missing', (file: string) => renameSync(file, `${file}.away`)],
    ['library-damaged', (file: string) => writeFileSync(file, '')],
    ['not-a-library', (file: string) => writeFileSync(file, 'Dear diary')]
  ])('%s is a problem with a way out, and restoring takes it', async (code, lose) => {
    const { data } = await library()
    lose(join(data, 'library.sqlite'))
    const { error } = await json(['search', '--data', data], 1)
    expect(error).toEqual({ code, message: expect.stringContaining('npm run -s earmark -- restore --newest') })
    const told = await runProgram(['serve', '--port', '0', '--data', data], withoutKeychain)
    expect(told).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('npm run -s earmark -- restore --newest')
    })
    expect(told.stderr).toMatch(/1 bookmark, as they were at 2.* not in it/)
    expect(await json(['restore', '--newest', '--data', data])).toMatchObject({ bookmarks: 1 })
    expect(await json(['search', '--data', data])).toMatchObject({ total: 1 })
  })

  test('starts empty only when it is told to, and what was there is kept', async () => {
    const { data } = await library()
    await expect(json(['restore', '--empty', '--data', data], 1)).resolves.toMatchObject({ error: { code: 'invalid' } })
    writeFileSync(join(data, 'library.sqlite'), 'Dear diary')
    const { kept } = await json(['restore', '--empty', '--data', data])
    expect(statSync(join(kept, 'library.sqlite')).size).toBe(10)
    expect(await json(['search', '--data', data])).toMatchObject({ total: 0 })
    expect((await runProgram(['restore', '--data', data])).code).toBe(2)
    expect((await runProgram(['restore', 'x', '--newest', '--data', data])).code).toBe(2)
  })
})

describe('doctor', () => {
  test('finds nothing wrong with a library that is well, served or not', async () => {
    const { data } = await library()
    const states = async (args: string[] = []) => {
      const { healthy, findings } = await json(['doctor', '--data', data, ...args])
      expect(healthy).toBe(true)
      return Object.fromEntries(findings.map(({ check, state }: { check: string; state: string }) => [check, state]))
    }
    const well = {
      folder: 'ok',
      library: 'ok',
      log: 'ok',
      integrity: 'ok',
      references: 'ok',
      index: 'ok',
      pictures: 'ok',
      leftovers: 'ok',
      backups: 'ok'
    }
    const running = await startProgram(data, [], { env: withoutKeychain })
    expect(await states()).toEqual({ ...well, port: 'ok', keychain: 'unknown' })
    const refused = await json(['doctor', '--repair', '--data', data], 1)
    expect(refused).toMatchObject({ error: { code: 'library-in-use' } })
    await choosePort(running, await freePort())
    expect(await running.end('SIGTERM')).toBe(0)
    expect(await states(['--repair'])).toEqual({ ...well, port: 'ok', keychain: 'unknown' })
  })

  test('says in plain lines what is wrong, and exits 1', async () => {
    const { data } = await library()
    const running = await startProgram(data, [], { env: withoutKeychain })
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => {
      other.close()
    })
    await once(other, 'listening')
    await choosePort(running, (other.address() as AddressInfo).port)
    await running.end('SIGTERM')
    chmodSync(join(data, 'backups'), 0o755)
    writeFileSync(join(data, 'library.sqlite.restored'), 'half')
    const before = await runProgram(['doctor', '--data', data], withoutKeychain)
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/^WRONG {3}folder: Other users .* 2 of the files/m)
    expect(before.stdout).toMatch(/^WRONG {3}leftovers: .* library\.sqlite\.restored/m)
    expect(before.stdout).toMatch(/^WRONG {3}port: Port \d+ is taken by another program/m)
    expect(before.stdout).toMatch(/^ok {6}library: .* bookmarks: 1/m)
    const repaired = await runProgram(['doctor', '--repair', '--data', data], withoutKeychain)
    expect(repaired.code).toBe(1) // the port is still taken
    expect(repaired.stdout).toMatch(/^mended {2}folder/m)
    expect((statSync(join(data, 'backups')).mode & 0o777).toString(8)).toBe('700')
    expect(existsSync(join(data, 'library.sqlite.restored'))).toBe(false)
  })

  test('a lost library is a finding, not a crash', async () => {
    const { data } = await library()
    writeFileSync(join(data, 'library.sqlite'), 'Dear diary')
    const { healthy, findings } = await json(['doctor', '--data', data], 1)
    expect(healthy).toBe(false)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'library', state: 'problem' }))
    expect(readdirSync(data).filter((name) => name.startsWith('replaced'))).toEqual([])
  })
})

describe('import', () => {
  test('stops at Ctrl-C, says what came in, and exits 1', async () => {
    const data = tempFolder()
    const service = await startProgram(data, [], { env: withoutKeychain })
    const file = join(tempFolder(), 'many.txt')
    writeFileSync(
      file,
      Array.from({ length: 60_000 }, (_, index) => `https://site${index % 99}.example/${index}\n`).join('')
    )
    const importing = launchProgram(['import', file, '--json', '--data', data], { env: withoutKeychain })
    await expect
      .poll(async () => (await json(['search', '--data', data])).total, { timeout: 20_000 })
      .toBeGreaterThan(0)
    importing.child.kill('SIGINT')
    const { code, stdout } = await importing.ended
    const report = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(report).toMatchObject({ cancelled: true, undo: 1 })
    expect(report.imported).toBeLessThan(60_000)
    expect(await json(['import', '--undo', '1', '--data', data])).toEqual({ undone: report.imported, kept: 0 })
    await service.end('SIGTERM')
  })

  test('--watch adds what is new in the file, never brings back what was deleted, and ends when told to', async () => {
    const { data, urls } = await library()
    const service = await startProgram(data, [], { env: withoutKeychain })
    const file = urls('a', 'b')
    const watching = launchProgram(['import', file, '--watch', '--json', '--data', data], { env: withoutKeychain })
    expect(JSON.parse((await watching.firstLine) ?? '')).toMatchObject({ imported: 1, duplicate: 1 })
    const reports = () => watching.stdout.trim().split('\n')
    await json(['import', '--undo', '2', '--data', data])
    renameSync(urls('a', 'b', 'c'), file) // as browsers write
    await expect.poll(() => reports().length, { timeout: 20_000 }).toBe(2)
    expect(JSON.parse(reports()[1] ?? '')).toMatchObject({ imported: 1, duplicate: 2 })
    expect(await json(['search', '--data', data])).toMatchObject({ total: 2 })
    watching.child.kill('SIGTERM')
    expect((await watching.ended).code).toBe(0)
    expect(watching.stderr).toBe('')
    await service.end('SIGTERM')
  })

  test('--watch of what cannot be imported is one clear problem', async () => {
    const { data, urls } = await library()
    const nowhere = await json(['import', '/nowhere/Bookmarks', '--watch', '--data', data], 1)
    expect(nowhere).toMatchObject({ error: { code: 'not-found' } })
    expect((await runProgram(['import', urls('a'), '--watch', '--dry-run', '--data', data])).code).toBe(2)
  })
})
