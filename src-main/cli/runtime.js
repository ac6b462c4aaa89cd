import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'out/main/earmark.js')
const packageFolder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))

/** Time in which the network must answer, in ms. Without an answer, Earmark starts without a window. */
const NETWORK_TIMEOUT_MS = 5000

/**
 * Finds the Electron runtime, and downloads it if it is missing and the network allows it.
 *
 * @param {object} options
 * @param {boolean} [options.headless] Whether no window is wanted.
 * @param {boolean} [options.mayDownload]
 * @param {boolean} [options.sandbox] Whether pages must run in Chromium's sandbox. Only the owner may turn it off.
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {number | undefined} [options.user] The user's id, if the system has such ids.
 * @param {number} [options.timeout] Time in which the network must answer, in ms.
 * @returns {Promise<{ runtime: string } | { reason: string, advice?: string }>} The executable, or why there is no window
 *   and, if the owner can change that, how.
 */
export async function findRuntime({
  headless = false,
  mayDownload = true,
  sandbox = true,
  env = process.env,
  user = process.getuid?.(),
  timeout = NETWORK_TIMEOUT_MS
}) {
  if (headless) return { reason: 'asked to run without one' }
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return { reason: 'there is no display here' }
  if (process.platform === 'linux' && user === 0) return { reason: 'Electron does not run as root' }
  const installed = installedRuntime(env)
  if (!installed && !mayDownload)
    return { reason: 'the Electron runtime is not installed (npx install-electron installs it)' }
  const result = installed ? { runtime: installed } : await download(env, timeout)
  if ('reason' in result) return result
  return (sandbox && sandboxProblem(result.runtime)) || result
}

/**
 * Looks where Electron's own package would, without loading it: loading starts a download.
 *
 * @public also used by tests
 * @param {NodeJS.ProcessEnv} env
 */
export function installedRuntime(env) {
  const nameFile = join(packageFolder, 'path.txt')
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8') : undefined
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  if (!name && !override) return undefined
  const file = join(override ?? join(packageFolder, 'dist'), name ?? 'electron')
  return existsSync(file) ? file : undefined
}

/**
 * Downloads and unpacks the runtime in a process of its own. That process uses the owner's proxy. The service, which
 * may run in this process, must not use it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {number} timeout
 * @returns {Promise<{ runtime: string } | { reason: string }>}
 */
async function download(env, timeout) {
  const script = join(import.meta.dirname, 'download-runtime.js')
  const child = spawn(process.execPath, [script, packageFolder, String(timeout)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env }
  })
  const problem = (await text(child.stdout)).trim()
  const runtime = problem === '' ? installedRuntime(env) : undefined
  if (runtime) return { runtime }
  return {
    reason: `the Electron runtime is not installed and could not be ${problem || 'unpacked'} (npx install-electron tries again)`
  }
}

/** A runtime that has written nothing after this time, in ms, has started its sandbox. */
const SANDBOX_TIMEOUT_MS = 5000

/**
 * Returns why Electron cannot start its sandbox on this Linux, and what the owner can do; `undefined` if it can, or fails
 * for another reason. If a system denies user namespaces to programs outside its packages (Ubuntu since 23.10), Chromium
 * requires a helper that belongs to root, which npm cannot provide, and aborts.
 *
 * @param {string} runtime Electron's executable
 * @returns {{ reason: string, advice: string } | undefined}
 */
function sandboxProblem(runtime) {
  if (process.platform !== 'linux') return undefined
  const { stderr } = spawnSync(runtime, ['--version'], { encoding: 'utf8', timeout: SANDBOX_TIMEOUT_MS })
  if (!/SUID sandbox helper|No usable sandbox/.test(stderr ?? '')) return undefined
  const helper = join(dirname(runtime), 'chrome-sandbox')
  return {
    reason: 'this system does not let Electron start its sandbox',
    advice: [
      'This system does not let Electron start the sandbox that keeps web pages apart. To allow it, run once:',
      '',
      `  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
      '',
      'Then run npm start again. (npm start -- --no-sandbox opens the window without that protection.)',
      ''
    ].join('\n')
  }
}

/** A runtime that fails within this time, in ms, has not shown a window. */
const STARTED_MS = 10_000

/** The app's exit code after a dialog explained why it cannot start (desktop/run-app.ts). */
const EXPLAINED_IN_DIALOG = 3

/**
 * Runs the app until it ends, and then ends this process with its exit code.
 *
 * @param {string} runtime
 * @param {string[]} args
 * @param {{ verbose?: boolean }} options `verbose` shows everything that Chromium writes.
 * @returns {Promise<string>} Why the app did not start, if it failed within its first seconds.
 */
export function openWindow(runtime, args, { verbose = false } = {}) {
  const startTime = performance.now()
  const child = spawn(runtime, [root, ...args], {
    stdio: ['inherit', 'inherit', verbose ? 'inherit' : 'pipe'],
    env: { ...process.env, EARMARK_NODE: process.execPath }
  })
  let stopped = false
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      stopped = true
      child.kill(signal)
    })
  }
  let written = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    written = (written + text).slice(-4000)
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const failed = code !== 0 && code !== EXPLAINED_IN_DIALOG && !stopped
      if (failed && performance.now() - startTime < STARTED_MS) {
        resolve(written.trimEnd().split('\n').at(-1)?.trim() || `it ended with ${code ?? signal}`)
        return
      }
      if (failed) process.stderr.write(written)
      process.exit(code ?? 1)
    })
  })
}

/**
 * Starts the service for the development server: the desktop app with its window, or the headless service.
 *
 * @param {string | undefined} runtime Electron's executable, if there can be a window
 * @param {string} data the library's folder
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, login: string }>} with a login link
 */
export async function startService(runtime, data) {
  const options = ['--port', '0', '--data', data]
  const [command, ...args] = runtime ? [runtime, root, ...options] : [process.execPath, program, 'serve', ...options]
  const child = spawn(command ?? '', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Earmark ended with ${code} before it served; the lines above may say why.`)
  })
  const polling = new AbortController()
  const link = pollLoginLink(data, polling.signal)
  try {
    return { child, login: await Promise.race([link, ended]) }
  } finally {
    ended.catch(() => {})
    polling.abort()
    await link.catch(() => {})
  }
}

/**
 * @param {string} data
 * @param {AbortSignal} signal
 * @returns {Promise<string>} once the service runs
 */
async function pollLoginLink(data, signal) {
  const run = promisify(execFile)
  for (;;) {
    const answer = await run(process.execPath, [program, 'login', '--json', '--data', data]).catch(() => undefined)
    if (answer) return JSON.parse(answer.stdout).login
    await sleep(200, undefined, { signal })
  }
}
