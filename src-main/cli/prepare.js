// Plain JavaScript without recent features at its top: `requireNode` must run on a Node that is too old for the rest.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['src-main', 'src-renderer', 'electron.vite.config.ts', 'package.json']

/** Ends the process with one line if this Node is too old. */
export function requireNode() {
  const required = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const installed = process.versions.node
  if (installed.localeCompare(required, 'en', { numeric: true }) >= 0) return
  console.error(
    `Earmark needs Node ${required} or newer; this is ${installed}. Install a newer one from https://nodejs.org.`
  )
  process.exit(1)
}

/** Builds the app if it is not built, or if a source is newer than the build. */
export function ensureBuilt() {
  const program = join(root, 'out/main/earmark.js')
  const page = join(root, 'out/renderer/index.html')
  const isBuilt = existsSync(program) && existsSync(page)
  if (isBuilt && newest(SOURCES.map((name) => join(root, name))) <= statSync(page).mtimeMs) return
  console.error('Building Earmark (takes a few seconds) ...')
  const require = createRequire(import.meta.url)
  const tool = join(dirname(require.resolve('electron-vite/package.json')), 'bin/electron-vite.js')
  const { status } = spawnSync(process.execPath, [tool, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status !== 0) {
    console.error('Building failed; the lines above say why.')
    process.exit(1)
  }
}

/**
 * @param {string[]} paths files and folders
 * @returns {number} the latest time of change, in ms since 1970
 */
function newest(paths) {
  let latest = 0
  for (const path of paths) {
    if (!existsSync(path)) continue
    const stat = statSync(path)
    latest = Math.max(latest, stat.mtimeMs)
    if (stat.isDirectory()) latest = Math.max(latest, newest(readdirSync(path).map((name) => join(path, name))))
  }
  return latest
}
