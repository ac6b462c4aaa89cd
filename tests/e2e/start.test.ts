import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createWebServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { launchEarmark, withoutKeychain } from '../support/earmark.ts'
import { rawRequest } from '../support/http.ts'
import { tempFolder } from '../support/temp-folder.ts'

const cli = join(import.meta.dirname, '../../src-main/cli')
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

const { startService } = (await import(pathToFileURL(join(cli, 'runtime.js')).href)) as {
  startService: StartService
}
const { findRuntime, openWindow } = (await import(pathToFileURL(join(cli, 'runtime.js')).href)) as {
  findRuntime: FindRuntime
  openWindow: OpenWindow
}

describe('a Node that is too old', () => {
  test.for(['start.js', 'earmark.js'])('is reported by %s in one line, and nothing starts', (file, { skip }) => {
    const { NODE_OPTIONS: _, ...env } = process.env // an old Node refuses options it does not have
    const version = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8', env }).stdout?.trim().slice(1) ?? ''
    skip(version === '' || Number.parseInt(version, 10) >= 22, 'this machine has no Node before 22 at /usr/bin/node')
    const ended = spawnSync('/usr/bin/node', [join(cli, file), '--data', tempFolder()], { encoding: 'utf8', env })
    expect({ status: ended.status, stdout: ended.stdout }).toEqual({ status: 1, stdout: '' })
    expect(ended.stderr).toContain(manifest.engines.node.replace('>=', ''))
    expect(ended.stderr).toContain(version)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('there is no window', () => {
  const display = { DISPLAY: ':0' }
  const noDownload = { reason: expect.stringMatching(/could not be downloaded/) }

  test.for([
    ['--headless is given', { headless: true, env: display, user: 1000 }, /./],
    ...(linux
      ? ([
          ['there is no display', { env: {}, user: 1000 }, /display/],
          ['the user is root', { env: display, user: 0 }, /root/]
        ] as const)
      : [])
  ] as const)('if %s', async ([, options, reason]) => {
    expect(await findRuntime(options)).toEqual({ reason: expect.stringMatching(reason) })
  })

  test('if the runtime is missing and the network refuses, without waiting for the time limit', async () => {
    const { server, port } = await listening(createServer())
    await new Promise((resolve) => server.close(resolve))
    const begun = performance.now()
    expect(await findRuntime({ ...missing(port), timeout: 29_000 })).toEqual(noDownload)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })

  test('if the runtime is missing and the network does not answer within the time limit', async () => {
    const callers: Socket[] = []
    const { port } = await listening(createServer((socket) => callers.push(socket.on('error', () => {}))))
    const begun = performance.now()
    expect(await findRuntime({ ...missing(port), timeout: 300 })).toEqual(noDownload)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(callers).not.toHaveLength(0)
    for (const caller of callers) caller.destroy()
  })

  test('if the runtime is missing and the mirror does not have it', async () => {
    const { port, requested } = await mirror((_, response) => response.writeHead(404).end())
    expect(await findRuntime(missing(port))).toEqual(noDownload)
    expect(requested).toEqual([`HEAD /v${manifest.devDependencies.electron}/SHASUMS256.txt`])
  })

  test('if the download breaks off three times, or does not match its checksum', async () => {
    let downloads = 0
    const { port } = await mirror((request, response) => {
      if (request.method === 'HEAD') return response.writeHead(200).end()
      downloads += 1
      if (downloads > 1) return response.end('no zip')
      response.writeHead(200, { 'content-length': 1000 }).write('cut')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await findRuntime(missing(port, { electron_config_cache: tempFolder() }))).toEqual({
      reason: expect.stringMatching(/could not be downloaded: .*checksum/i)
    })
    expect(downloads).toBe(3)
  })

  test('if a proxy refuses: it is named without its password', async () => {
    const tunnels: string[] = []
    const proxy = createWebServer().on('connect', (request, socket) => {
      tunnels.push(request.url ?? '')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const { port } = await listening(proxy)
    expect(await findRuntime(missing(20_799, { http_proxy: `http://me:secret@127.0.0.1:${port}` }))).toEqual({
      reason: expect.stringContaining(`could not be downloaded through the proxy http://127.0.0.1:${port} (`)
    })
    expect(tunnels).toEqual(['127.0.0.1:20799'])
  })

  test.runIf(linux)('under Rosetta, for which the build for Apple processors is requested', async () => {
    const { port, requested } = await mirror((request, response) =>
      response.writeHead(request.method === 'HEAD' ? 200 : 404).end()
    )
    const folder = tempFolder()
    writeFileSync(join(folder, 'sysctl'), '#!/bin/sh\ntest "$*" = "-in sysctl.proc_translated" && echo 1\n', {
      mode: 0o755
    })
    const mac = join(folder, 'mac.mjs')
    const pretend = (name: string, value: string) => `Object.defineProperty(process, '${name}', { value: '${value}' })`
    writeFileSync(mac, [pretend('platform', 'darwin'), pretend('arch', 'x64')].join('\n'))
    const env = {
      electron_config_cache: tempFolder(),
      NODE_OPTIONS: `--import ${mac}`,
      PATH: `${folder}:${process.env.PATH}`
    }
    const build = (arch: string) =>
      expect.stringMatching(new RegExp(`^GET .*electron-v${manifest.devDependencies.electron}-darwin-${arch}\\.zip$`))
    await findRuntime(missing(port, env))
    expect(requested).toContainEqual(build('arm64'))
    requested.length = 0
    await findRuntime(missing(port, { ...env, npm_config_arch: 'x64' }))
    expect(requested).toContainEqual(build('x64'))
  })

  test.runIf(linux)(
    'if Electron has no sandbox: the advice names the commands, and only --no-sandbox goes on',
    async () => {
      const error =
        'FATAL:setuid_sandbox_host.cc(166)] The SUID sandbox helper binary was found, but is not configured correctly.'
      const { env, folder, started } = installed(`echo '${error}' >&2; kill -TRAP $$`)
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

  test.runIf(linux)('if Electron ends at once, for which its last line is the reason', async () => {
    const error = 'electron: error while loading shared libraries: libnss3.so: cannot open shared object file'
    const { folder } = installed(`echo noise >&2; echo '${error}' >&2; exit 127`)
    expect(await openWindow(join(folder, 'electron'), ['--hidden'])).toBe(error)
    const { folder: silent } = installed('kill -SEGV $$')
    expect(await openWindow(join(silent, 'electron'), [])).toBe('it ended with SIGSEGV')
    expect(await openWindow(join(silent, 'missing'), [])).toMatch(/ENOENT/)
  })

  test.runIf(linux).for(['echo v45.4.1', 'exit 3'])(
    'unless Electron starts or fails for another reason: %s',
    async (script) => {
      const { env, folder } = installed(script)
      expect(await findRuntime({ env, user: 1000 })).toEqual({ runtime: join(folder, 'electron') })
    }
  )

  /** A desktop with a script in the place of Electron, which logs its arguments. */
  function installed(script: string) {
    const folder = tempFolder()
    const log = join(folder, 'started')
    writeFileSync(join(folder, 'electron'), `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`, { mode: 0o755 })
    const env = { ...display, ELECTRON_OVERRIDE_DIST_PATH: folder }
    return { env, folder, started: () => readFileSync(log, 'utf8').trim().split('\n') }
  }

  /** A desktop without Electron, whose mirror is on this machine. */
  function missing(port: number, env: NodeJS.ProcessEnv = {}) {
    const mirror = { ELECTRON_OVERRIDE_DIST_PATH: tempFolder(), ELECTRON_MIRROR: `http://127.0.0.1:${port}/` }
    return { env: { ...display, ...mirror, ...env }, user: 1000 }
  }

  async function mirror(answer: RequestListener) {
    const requested: string[] = []
    const { port } = await listening(
      createWebServer((request, response) => {
        requested.push(`${request.method} ${request.url}`)
        answer(request, response)
      })
    )
    return { port, requested }
  }
})

describe('npm start without a window', () => {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...noDisplay } = withoutKeychain

  test.each([
    { name: '--headless is given', args: ['--headless'], env: withoutKeychain, reason: /^No window: asked/ },
    ...(linux ? [{ name: 'there is no display', args: [], env: noDisplay, reason: /^No window: .*display/ }] : [])
  ])('serves in this terminal and reports in one line that $name', async ({ args, env, reason }) => {
    const data = tempFolder()
    const file = join(cli, 'start.js')
    const service = launchEarmark([...args, '--port', '0', '--data', data, '--json'], { file, env })
    const first = JSON.parse((await service.firstLine) ?? '{}')
    expect(first, service.stderr).toMatchObject({ mcp: `${first.url}/api/tools/mcp`, pid: service.child.pid, data })
    expect((await rawRequest(first.mcp)).status).toBe(401)
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    expect(service.stdout.trimEnd().split('\n')).toHaveLength(1)
    // Sources that changed since the last build are built first, which an earlier line reports.
    const lines = service.stderr.trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('Building Earmark'))).toEqual([expect.stringMatching(reason)])
  })
})

describe('npm run dev', () => {
  const register = join(import.meta.dirname, '../support/electron/register.js')

  test.runIf(linux)('opens the desktop app with its service if the runtime is installed', async () => {
    // In the place of the runtime: the app on the stand-in, with the arguments of Electron.
    const runtime = join(tempFolder(), 'electron')
    const desktop = join(cli, '../../out/main/desktop.js')
    writeFileSync(
      runtime,
      `#!/bin/sh\nshift\nDISPLAY=:0 TMPDIR='${tempFolder()}' exec '${process.execPath}' --import '${register}' '${desktop}' "$@"\n`
    )
    chmodSync(runtime, 0o755)
    await expectServed(runtime)
  })

  test('serves without a window if the runtime is missing', () => expectServed(undefined))

  test('fails if the service ends before it serves', async () => {
    await expect(startService('/bin/false', tempFolder())).rejects.toThrow('ended with 1')
  })

  test('downloads no runtime', async () => {
    const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: tempFolder() }
    expect(await findRuntime({ env, user: 1000, mayDownload: false })).toEqual({
      reason: expect.stringMatching(/not installed/)
    })
  })

  async function expectServed(runtime: string | undefined): Promise<void> {
    const { child, login } = await startService(runtime, tempFolder())
    onTestFinished(() => void child.kill('SIGKILL'))
    // Node does not resolve the dashboard's name.
    expect((await rawRequest(`http://127.0.0.1:${new URL(login).port}/api/tools/mcp`)).status).toBe(401)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  }
})

async function listening(server: Server): Promise<{ server: Server; port: number }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { server, port: (server.address() as AddressInfo).port }
}
