/** What is checked on the packaged program, in this order. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { encodeFrame } from '../../src-main/cli/commands/bridges.ts'
import { EXTENSION } from '../../src-main/contract/extension-id.ts'
import { type Ended, withoutKeychain } from '../support/earmark.ts'
import { startKeyring, withoutDesktop } from '../support/keyring.ts'
import { hasKeyring } from '../support/tools.ts'
import { type PackagedApp, type RunningApp, runCommand, until, withApp } from './packaged-app.ts'

export interface Check {
  name: string
  /** Returns why the check cannot run here, if it cannot. */
  notHere?(app: PackagedApp): string | undefined | false
  /** Limit in seconds. */
  limit?: number
  /** Gets an empty folder. Returns what it saw, for the table. Throws if something is wrong. */
  run(app: PackagedApp, folder: string): Promise<string>
}

/** Thrown by a check that finds out during its run that it cannot run here. */
export class NotHere extends Error {}

const PICTURES = 300
/**
 * Rounds of that many pictures. A process keeps memory from the first ones, and allocators return memory in steps: a round may
 * grow by up to 45 MB without a leak, but not every round.
 */
const ROUNDS = 4
/** Maximum growth of the round that grew least, in MB: two different GLibs in one process leave 65 MB each time. */
const MAX_GROWTH_MB = 30
/** Time for a page at work to show its question. */
const QUESTION_MS = 2000

const root = join(import.meta.dirname, '../..')
const { platform } = process
const runtimeModule = pathToFileURL(join(root, 'src-main/cli/runtime.js')).href
const { installedRuntime } = (await import(runtimeModule)) as {
  installedRuntime(env: NodeJS.ProcessEnv): string | undefined
}
const runtime = installedRuntime(process.env)
const onStandIn = ({ kind }: PackagedApp) => kind === 'stand-in' && 'only real Electron shows it'
const onWindows = () => platform === 'win32' && 'nothing asks a program to quit there from outside'

/** Makes a check of the running app. */
function whileRunning(work: (running: RunningApp, app: PackagedApp, folder: string) => Promise<string>): Check['run'] {
  return (app, folder) => withApp(app, folder, (running) => work(running, app, folder))
}

