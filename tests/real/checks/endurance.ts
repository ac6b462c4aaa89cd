import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { type Check, expectThat, NotHere, onlyOn, onlyReal } from '../check.ts'
import { inFolder, type RunningApp, until, withApp } from '../packaged-app.ts'

const PICTURES = 300

/**
 * Rounds of that many. What the process takes for good it takes with the first ones, and allocators give back in steps:
 * a round by chance grows by up to 45 MB where nothing leaks, but not each of them.
 */
const ROUNDS = 4

/** Most that the round which grew least may leave behind, in MB: where two GLibs meet, each leaves 65 MB. */
const MOST_GROWTH = 30

const root = join(import.meta.dirname, '../../..')

export const enduranceChecks: Check[] = [
  {
    name: `${ROUNDS} times ${PICTURES} pictures: no word of GLib, bounded memory`,
    limit: 300,
    run: (app) => inFolder((folder) => withApp(app, folder, savePictures))
  },
  {
    name: 'no foreign host is asked in 60 s',
    limit: 180,
    notHere: onlyReal,
    run: (app) =>
      inFolder(async (folder) => {
        const asked: string[] = []
        const proxy = createServer((request, response) => {
          asked.push(request.url ?? '')
          response.writeHead(502).end()
        })
        proxy.on('connect', (request, socket) => {
          asked.push(request.url ?? '')
          socket.end('HTTP/1.1 502 No\r\n\r\n')
        })
        proxy.listen(0, '127.0.0.1')
        await once(proxy, 'listening')
        const { port } = proxy.address() as AddressInfo
        const args = [`--proxy-server=http://127.0.0.1:${port}`]
        await withApp(app, folder, ({ page }) => page('/').then(() => sleep(60_000)), { args })
        proxy.close()
        expectThat(asked.length === 0, `asked for ${asked.join(', ')}`)
        return '0 requests'
      })
  },
  {
    name: 'the dashboard’s page in a Weston without a screen',
    notHere: (app) => onlyReal(app) ?? onlyOn('linux')() ?? (weston() ? undefined : 'needs weston'),
    run: (app) =>
      inFolder(async (folder) => {
        const env = { ...process.env, XDG_RUNTIME_DIR: folder, XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'smoke' }
        const compositor = spawn('weston', ['--backend=headless', '--socket=smoke', '--idle-time=0'], {
          env,
          stdio: 'ignore'
        })
        try {
          await until(() => existsSync(join(folder, 'smoke')) || undefined, 10_000)
          return await withApp(
            app,
            folder,
            async ({ page }) => {
              await (await page('/')).getByRole('navigation').waitFor()
              return 'it is there'
            },
            { env: { ...env, DISPLAY: '' } }
          )
        } finally {
          const gone = once(compositor, 'exit')
          compositor.kill('SIGKILL')
          await gone
        }
      })
  },
  {
    name: 'legacy encodings are read in a worker',
    notHere: () => (runtime() ? undefined : 'needs the runtime in node_modules (npx install-electron)'),
    async run() {
      const program = join(import.meta.dirname, '../encodings.cjs')
      const here = spawnSync(process.execPath, [program], { encoding: 'utf8' })
      const flags = process.platform === 'linux' ? ['--ozone-platform=headless', '--disable-gpu', '--no-sandbox'] : []
      const there = spawnSync(runtime() ?? '', [program, ...flags], { encoding: 'utf8', timeout: 30_000 })
      expectThat(there.stdout !== '', `the worker said nothing: ${there.stderr}`)
      const [mine, theirs] = [here, there].map(({ stdout }) => JSON.parse(stdout) as Encodings)
      expectThat(theirs?.misread.length === 0, `misread: ${theirs?.misread.join(', ')}`)
      const other = Object.keys(mine?.seen ?? {}).filter((name) => mine?.seen[name] !== theirs?.seen[name])
      return `every word; of any bytes, and of word breaks, other than Node: ${other.join(', ') || 'none'}`
    }
  },
  {
    name: 'Command-W closes the window',
    notHere: (app) => onlyOn('darwin')() ?? onlyReal(app),
    run: (app) =>
      inFolder((folder) =>
        withApp(app, folder, async ({ page, child }) => {
          const dashboard = await page('/')
          await dashboard.getByRole('navigation').waitFor()
          // A key goes to whatever is in front.
          const front = `frontmost of (first process whose unix id is ${child.pid})`
          systemEvents(`set ${front} to true`)
          await sleep(500)
          if (systemEvents(`get ${front}`) !== 'true') throw new NotHere('the system brought nothing to the front')
          systemEvents('keystroke "w" using command down')
          await until(async () => (await dashboard.evaluate(() => document.hidden)) || undefined, 5000)
          return 'hidden'
        })
      )
  }
]

async function savePictures({ facts, child, output }: RunningApp): Promise<string> {
  const save = async (index: number) => {
    const background = `#${(index * 40_503).toString(16).padStart(6, '0').slice(-6)}`
    const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('picture', new File([new Uint8Array(picture)], 'picture.png', { type: 'image/png' }))
    const headers = { authorization: `Bearer ${facts.token}` }
    const response = await fetch(`${facts.url}/api/pictures`, { method: 'POST', headers, body: form })
    expectThat(response.ok, `picture ${index} was answered ${response.status}`)
  }
  const growth: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = residentMegabytes(child.pid)
    for (let index = 0; index < PICTURES; index += 1) await save(round * PICTURES + index)
    if (before !== undefined) growth.push((residentMegabytes(child.pid) ?? 0) - before)
  }
  expectThat(!/GLib|CRITICAL/.test(output()), output())
  if (growth.length === 0) return 'no word'
  const said = `grew by ${growth.join(', ')} MB`
  expectThat(Math.min(...growth) < MOST_GROWTH, said)
  return said
}

/** Where the system tells it without asking another program. */
function residentMegabytes(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** What encodings.cjs says. */
interface Encodings {
  misread: string[]
  seen: Record<string, string>
}

/** Has macOS do something to windows, which its owner must have allowed this terminal. */
function systemEvents(command: string): string {
  const script = `tell application "System Events" to ${command}`
  const { status, stdout, stderr } = spawnSync('osascript', ['-e', script], { encoding: 'utf8', timeout: 10_000 })
  if (status !== 0) throw new NotHere(stderr.trim() || 'macOS asks whether this terminal may control other programs')
  return stdout.trim()
}

function weston(): boolean {
  return spawnSync('weston', ['--version']).status === 0
}

const { installedRuntime } = (await import(pathToFileURL(join(root, 'src-main/serve/runtime.js')).href)) as {
  installedRuntime(env: NodeJS.ProcessEnv): string | undefined
}

function runtime(): string | undefined {
  return installedRuntime(process.env)
}
