import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sandboxProblem } from './sandbox.js'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const manifest = require.resolve('electron/package.json')
const folder = dirname(manifest)

/** A network that never answers must not keep anybody from their bookmarks. */
const PATIENCE_MS = 5000

/**
 * Finds the Electron runtime, and downloads it where it is missing and the network allows.
 *
 * @param {{ headless?: boolean, mayDownload?: boolean, env?: NodeJS.ProcessEnv, user?: number | undefined, patience?: number }} options
 *   `patience` is for the network, in milliseconds
 * @returns {Promise<{ runtime: string } | { reason: string }>} the executable, or why there can be no window
 */
export async function findRuntime({
  headless = false,
  mayDownload = true,
  env = process.env,
  user = process.getuid?.(),
  patience = PATIENCE_MS
}) {
  if (headless) return { reason: 'asked to run without one' }
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return { reason: 'there is no display here' }
  if (process.platform === 'linux' && user === 0) return { reason: 'Electron does not run as root' }
  const runtime = installedRuntime(env) ?? (mayDownload ? await download(env, patience) : undefined)
  if (runtime) {
    const reason = sandboxProblem(runtime)
    return reason ? { reason } : { runtime }
  }
  if (!mayDownload) return { reason: 'the Electron runtime is not installed (npx install-electron installs it)' }
  return {
    reason: 'the Electron runtime is not installed and could not be downloaded (npx install-electron tries again)'
  }
}

/**
 * @param {string} runtime
 * @param {string[]} args
 */
export function openWindow(runtime, args) {
  const child = spawn(runtime, [root, ...args], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
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
 * @param {NodeJS.ProcessEnv} env
 * @param {number} patience
 */
async function download(env, patience) {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const mirror =
    env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? 'https://github.com/electron/electron/releases/download/'
  const reachable = await fetch(`${mirror}v${version}/SHASUMS256.txt`, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(patience)
  }).then(
    (response) => response.status < 400,
    () => false
  )
  if (!reachable) return undefined
  console.error(`Downloading the Electron ${version} runtime (once, about 120 MB) ...`)
  const { status } = spawnSync(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
    timeout: 15 * 60_000
  })
  return status === 0 ? installedRuntime(env) : undefined
}