export const CHECKS: Check[] = [
  {
    name: 'the dashboard’s page within 10 s, and GET / is 200',
    async run(app, folder) {
      const begun = performance.now()
      return withApp(app, folder, async (running) => {
        await openDashboard(running)
        const ms = Math.round(performance.now() - begun)
        const { status } = await fetch(running.facts.url)
        expectThat(status === 200 && ms < 10_000, `GET / was ${status}, the page came after ${ms} ms`)
        return `${ms} ms`
      })
    }
  },
  {
    name: 'it quits with 0 and leaves no service file',
    notHere: onWindows,
    run: whileRunning(async (running) => {
      await openDashboard(running)
      const begun = performance.now()
      running.child.kill('SIGTERM')
      const code = await running.ended
      const isLeft = existsSync(join(running.data, 'service.json'))
      expectThat(code === 0 && !isLeft, `code ${code}, service file ${isLeft ? 'left' : 'gone'}: ${running.output()}`)
      return `${Math.round(performance.now() - begun)} ms`
    })
  },
  {
    name: 'a page at work is not quit without a question',
    notHere: onWindows,
    run: whileRunning(async (running) => {
      const page = await openDashboard(running)
      page.on('dialog', () => {})
      await page.locator('body').click({ position: { x: 5, y: 5 } })
      await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
      running.child.kill('SIGTERM')
      await sleep(QUESTION_MS)
      expectThat(running.child.exitCode === null, 'it ended all the same')
      return 'it waits for the answer'
    })
  },
  {
    name: 'a page that crashes comes back three times; after a fourth the service still answers',
    run: whileRunning(async (running) => {
      for (let crash = 1; crash <= 4; crash += 1) {
        const page = await openDashboard(running)
        const session = await page.context().newCDPSession(page)
        // The crashed page never answers.
        void session.send('Page.crash').catch(() => {})
        await sleep(1000)
        const { status } = await fetch(running.facts.url)
        expectThat(status === 200, `after crash ${crash} GET / was ${status}`)
        // After the fourth within a minute the app asks before it loads the page again.
        if (crash < 4) await running.reconnect()
      }
      return 'GET / 200 after each'
    })
  },
  {
    name: 'capture opens twice, for a second start each',
    run: whileRunning(async (running, app) => {
      await openDashboard(running)
      for (const url of ['https://one.example/', 'https://two.example/']) {
        const link = `earmark://capture?url=${encodeURIComponent(url)}`
        const env = { ...process.env, DISPLAY: process.env.DISPLAY ?? ':0' }
        const second = spawn(app.executable, ['--data', running.data, link], { env, stdio: 'ignore' })
        const [code] = await once(second, 'exit')
        expectThat(code === 0, `the second start ended with ${code}`)
        const page = await running.page('/capture')
        const field = page.getByRole('textbox', { name: 'What to save' })
        await until(async () => (await field.inputValue()).startsWith(url) || undefined, 5000)
        await page.keyboard.press('Escape')
      }
      return 'filled in both times'
    })
  },
  {
    name: 'commands answer without a display, also behind --no-sandbox, and leave no profile',
    async run(app, folder) {
      const env = bareEnvironment(folder)
      const begun = performance.now()
      const version = await runCommand(app, ['--version'], env)
      const ms = Math.round(performance.now() - begun)
      expectThat(version.code === 0 && /^\d+\.\d+\.\d+\r?\n$/.test(version.stdout), JSON.stringify(version))
      const data = join(folder, 'library')
      mkdirSync(data, { mode: 0o700 })
      const list = ['keys', 'list', '--json', '--data', data]
      parse(await runCommand(app, ['--no-sandbox', ...list], env))
      const left = existsSync(join(folder, 'config')) ? readdirSync(join(folder, 'config')) : []
      expectThat(left.length === 0, `left in the configuration folder: ${left}`)
      return `--version in ${ms} ms`
    }
  },
  {
    name: 'mcp-stdio answers initialize',
    run: whileRunning(async ({ data }, app, folder) => {
      const env = bareEnvironment(folder)
      const { key } = parse(await runCommand(app, ['keys', 'create', '--name', 'x', '--json', '--data', data], env))
      const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { client: { name: 'smoke' } } }
      const withKey = { ...env, EARMARK_KEY: String(key) }
      const answer = parse(await runCommand(app, ['mcp-stdio', '--data', data], withKey, `${JSON.stringify(hello)}\n`))
      expectThat(answer.id === 1 && 'result' in answer, JSON.stringify(answer))
      return 'id 1, result'
    })
  },
  {
    name: 'native-host answers the browser extension',
    run: whileRunning(async ({ data }, app, folder) => {
      const args = ['native-host', '--data', data, `chrome-extension://${EXTENSION.chromium}/`]
      const question = encodeFrame({ id: 1, ask: 'tags', page: {} }).toString('latin1')
      const { code, stdout, stderr } = await runCommand(app, args, bareEnvironment(folder), question)
      expectThat(code === 0 && stdout.slice(4) === '{"id":1,"answer":{"tags":[]}}', `${code}: ${stdout}${stderr}`)
      return 'id 1, no tags'
    })
  },
  {
    name: 'the keychain takes, gives and forgets a key',
    notHere: () => platform === 'linux' && !hasKeyring() && 'needs gnome-keyring and dbus',
    async run(app, folder) {
      // On Linux a keyring of its own; elsewhere the account's keychain, in which one key comes and goes.
      if (platform !== 'linux') return keepKey(app, folder, bareEnvironment(folder))
      const home = join(folder, 'home')
      mkdirSync(home)
      const variables = withoutDesktop(home)
      const { address, stop } = await startKeyring(home, variables)
      const env = { ...process.env, ...variables, DBUS_SESSION_BUS_ADDRESS: address }
      return keepKey(app, folder, env).finally(stop)
    }
  },
  {
    name: `${ROUNDS} times ${PICTURES} pictures: no word of GLib, bounded memory`,
    limit: 300,
    run: whileRunning(savePictures)
  },
  {
    name: 'no foreign host is asked in 60 s',
    limit: 180,
    notHere: onStandIn,
    async run(app, folder) {
      const requests: string[] = []
      const proxy = createServer((request, response) => {
        requests.push(request.url ?? '')
        response.writeHead(502).end()
      })
      proxy.on('connect', (request, socket) => {
        requests.push(request.url ?? '')
        socket.end('HTTP/1.1 502 No\r\n\r\n')
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      const args = [`--proxy-server=http://127.0.0.1:${(proxy.address() as AddressInfo).port}`]
      await withApp(app, folder, ({ page }) => page('/').then(() => sleep(60_000)), { args })
      proxy.close()
      expectThat(requests.length === 0, `asked for ${requests.join(', ')}`)
      return '0 requests'
    }
  },
  {
    name: 'the dashboard’s page in a Weston without a screen',
    notHere: (app) =>
      onStandIn(app) || onlyOn('linux') || (spawnSync('weston', ['--version']).status !== 0 && 'needs weston'),
    async run(app, folder) {
      const env = { ...process.env, XDG_RUNTIME_DIR: folder, XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'smoke' }
      const args = ['--backend=headless', '--socket=smoke', '--idle-time=0']
      const compositor = spawn('weston', args, { env, stdio: 'ignore' })
      const gone = once(compositor, 'exit')
      try {
        await until(() => existsSync(join(folder, 'smoke')) || undefined, 10_000)
        await withApp(app, folder, openDashboard, { env: { ...env, DISPLAY: '' } })
        return 'it is there'
      } finally {
        compositor.kill('SIGKILL')
        await gone
      }
    }
  },
  {
    name: 'legacy encodings are read in a worker',
    notHere: () => runtime === undefined && 'needs the runtime in node_modules (npx install-electron)',
    async run() {
      const program = join(import.meta.dirname, 'encodings.cjs')
      const flags = platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu', '--no-sandbox'] : []
      const here = spawnSync(process.execPath, [program], { encoding: 'utf8' })
      const there = spawnSync(runtime ?? '', [program, ...flags], { encoding: 'utf8', timeout: 30_000 })
      expectThat(there.stdout !== '', `the worker wrote nothing: ${there.stderr}`)
      const { seen } = JSON.parse(here.stdout) as Encodings
      const electron = JSON.parse(there.stdout) as Encodings
      expectThat(electron.misread.length === 0, `misread: ${electron.misread.join(', ')}`)
      const other = Object.keys(seen).filter((name) => seen[name] !== electron.seen[name])
      return `every word; of any bytes, and of word breaks, other than Node: ${other.join(', ') || 'none'}`
    }
  },
  {
    name: 'Command-W closes the window',
    notHere: (app) => onlyOn('darwin') || onStandIn(app),
    run: whileRunning(async (running) => {
      const dashboard = await openDashboard(running)
      // The system sends a key to the program in front.
      const front = `frontmost of (first process whose unix id is ${running.child.pid})`
      runSystemEvents(`set ${front} to true`)
      await sleep(500)
      if (runSystemEvents(`get ${front}`) !== 'true') throw new NotHere('the system brought nothing to the front')
      runSystemEvents('keystroke "w" using command down')
      await until(async () => (await dashboard.evaluate(() => document.hidden)) || undefined, 5000)
      return 'hidden'
    })
  }
]

/** The output of encodings.cjs. */
interface Encodings {
  misread: string[]
  seen: Record<string, string>
}

function onlyOn(system: NodeJS.Platform): string | false {
  return platform !== system && `only on ${system}`
}

function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

async function openDashboard({ page }: RunningApp) {
  const dashboard = await page('/')
  await dashboard.getByRole('navigation').waitFor()
  return dashboard
}

/** No display, no session bus, and a configuration folder that shows what is left behind. */
function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...withoutKeychain, XDG_CONFIG_HOME: join(folder, 'config') }
  delete env.DISPLAY
  delete env.WAYLAND_DISPLAY
  return env
}

