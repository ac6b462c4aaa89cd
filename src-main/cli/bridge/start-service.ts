import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { serviceProgram } from '../../host/own-program.ts'
import { runningIn } from '../connect.ts'
import type { ServiceClient } from '../service-client.ts'

/** A library of a million bookmarks opens within seconds; one that is mended first takes longer. */
const TIMEOUT_MS = 30_000

/** A service that nobody asked for by hand ends after this many minutes in which nobody asks it. */
const IDLE_MINUTES = 30

/** Where a service that was started so writes what it has to say, in the data folder. */
const LOG = 'serve.log'

/**
 * Starts the service of a data folder, which then goes on without us: the installed app without its window where there is
 * a screen, else the headless service. Where another process starts it at the same time, that one is as good.
 *
 * @throws Problem `service-unreachable` with what the service said last
 */
export async function startService(folder: string): Promise<ServiceClient> {
  const { command, args, packaged } = serviceProgram()
  const mode = packaged && hasScreen() ? ['--hidden'] : ['serve', '--idle-exit', String(IDLE_MINUTES)]
  const log = openSync(join(folder, LOG), 'a', 0o600)
  const { EARMARK_KEY: _, ...env } = process.env
  const child = spawn(command, [...args, ...mode, '--data', folder], {
    detached: true,
    env,
    stdio: ['ignore', 'ignore', log]
  })
  closeSync(log)
  let ended = false
  const end = once(child, 'exit').catch(() => undefined)
  void end.then(() => {
    ended = true
  })
  child.unref()
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
    const wasEnded = ended
    const running = await runningIn(folder)
    if (running) return running
    // It ended, perhaps because another was first: then that one serves in a moment.
    if (wasEnded && !(await comesUp(folder))) break
    if (wasEnded) ended = false
  }
  throw new Problem('service-unreachable', `Earmark could not be started. ${lastLine(folder)}`.trim())
}

async function comesUp(folder: string): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    if (await runningIn(folder)) return true
    await sleep(100)
  }
  return false
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

function lastLine(folder: string): string {
  return readFileSync(join(folder, LOG), 'utf8').trim().split('\n').at(-1) ?? ''
}
