/** What only processes show of `earmark serve`: signals, being killed, and two at once. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { launchEarmark, runCommand, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { rawRequest } from '../support/http.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const env = withoutKeychain

test('ends cleanly on each signal and can be started again; killed, commands and the next start work', async () => {
  const data = tempFolder()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const service = await startEarmark(data, [], { env })
    expect(service.pid).toBe(service.child.pid)
    expect((await rawRequest(service.mcp)).status).toBe(401)
    expect(existsSync(join(data, 'service.json'))).toBe(true)
    expect(await service.end(signal), signal).toBe(0)
    expect(
      readdirSync(data).filter((name) => !KEPT_FILES.includes(name)),
      signal
    ).toEqual([])
    expect(service.output.stderr).toBe('')
  }
  await (await startEarmark(data, [], { env })).end('SIGKILL')
  const commands = Array.from({ length: 4 }, () => runCommand(['keys', 'list', '--json', '--data', data], env))
  const ended = { code: 0, stdout: '{"keys":[]}\n', stderr: '' }
  expect(await Promise.all(commands)).toEqual(Array(4).fill(ended))
  await startEarmark(data, [], { env })
})

const KEPT_FILES = ['dashboard-host', 'earmark.lock', 'library.sqlite', 'library.seen', 'backups']

test.runIf(process.platform !== 'win32')('ends within its two seconds though a read hangs', async () => {
  const [data, folder] = [tempFolder(), tempFolder()]
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const hangs = join(folder, 'hangs.mjs')
  writeFileSync(hangs, "import fs from 'node:fs'; fs.open(new URL('pipe', import.meta.url), 'r', () => {})")
  const service = await startEarmark(data, [], { env: { ...env, NODE_OPTIONS: `--import=${hangs}` } })
  const begun = performance.now()
  expect(await service.end('SIGTERM')).toBe(null)
  expect(performance.now() - begun).toBeGreaterThan(1900)
  expect(service.output.stderr).toBe('Earmark did not stop within 2 seconds and was terminated.\n')
  expect(existsSync(join(data, 'service.json'))).toBe(false)
})

const ENDS = runs(4, 10)

test(`ends cleanly when it is told to the moment it serves, ${ENDS} times`, async () => {
  const data = tempFolder()
  for (let round = 1; round <= ENDS; round++) {
    const service = launchEarmark(['serve', '--json', '--port', '0', '--data', data], { env })
    service.child.stdout?.once('data', () => service.child.kill('SIGTERM'))
    expect((await service.ended).code, `round ${round}`).toBe(0)
    expect(existsSync(join(data, 'service.json')), `round ${round}`).toBe(false)
  }
})

const STARTS = runs(3, 10)

test(`started twice at once serves once, ${STARTS} times`, async () => {
  for (let round = 1; round <= STARTS; round++) {
    const data = tempFolder()
    const both = [0, 1].map(() => launchEarmark(['serve', '--json', '--port', '0', '--data', data], { env }))
    const lines = (await Promise.all(both.map(({ firstLine }) => firstLine))).map((line) => JSON.parse(line ?? 'null'))
    expect(
      lines.filter((line) => line?.url !== undefined),
      JSON.stringify(lines)
    ).toHaveLength(1)
    expect(lines.find((line) => line?.url === undefined)).toMatchObject({ error: { code: 'library-in-use' } })
    expect((await both[lines.findIndex((line) => line.url === undefined)]?.ended)?.code).toBe(1)
    expect((await rawRequest(lines.find((line) => line.url).mcp)).status).toBe(401)
  }
})