function parse({ code, stdout, stderr }: Ended): Record<string, unknown> {
  expectThat(code === 0, `code ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

async function keepKey(app: PackagedApp, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const data = join(folder, 'library')
  const run = async (...args: string[]) => parse(await runCommand(app, [...args, '--json', '--data', data], env))
  const { id, key, keychain } = await run('keys', 'create', '--name', 'kept')
  expectThat(keychain === 'stored', `the keychain says ${keychain}`)
  // A bridge without a key reads it from the keychain; the service checks whether it is the right one.
  const request = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`
  const bridge = ['mcp-stdio', '--data', data, '--key-id', String(id)]
  const display = { ...env, DISPLAY: process.env.DISPLAY ?? ':0' }
  const answer = await withApp(app, folder, () => runCommand(app, bridge, env, request), { env: display })
  expectThat('result' in parse(answer), `the key was not read back: ${answer.stdout}${answer.stderr}`)
  await run('keys', 'revoke', String(id))
  expectThat(typeof key === 'string', 'no key was shown')
  return 'stored, read, revoked'
}

async function savePictures({ facts, child, output }: RunningApp): Promise<string> {
  const growth: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = residentMegabytes(child.pid)
    for (let index = 0; index < PICTURES; index += 1) {
      const background = `#${((round * PICTURES + index) * 40_503).toString(16).padStart(6, '0').slice(-6)}`
      const plain = sharp({ create: { width: 320, height: 240, channels: 3, background } })
      const bytes = new Uint8Array(await plain.png().toBuffer())
      const body = new FormData()
      body.set('picture', new File([bytes], 'picture.png', { type: 'image/png' }))
      const headers = { authorization: `Bearer ${facts.token}` }
      const { ok, status } = await fetch(`${facts.url}/api/pictures`, { method: 'POST', headers, body })
      expectThat(ok, `a picture was answered ${status}`)
    }
    if (before !== undefined) growth.push((residentMegabytes(child.pid) ?? 0) - before)
  }
  expectThat(!/GLib|CRITICAL/.test(output()), output())
  if (growth.length === 0) return 'no word'
  const result = `grew by ${growth.join(', ')} MB`
  expectThat(Math.min(...growth) < MAX_GROWTH_MB, result)
  return result
}

/** Only on Linux, which shows it without another program. */
function residentMegabytes(pid: number | undefined): number | undefined {
  if (platform !== 'linux') return undefined
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Controls windows on macOS, if the owner of the machine has allowed that to this terminal. */
function runSystemEvents(command: string): string {
  const script = `tell application "System Events" to ${command}`
  const { status, stdout, stderr } = spawnSync('osascript', ['-e', script], { encoding: 'utf8', timeout: 10_000 })
  if (status !== 0) throw new NotHere(stderr.trim() || 'macOS asks whether this terminal may control other programs')
  return stdout.trim()
}
