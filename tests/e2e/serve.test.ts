/** What only processes and other users show of `earmark serve` and its data folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { earmark, json, modeOf } from '../support/command-line.ts'
import { launchEarmark, program, runCommand, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { rawRequest } from '../support/http.ts'
import { putEmptyLibrary } from '../support/library.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

const env = withoutKeychain
const isLinux = process.platform === 'linux'

const launchServe = (data: string) => launchEarmark(['serve', '--json', '--port', '0', '--data', data], { env })

describe('a service', () => {
  const FILES = ['dashboard-host', 'earmark.lock', 'library.sqlite', 'library.seen', 'backups']

  test('ends cleanly on each signal and starts again; after a kill, commands and the next start work', async () => {
    const data = tempFolder()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const service = await startEarmark(data, [], { env })
      expect(service.pid).toBe(service.child.pid)
      expect((await rawRequest(service.mcp)).status).toBe(401)
      expect(existsSync(join(data, 'service.json'))).toBe(true)
      expect(await service.end(signal), signal).toBe(0)
      const left = readdirSync(data).filter((name) => !FILES.includes(name))
      expect(left, signal).toEqual([])
      expect(service.output.stderr).toBe('')
    }
    await (await startEarmark(data, [], { env })).end('SIGKILL')
    const commands = Array.from({ length: 4 }, () => runCommand(['keys', 'list', '--json', '--data', data], env))
    const ended = { code: 0, stdout: '{"keys":[]}\n', stderr: '' }
    expect(await Promise.all(commands)).toEqual(Array(4).fill(ended))
    await startEarmark(data, [], { env })
  })

  test('is ended by earmark stop, which names its process; without one it says so', async () => {
    const data = tempFolder()
    const service = await startEarmark(data, [], { env })
    const stop = () => runCommand(['stop', '--data', data], env)
    expect(await stop()).toEqual({ code: 0, stdout: `Stopped Earmark (process ${service.pid}).\n`, stderr: '' })
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    expect(await stop()).toMatchObject({ code: 1, stderr: expect.stringContaining('Earmark is not running') })
  })

  test.runIf(process.platform !== 'win32')('ends within two seconds although a read hangs', async () => {
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

  test(`ends cleanly on a signal that arrives as it starts to serve, ${ENDS} times`, async () => {
    const data = tempFolder()
    for (let round = 1; round <= ENDS; round++) {
      const service = launchServe(data)
      service.child.stdout?.once('data', () => service.child.kill('SIGTERM'))
      expect((await service.ended).code, `round ${round}`).toBe(0)
      expect(existsSync(join(data, 'service.json')), `round ${round}`).toBe(false)
    }
  })

  const STARTS = runs(3, 10)

  test(`started twice at once serves once, ${STARTS} times`, async () => {
    for (let round = 1; round <= STARTS; round++) {
      const data = tempFolder()
      const both = [launchServe(data), launchServe(data)]
      const lines = (await Promise.all(both.map(({ firstLine }) => firstLine))).map((line) =>
        JSON.parse(line ?? 'null')
      )
      const served = lines.filter((line) => line?.url !== undefined)
      expect(served, JSON.stringify(lines)).toHaveLength(1)
      expect(lines.find((line) => line?.url === undefined)).toMatchObject({ error: { code: 'library-in-use' } })
      expect((await both[lines.findIndex((line) => line.url === undefined)]?.ended)?.code).toBe(1)
      expect((await rawRequest(served[0].mcp)).status).toBe(401)
    }
  })
})

describe('the data folder', () => {
  test('is readable by its owner alone, and no command line contains a secret', async () => {
    const data = tempFolder()
    chmodSync(data, 0o755)
    const service = await startEarmark(data, [], { env })
    const seen = new Set<string>()
    const command = launchEarmark(['keys', 'create', '--name', 'watched', '--json', '--data', data], { env })
    let isOver = false
    void command.ended.then(() => {
      isOver = true
    })
    while (!isOver) {
      for (const line of commandLines()) seen.add(line)
      await setImmediate()
    }
    const { key } = JSON.parse(command.stdout)
    const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'))
    const request = { name: 'kept', keyFile: true }
    const { id } = await post(`${service.url}/api/keys`, { authorization: `Bearer ${token}` }, request)
    const params = { name: 'bookmarks.insert', arguments: { urls: 'https://a.example/' } }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    expect(JSON.stringify(await post(service.mcp, { 'x-api-key': key }, call))).toContain('saved')

    expect(modeOf(data)).toBe('700')
    const entries = readdirSync(data, { recursive: true, withFileTypes: true })
    const names = entries.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['library.sqlite', 'library.sqlite-wal', 'library.sqlite-shm']))
    expect(names).toEqual(expect.arrayContaining(['earmark.lock', 'service.json', 'keys', `${id}.key`]))
    for (const entry of entries) {
      expect(modeOf(join(entry.parentPath, entry.name)), entry.name).toBe(entry.isDirectory() ? '700' : '600')
    }

    if (!isLinux) return
    const all = [...seen].join('\n')
    expect(all).toContain('keys create --name watched')
    expect(all).toContain('keychain-child')
    for (const secret of [key, token, new URL(service.login).hash.slice(1)]) expect(all).not.toContain(secret)
  })

  async function post(url: string, headers: Record<string, string>, body: object) {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return (await fetch(url, { ...init, body: JSON.stringify(body) })).json()
  }

  /** The command line of every process on this machine, on Linux. */
  function commandLines(): string[] {
    if (!isLinux) return []
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        } catch {
          return '' // the process has ended
        }
      })
  }

  test.runIf(isLinux)('is the platform’s unless another is named', async () => {
    const home = tempFolder()
    const own = { ...env, HOME: home, XDG_DATA_HOME: join(home, 'data') }
    expect((await runCommand(['keys', 'list', '--json'], own)).stdout).toBe('{"keys":[]}\n')
    expect(readdirSync(join(home, 'data'))).toEqual(['Earmark'])
    expect(existsSync(join(home, 'data/Earmark/library.sqlite'))).toBe(true)
  })

  test.runIf(isLinux)('must be named by an account without a home', async () => {
    const folder = tempFolder()
    const { HOME: _, XDG_DATA_HOME: __, NODE_OPTIONS = '', ...rest } = env
    // As Node answers for an account without an entry in the system, which only root could start a process as.
    const homeless = join(folder, 'homeless.mjs')
    const source = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'
      os.homedir = () => { if (!process.env.HOME) throw new Error('ENOENT'); return process.env.HOME }
      syncBuiltinESMExports()`
    writeFileSync(homeless, source)
    const own = { ...rest, NODE_OPTIONS: `${NODE_OPTIONS} --import=${homeless}` }
    expect((await runCommand(['keys', 'create', 'mine', '--data', join(folder, 'data')], own)).code).toBe(0)
    const { code, stderr } = await runCommand(['keys', 'list'], own)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Earmark cannot create or write to the data folder .* --data\.\n$/)
    })
  })

  test('is locked although its lock file holds garbage', async () => {
    const data = tempFolder()
    putEmptyLibrary(data)
    const garbage = 'garbage '.repeat(1000)
    writeFileSync(join(data, 'earmark.lock'), garbage)
    await startEarmark(data)
    writeFileSync(join(data, 'earmark.lock'), garbage)
    const { error } = await json(['serve', '--port', '0', '--data', data], 1)
    expect(error.message).toMatch(/already serving/)
    expect((await earmark(['add', 'https://a.example/', '--data', data])).code).toBe(0)
  })

  test.runIf(isLinux)('may hold a read-only library, which is not reported as damaged', async () => {
    // Not within a folder that only root may enter.
    const folder = mkdtempSync('/tmp/earmark-other-')
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const data = join(folder, 'data')
    const file = putEmptyLibrary(data)
    const whole = readFileSync(file)
    chmodSync(file, 0o400)
    const run = asOtherUser(data)
    for (const command of ['serve --port 0', 'keys list', 'doctor --repair']) {
      const { status, stdout, stderr } = run([...command.split(' '), '--data', data])
      expect([status, `${stdout}${stderr}`]).toEqual([1, expect.stringMatching(/read-only or belongs to another user/)])
      expect(`${stdout}${stderr}`).not.toMatch(/unexpectedly|damaged|restore/)
    }
    expect(readFileSync(file)).toEqual(whole)
    chmodSync(file, 0o600)
    expect(run(['keys', 'list', '--data', data]).status).toBe(0)
  })

  /** Runs commands as a user who is not root, to whom file modes do not apply. */
  function asOtherUser(data: string) {
    const isRoot = process.getuid?.() === 0
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', data])
    const user = isRoot ? { uid: 65534, gid: 65534 } : {}
    return (args: string[]) =>
      spawnSync(process.execPath, [program, ...args], { env: { ...env, HOME: data }, ...user, encoding: 'utf8' })
  }
})
