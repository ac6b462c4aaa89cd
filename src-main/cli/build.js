import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const SOURCES = ['src-main', 'src-renderer', 'electron.vite.config.ts', 'package.json']

/** Builds the app when it is not built, or when a source is newer than what was built. Says so on stderr. */
export function ensureBuilt() {
  const built = join(root, 'out/main/earmark.js')
  const page = join(root, 'out/renderer/index.html')
  if (
    existsSync(built) &&
    existsSync(page) &&
    newest(SOURCES.map((name) => join(root, name))) <= statSync(page).mtimeMs
  ) {
    return
  }
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
 * @returns {number} the latest time any of them was changed, in milliseconds since 1970
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
