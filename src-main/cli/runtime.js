import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sandboxProblem } from './sandbox.js'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const manifest = require.resolve('electron/package.json')
const folder = dirname(manifest)

/** A network that never answers must not keep anybody from their bookmarks. */
const TIMEOUT_MS = 5000

/** A runtime that ends badly within this time has not shown a window. */
const STARTED_MS = 10_000

/** The app's exit code after it has told its owner in a dialog why it cannot start (desktop/run-app.ts). */
const TOLD_IN_DIALOG = 3

/**
 * Finds the Electron runtime, and downloads it where it is missing and the network allows.
 *
 * @param {object} options
 * @param {boolean} [options.headless] Whether no window is wanted.
 * @param {boolean} [options.mayDownload]
 * @param {boolean} [options.sandbox] Whether pages must run in Chromium's sandbox. Only the owner says otherwise.
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {number | undefined} [options.user] The user's id, where the system has such ids.
 * @param {number} [options.timeout] How long the network may take to answer, in milliseconds.
 * @returns {Promise<{ runtime: string } | { reason: string, advice?: string }>} The executable, or why there can be no
 *   window and, where the owner can change that, how.
 */
export async function findRuntime({
  headless = false,
  mayDownload = true,
  sandbox = true,
  env = process.env,
  user = process.getuid?.(),
  timeout = TIMEOUT_MS
}) {
  if (headless) return { reason: 'asked to run without one' }
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return { reason: 'there is no display here' }
  if (process.platform === 'linux' && user === 0) return { reason: 'Electron does not run as root' }
  const installed = installedRuntime(env)
  if (!installed && !mayDownload)
    return { reason: 'the Electron runtime is not installed (npx install-electron installs it)' }
  const found = installed ? { runtime: installed } : await download(env, timeout)
  if ('reason' in found) return found
  return (sandbox && sandboxProblem(found.runtime)) || found
}

/**
 * Runs the app until it ends, and then ends this process with its exit code.
 *
 * @param {string} runtime
 * @param {string[]} args
 * @param {{ verbose?: boolean }} options `verbose` shows all that Chromium writes.
 * @returns {Promise<string>} Why the app did not start, where it ended badly within its first seconds.
 */
export function openWindow(runtime, args, { verbose = false } = {}) {
  const begun = performance.now()
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
      const failed = code !== 0 && code !== TOLD_IN_DIALOG && !stopped
      if (failed && performance.now() - begun < STARTED_MS)
        resolve(lastLine(written) ?? `it ended with ${code ?? signal}`)
      else {
        if (failed) process.stderr.write(written)
        process.exit(code ?? 1)
      }
    })
  })
}

/** @param {string} text */
function lastLine(text) {
  return text.trimEnd().split('\n').at(-1)?.trim() || undefined
}

/**
 * Looks where Electron's own package would, without loading it: that starts a download of its own.
 *
 * @public tests ask it too
 * @param {NodeJS.ProcessEnv} env
 */
export function installedRuntime(env) {
  const named = join(folder, 'path.txt')
  const name = existsSync(named) ? readFileSync(named, 'utf8') : undefined
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  if (!name && !override) return undefined
  const file = join(override ?? join(folder, 'dist'), name ?? 'electron')
  return existsSync(file) ? file : undefined
}

/**
 * Downloads and unpacks the runtime in a process of its own: that asks through the owner's proxy, and the service, which
 * may go on in this process, asks this machine without one.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {number} timeout
 * @returns {Promise<{ runtime: string } | { reason: string }>}
 */
async function download(env, timeout) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'download-runtime.js'), folder, String(timeout)], {
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
