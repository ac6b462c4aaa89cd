import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'

/** A runtime that says nothing for this long, in milliseconds, has got past its sandbox. */
const PATIENCE_MS = 5000

/**
 * Why Electron cannot start on this Linux, with what helps; `undefined` where it can, or fails over something else. Where
 * a system keeps programs outside its packages from having user namespaces (Ubuntu since 23.10), Chromium wants a helper
 * that belongs to root, which npm cannot give it, and aborts. Running without a sandbox is nobody's choice but the owner's.
 *
 * @param {string} runtime Electron's executable
 * @returns {string | undefined}
 */
export function sandboxProblem(runtime) {
  if (process.platform !== 'linux') return undefined
  const { stderr } = spawnSync(runtime, ['--version'], { encoding: 'utf8', timeout: PATIENCE_MS })
  if (!/SUID sandbox helper|No usable sandbox/.test(stderr ?? '')) return undefined
  const helper = join(dirname(runtime), 'chrome-sandbox')
  return `Electron may not start its sandbox here; sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}' lets it`
}
