/** Each command of the built program once, as a terminal starts it. `tests/cli/commands` tests their behavior. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { json, serving } from '../support/command-line.ts'
import { launchEarmark, program, runCommand, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Where a secret is stored with the environment `withoutKeychain`. */
const KEPT = process.platform === 'linux' ? 'shown-once' : 'stored'

const folder = tempFolder(afterAll)
const data = join(folder, 'data')
beforeAll(async () => {
  writeFileSync(join(folder, 'urls.txt'), 'https://one.example/\nhttps://two.example/\n')
  const service = await startEarmark(data, [], { env: withoutKeychain, afterwards: () => {} })
  return async () => {
    expect(await service.end('SIGTERM')).toBe(0)
  }
})

test.each<[line: string, code: number, stdout: RegExp, stderr?: RegExp]>([
  ['keys create --name editor --json', 0, new RegExp(`^{"id".*"key":"emk_.*"keychain":"${KEPT}"}\n$`)],
  ['organizations create --name Acme', 0, /Acme\n$/],
  [`import ${folder}/urls.txt`, 0, /^2 imported, 0 already there, 0 rejected\n/],
  ['add https://three.example/', 0, /^Saved: https:\/\/three\.example\/\n$/],
  ['search site:two.example', 0, /two\.example\/\n.*1 found\n$/s],
  ['duplicates', 0, /^0 pages saved more than once\n$/],
  [`export ${folder}/all.jsonl`, 0, /^Exported \d+ kB to /],
  [`backup ${folder}/copy.sqlite`, 0, /^Backed up to /],
  ['login --json', 0, /^{"login":"http:\/\/[0-9a-f]{32}\.localhost:\d+\/login#[\w-]{20,}"}\n$/],
  ['connect', 0, /^codex +.* Codex: \//m],
  ['doctor', 0, /^ok {6}integrity: /m],
  ['check-links', 1, /^$/, /^.+\n$/],
  [`restore ${folder}/copy.sqlite`, 1, /^$/, /is running with this library/],
  ['show nobody', 1, /^$/, /no such bookmark/],
  ['imports', 0, /^1 {2}\d{4}-.* 2 imported {2}urls\.txt\n$/],
  ['complete bash', 0, /earmark/],
  ['keys revoke nobody', 1, /^$/, /^There is no key with the id nobody\.\n$/],
  ['serve --port x --json', 2, /^{"error":{"code":"usage",/],
  ['nonsense', 2, /^$/, /nonsense/],
  ['--version', 0, new RegExp(`^${manifest.version.replaceAll('.', '\\.')}\n$`)]
])('earmark %s', async (line, code, stdout, stderr = /^$/) => {
  const args = ['--version', 'nonsense', 'complete bash'].includes(line) ? [] : ['--data', data]
  expect(await runCommand([...line.split(' '), ...args], withoutKeychain)).toEqual({
    code,
    stdout: expect.stringMatching(stdout),
    stderr: expect.stringMatching(stderr)
  })
})

test('a path is meant from the folder in which a person calls npm', async () => {
  const { data } = await serving()
  const env = { ...withoutKeychain, npm_lifecycle_event: 'earmark', INIT_CWD: folder }
  expect(await runCommand(['import', 'urls.txt', '--data', data], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2 imported/)
  })
})

test('import stops at Ctrl-C, reports what was imported, and exits 1', async () => {
  const { data } = await serving()
  const file = join(tempFolder(), 'many.txt')
  const pages = Array.from({ length: 60_000 }, (_, index) => `https://site${index % 99}.example/${index}\n`)
  writeFileSync(file, pages.join(''))
  const importing = launchEarmark(['import', file, '--json', '--data', data], { env: withoutKeychain })
  const total = async () => (await json(['search', '--data', data])).total
  await expect.poll(total).toBeGreaterThan(0)
  importing.child.kill('SIGINT')
  const { code, stdout } = await importing.ended
  const report = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(report).toMatchObject({ cancelled: true, undo: 1 })
  expect(report.imported).toBeLessThan(60_000)
  expect(await json(['import', '--undo', '1', '--data', data])).toEqual({ undone: report.imported, kept: 0 })
})

test.runIf(process.platform === 'linux')(
  'a full disk fails a command that writes to it; a reader that stops early does not',
  () => {
    const run = (to: string) =>
      spawnSync('sh', ['-c', `"$0" "$@" ${to}`, process.execPath, program, 'export', '-', '--data', data], {
        env: withoutKeychain,
        encoding: 'utf8'
      })
    expect(run('> /dev/full')).toMatchObject({
      status: 1,
      stderr: 'The output could not be written: the disk is full.\n'
    })
    expect(run('| head -c 1')).toMatchObject({ status: 0, stdout: '{', stderr: '' })
  }
)
