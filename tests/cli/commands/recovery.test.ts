import { chmodSync, cpSync, existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepareDataFolder } from '../../../src-main/host/data-folder.ts'
import { earmark, expectProblem, json, modeOf, serving, startCommand } from '../../support/command-line.ts'
import { freePort } from '../../support/http.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { callApi, testService } from '../../support/service.ts'
import { later, tempFolder } from '../../support/temp-folder.ts'

const atEnd = later()

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** The library that `library` copies. */
const backedUp = tempFolder(atEnd)

beforeAll(async () => {
  prepareDataFolder(backedUp)
  const service = await testService({ data: backedUp }, atEnd)
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  await callApi(service, 'POST', '/backups')
  await service.close()
})

/** A library with one page and a backup of it. */
function library(): string {
  const data = tempFolder()
  cpSync(backedUp, data, { recursive: true, preserveTimestamps: true })
  chmodSync(join(data, 'backups'), 0o700) // which copying does not keep
  return data
}

test('a backup of a library is restored elsewhere', async () => {
  const data = tempFolder()
  putEmptyLibrary(data)
  await json(['organizations', 'create', '--name', 'Acme', '--data', data])
  const file = join(tempFolder(), 'copy.sqlite')
  const backup = await json(['backup', file, '--data', data])
  expect(backup).toEqual({ file, bytes: statSync(file).size, at: expect.stringMatching(TIME) })
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

test('restore refuses a library in use, a file that is no backup and an unknown name', async () => {
  const { data: served } = await serving()
  await expectProblem(['restore', process.execPath, '--data', served], 'library-in-use', /is running.*earmark -- stop/)
  const data = library()
  await expectProblem(['restore', process.execPath, '--data', data], 'not-a-library', /not/)
  await expectProblem(['restore', 'daily-2020-01-01.sqlite', '--data', data], 'not-found', /daily-2020/)
  expect(readdirSync(data).filter((name) => name.startsWith('replaced'))).toEqual([])
})

describe('a lost library', () => {
  test.each([
    ['library-missing', (file: string) => renameSync(file, `${file}.away`)],
    ['library-damaged', (file: string) => writeFileSync(file, '')],
    ['not-a-library', (file: string) => writeFileSync(file, 'Dear diary')]
  ])('is reported as %s with the command that restores its newest backup', async (code, lose) => {
    const data = library()
    lose(join(data, 'library.sqlite'))
    const { error } = await json(['search', '--data', data], 1)
    expect(error).toEqual({ code, message: expect.stringContaining('npm run -s earmark -- restore --newest') })
    const served = await earmark(['serve', '--port', '0', '--data', data])
    expect(served).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /1 bookmark, as of 2.*It lacks what was saved.*npm run -s earmark -- restore --newest/s
      )
    })
    expect(await json(['restore', '--newest', '--data', data])).toMatchObject({ bookmarks: 1, keysUnknown: true })
    expect(await json(['search', '--data', data])).toMatchObject({ total: 1 })
  })

  test('is replaced by an empty one only on request, and is kept', async () => {
    const data = library()
    expect(await json(['restore', '--empty', '--data', data], 1)).toMatchObject({ error: { code: 'invalid' } })
    writeFileSync(join(data, 'library.sqlite'), 'Dear diary')
    const { kept } = await json(['restore', '--empty', '--data', data])
    expect(statSync(join(kept, 'library.sqlite')).size).toBe(10)
    expect(await json(['search', '--data', data])).toMatchObject({ total: 0 })
  })

  test('is reported without a question also in a terminal', async () => {
    const data = library()
    writeFileSync(join(data, 'library.sqlite'), 'Dear diary')
    const serving = startCommand(['serve', '--port', '0', '--data', data])
    for (const stream of [serving.stdin, serving.stderr]) Object.assign(stream, { isTTY: true })
    const { code, stderr } = await serving.ended
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The library file is not .*restore --empty\.\n$/)])
  })
})

describe('doctor', () => {
  test('reports a healthy library, served or not', async () => {
    const data = library()
    const states = async (args: string[] = []) => {
      const { healthy, findings } = await json(['doctor', '--data', data, ...args])
      expect(healthy).toBe(true)
      return Object.fromEntries(findings.map(({ check, state }: { check: string; state: string }) => [check, state]))
    }
    const checks = [
      'folder',
      'library',
      'log',
      'integrity',
      'references',
      'index',
      'pictures',
      'copies',
      'leftovers',
      'backups'
    ]
    const healthyStates = {
      ...Object.fromEntries(checks.map((check) => [check, 'ok'])),
      port: 'ok',
      keychain: 'unknown'
    }
    const running = await serving(data)
    expect(await states()).toEqual(healthyStates)
    const refused = await json(['doctor', '--repair', '--data', data], 1)
    expect(refused).toMatchObject({ error: { code: 'library-in-use' } })
    await callApi(running.service, 'PATCH', '/settings', { port: await freePort() })
    await running.end()
    expect(await states(['--repair'])).toEqual(healthyStates)
  })

  test('reports faults in plain lines, exits with 1, and repairs what it can', async () => {
    const data = library()
    const other = await serving()
    const service = await testService({ data })
    const { port } = new URL(other.url)
    expect((await callApi(service, 'PATCH', '/settings', { port: Number(port) })).status).toBe(200)
    await service.close()
    chmodSync(join(data, 'backups'), 0o755)
    writeFileSync(join(data, 'library.sqlite.restored'), 'half')
    chmodSync(join(data, 'library.sqlite.restored'), 0o644)
    const before = await earmark(['doctor', '--data', data])
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/^PROBLEM folder: Other users .* 2 of the files/m)
    expect(before.stdout).toMatch(/^PROBLEM leftovers: .* library\.sqlite\.restored/m)
    expect(before.stdout).toMatch(/^PROBLEM port: Another program uses port \d+/m)
    expect(before.stdout).toMatch(/^ok {6}library: .* bookmarks: 1/m)
    const repaired = await earmark(['doctor', '--repair', '--data', data])
    expect(repaired.code).toBe(1) // the port is still taken
    expect(repaired.stdout).toMatch(/^fixed {3}folder/m)
    expect(modeOf(join(data, 'backups'))).toBe('700')
    expect(existsSync(join(data, 'library.sqlite.restored'))).toBe(false)
  })

  test('reports a lost library', async () => {
    const data = library()
    writeFileSync(join(data, 'library.sqlite'), 'Dear diary')
    const { healthy, findings } = await json(['doctor', '--data', data], 1)
    expect(healthy).toBe(false)
    expect(findings).toContainEqual(expect.objectContaining({ check: 'library', state: 'problem' }))
    expect(readdirSync(data).filter((name) => name.startsWith('replaced'))).toEqual([])
  })
})
