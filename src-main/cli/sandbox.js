import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'

/** A runtime that says nothing for this long, in milliseconds, has got past its sandbox. */
const TIMEOUT_MS = 5000

/**
 * Returns why Electron cannot start its sandbox on this Linux, and what the owner can do; `undefined` where it can, or
 * fails over something else. Where a system keeps programs outside its packages from having user namespaces (Ubuntu since
 * 23.10), Chromium wants a helper that belongs to root, which npm cannot give it, and aborts.
 *
 * @param {string} runtime Electron's executable
 * @returns {{ reason: string, advice: string } | undefined}
 */
export function sandboxProblem(runtime) {
  if (process.platform !== 'linux') return undefined
  const { stderr } = spawnSync(runtime, ['--version'], { encoding: 'utf8', timeout: TIMEOUT_MS })
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
