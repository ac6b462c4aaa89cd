import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { launchEarmark, withoutKeychain } from '../support/earmark.ts'
import { rawRequest } from '../support/http.ts'
import { tempFolder } from '../support/temp-folder.ts'

const serve = join(import.meta.dirname, '../../src-main/serve')
const linux = process.platform === 'linux'

type FindRuntime = (options: {
  headless?: boolean
  mayDownload?: boolean
  env?: NodeJS.ProcessEnv
  user?: number
  sandbox?: boolean
  timeout?: number
}) => Promise<{ runtime: string } | { reason: string; advice?: string }>

type OpenWindow = (runtime: string, args: string[]) => Promise<string>

type StartService = (runtime: string | undefined, data: string) => Promise<{ child: ChildProcess; login: string }>

const { startService } = (await import(pathToFileURL(join(serve, 'dev-service.js')).href)) as {
  startService: StartService
}
const { findRuntime, openWindow } = (await import(pathToFileURL(join(serve, 'runtime.js')).href)) as {
  findRuntime: FindRuntime
  openWindow: OpenWindow
}

describe('a Node that is too old', () => {
  test.for(['start.js', 'earmark.js'])('is told so by %s in one line, and nothing starts', (file, { skip }) => {
    const { NODE_OPTIONS: _, ...env } = process.env // it refuses options it does not know
    const version = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8', env }).stdout?.trim().slice(1) ?? ''
    skip(version === '' || Number.parseInt(version, 10) >= 22, 'this machine has no Node before 22 at /usr/bin/node')
    const ended = spawnSync('/usr/bin/node', [join(serve, file), '--data', tempFolder()], { encoding: 'utf8', env })
    expect({ status: ended.status, stdout: ended.stdout }).toEqual({ status: 1, stdout: '' })
    expect(ended.stderr).toContain(manifest.engines.node.replace('>=', ''))
    expect(ended.stderr).toContain(version)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('there is no window', () => {
  const display = { DISPLAY: ':0' }

  test('when none was asked for', async () => {
    expect(await findRuntime({ headless: true, env: display, user: 1000 })).toEqual({ reason: expect.any(String) })
  })

  test.runIf(linux)('without a display', async () => {
    expect(await findRuntime({ env: {}, user: 1000 })).toEqual({ reason: expect.stringMatching(/display/) })
  })

  test.runIf(linux)('for root', async () => {
    expect(await findRuntime({ env: display, user: 0 })).toEqual({ reason: expect.stringMatching(/root/) })
  })

  test('where the runtime is missing and the network refuses, without waiting for its limit', async () => {
    const { server, port } = await listening(createServer())
    await new Promise((resolve) => server.close(resolve))
    const begun = performance.now()
    const found = await findRuntime({ ...missing(port), timeout: 29_000 })
    expect(found).toEqual({ reason: expect.stringMatching(/could not be downloaded/) })
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  test('where the runtime is missing and the network never answers, which takes no longer than its limit', async () => {
    const callers: Socket[] = []
    const { port } = await listening(createServer((socket) => callers.push(socket.on('error', () => {}))))
    const begun = performance.now()
    const found = await findRuntime({ ...missing(port), timeout: 300 })
    expect(found).toEqual({ reason: expect.stringMatching(/could not be downloaded/) })
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(callers).not.toHaveLength(0)
    for (const caller of callers) caller.destroy()
  })

  test('where the runtime is missing and the mirror does not have it', async () => {
    const asked: (string | undefined)[] = []
    const mirror = createWebServer((request, response) => {
      asked.push(request.url)
      response.writeHead(404).end()
    })
    const { port } = await listening(mirror)
    expect(await findRuntime(missing(port))).toEqual({ reason: expect.stringMatching(/could not be downloaded/) })
    expect(asked).toEqual([`/v${manifest.devDependencies.electron}/SHASUMS256.txt`])
  })

  test.runIf(linux)(
    'where Electron may not have its sandbox: what helps is said, and nothing goes without',
    async () => {
      const said =
        'FATAL:setuid_sandbox_host.cc(166)] The SUID sandbox helper binary was found, but is not configured correctly.'
      const { env, folder, started } = installed(`echo '${said}' >&2; kill -TRAP $$`)
      expect(await findRuntime({ env, user: 1000 })).toEqual({
        reason: expect.stringMatching(/sandbox$/),
        advice: expect.stringContaining(
          `\n  sudo chown root:root '${join(folder, 'chrome-sandbox')}' && sudo chmod 4755 '`
        )
      })
      expect(started()).toEqual(['--version'])
      expect(await findRuntime({ env, user: 1000, sandbox: false })).toEqual({ runtime: join(folder, 'electron') })
    }
  )

  test.runIf(linux)('where Electron ends at once, and what it wrote last says why', async () => {
    const said = 'electron: error while loading shared libraries: libnss3.so: cannot open shared object file'
    const { folder } = installed(`echo noise >&2; echo '${said}' >&2; exit 127`)
    expect(await openWindow(join(folder, 'electron'), ['--hidden'])).toBe(said)
    const { folder: silent } = installed('kill -SEGV $$')
    expect(await openWindow(join(silent, 'electron'), [])).toBe('it ended with SIGSEGV')
    expect(await openWindow(join(silent, 'missing'), [])).toMatch(/ENOENT/)
  })

  test('where the download breaks off thrice, or is another file than the checksum says', async () => {
    const asked: string[] = []
    const mirror = createWebServer((request, response) => {
      if (request.method === 'HEAD') return response.writeHead(200).end()
      asked.push(request.url ?? '')
      if (asked.length > 1) return response.end('no zip')
      response.writeHead(200, { 'content-length': 1000 }).write('cut')
      setTimeout(() => response.destroy(), 20)
    })
    const { port } = await listening(mirror)
    const options = missing(port)
    const found = await findRuntime({ ...options, env: { ...options?.env, electron_config_cache: tempFolder() } })
    expect(found).toEqual({ reason: expect.stringMatching(/could not be downloaded: .*checksum/i) })
    expect(asked).toHaveLength(3)
  })

  test.runIf(linux)('under Rosetta, where the build for Apple processors is asked for', async () => {
    const asked: string[] = []
    const mirror = createWebServer((request, response) => {
      if (request.method !== 'HEAD') asked.push(request.url ?? '')
      response.writeHead(request.method === 'HEAD' ? 200 : 404).end()
    })
    const { port } = await listening(mirror)
    const options = missing(port)
    const folder = tempFolder()
    writeFileSync(join(folder, 'sysctl'), '#!/bin/sh\ntest "$*" = "-in sysctl.proc_translated" && echo 1\n', {
      mode: 0o755
    })
    const pretended = ['platform', 'arch'].map((name, at) => {
      const value = ['darwin', 'x64'][at]
      return `Object.defineProperty(process, '${name}', { value: '${value}' })`
    })
    const mac = join(folder, 'mac.mjs')
    writeFileSync(mac, pretended.join('\n'))
    const env = {
      ...options?.env,
      electron_config_cache: tempFolder(),
      NODE_OPTIONS: `--import ${mac}`,
      PATH: `${folder}:${process.env.PATH}`
    }
    const build = (arch: string) =>
      expect.stringMatching(new RegExp(`electron-v${manifest.devDependencies.electron}-darwin-${arch}\\.zip$`))
    await findRuntime({ ...options, env })
    expect(asked).toContainEqual(build('arm64'))
    asked.length = 0
    await findRuntime({ ...options, env: { ...env, npm_config_arch: 'x64' } })
    expect(asked).toContainEqual(build('x64'))
  })

  test('behind a proxy that has no way to the mirror: it is named, without its password', async () => {
    const tunnels: string[] = []
    const proxy = createWebServer().on('connect', (request, socket) => {
      tunnels.push(request.url ?? '')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const { port } = await listening(proxy)
    const options = missing(20_799)
    const env = { ...options?.env, http_proxy: `http://me:secret@127.0.0.1:${port}` }
    expect(await findRuntime({ ...options, env })).toEqual({
      reason: expect.stringContaining(`could not be downloaded through the proxy http://127.0.0.1:${port} (`)
    })
    expect(tunnels).toEqual(['127.0.0.1:20799'])
  })

  test.runIf(linux)('but there is one where Electron starts, or fails over something else', async () => {
    for (const script of ['echo v45.4.1', 'exit 3']) {
      const { env, folder } = installed(script)
      expect(await findRuntime({ env, user: 1000 })).toEqual({ runtime: join(folder, 'electron') })
    }
  })

  /** A desktop with something in Electron's place, which notes how it was started. */
  function installed(script: string) {
    const folder = tempFolder()
    const log = join(folder, 'started')
    writeFileSync(join(folder, 'electron'), `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`, { mode: 0o755 })
    const env = { ...display, ELECTRON_OVERRIDE_DIST_PATH: folder }
    return { env, folder, started: () => readFileSync(log, 'utf8').trim().split('\n') }
  }

  /** A desktop whose Electron was never downloaded, with a mirror on this machine. */
  function missing(port: number): Parameters<FindRuntime>[0] {
    const env = { ...display, ELECTRON_OVERRIDE_DIST_PATH: tempFolder(), ELECTRON_MIRROR: `http://127.0.0.1:${port}/` }
    return { env, user: 1000 }
  }
})

describe('npm start without a window', () => {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...noDisplay } = withoutKeychain

  test.each([
    { name: 'because it was asked to', args: ['--headless'], env: withoutKeychain, reason: /^No window: asked/ },
    ...(linux
      ? [{ name: 'because there is no display', args: [], env: noDisplay, reason: /^No window: .*display/ }]
      : [])
  ])('serves in this terminal and says why in one line, $name', async ({ args, env, reason }) => {
    const data = tempFolder()
    const service = launchEarmark([...args, '--port', '0', '--data', data, '--json'], {
      file: join(serve, 'start.js'),
      env
    })
    const first = JSON.parse((await service.firstLine) ?? '{}')
    expect(first, service.stderr).toMatchObject({ mcp: `${first.url}/api/tools/mcp`, pid: service.child.pid, data })
    expect((await rawRequest(first.mcp)).status).toBe(401)
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    expect(service.stdout.trimEnd().split('\n')).toHaveLength(1)
    // Sources changed since the last build are built first, which is said in a line before.
    const said = service.stderr.trimEnd().split('\n')
    expect(said.filter((line) => !line.startsWith('Building Earmark'))).toEqual([expect.stringMatching(reason)])
  })
})

describe('npm run dev', () => {
  const register = join(import.meta.dirname, '../support/electron/register.js')

  test.runIf(linux)('opens the desktop app where its runtime is, and the service in it answers', async () => {
    // What stands where the runtime would be: the app on the stand-in, called as Electron is.
    const runtime = join(tempFolder(), 'electron')
    const desktop = join(serve, '../../out/main/desktop.js')
    writeFileSync(
      runtime,
      `#!/bin/sh\nshift\nDISPLAY=:0 TMPDIR='${tempFolder()}' exec '${process.execPath}' --import '${register}' '${desktop}' "$@"\n`
    )
    chmodSync(runtime, 0o755)
    const { child, login } = await started(runtime)
    expect(await answerOf(login)).toBe(401)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('serves without a window elsewhere', async () => {
    const { child, login } = await started(undefined)
    expect(await answerOf(login)).toBe(401)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('says so when the service ends before it serves', async () => {
    await expect(startService('/bin/false', tempFolder())).rejects.toThrow('ended with 1')
  })

  test('downloads no runtime', async () => {
    const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: tempFolder() }
    expect(await findRuntime({ env, user: 1000, mayDownload: false })).toEqual({
      reason: expect.stringMatching(/not installed/)
    })
  })

  async function started(runtime: string | undefined): ReturnType<StartService> {
    const service = await startService(runtime, tempFolder())
    onTestFinished(() => void service.child.kill('SIGKILL'))
    return service
  }
})

/** The status of the endpoint of the service that a login link leads to. Node does not know the dashboard's name. */
async function answerOf(login: string): Promise<number> {
  return (await rawRequest(`http://127.0.0.1:${new URL(login).port}/api/tools/mcp`)).status
}

async function listening(server: Server): Promise<{ server: Server; port: number }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { server, port: (server.address() as AddressInfo).port }
}
