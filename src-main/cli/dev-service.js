import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'out/main/earmark.js')
const run = promisify(execFile)

/**
 * Starts what answers the development server: the desktop app with its window, or the headless service.
 *
 * @param {string | undefined} runtime Electron's executable, where there can be a window
 * @param {string} data the library's folder
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, login: string }>} with a link that logs in
 */
export async function startService(runtime, data) {
  const options = ['--port', '0', '--data', data]
  const [command, ...args] = runtime ? [runtime, root, ...options] : [process.execPath, program, 'serve', ...options]
  const child = spawn(command ?? '', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Earmark ended with ${code} before it served; the lines above may say why.`)
  })
  const asking = new AbortController()
  const link = loginLink(data, asking.signal)
  try {
    return { child, login: await Promise.race([link, ended]) }
  } finally {
    ended.catch(() => {})
    asking.abort()
    await link.catch(() => {})
  }
}

/**
 * Asks until the service is there, or until it is known that it will never be.
 *
 * @param {string} data
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
async function loginLink(data, signal) {
  for (;;) {
    const asked = await run(process.execPath, [program, 'login', '--json', '--data', data]).catch(() => undefined)
    if (asked) return JSON.parse(asked.stdout).login
    await sleep(200, undefined, { signal })
  }
}
