import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A host that hangs is ended after so long, in milliseconds. */
const PATIENCE_MS = 90_000
/** And what it has yet to write once it is gone. */
const REST_MS = 1000

/** Runs a program to its end, and gives all it wrote; with what it started, it is gone then. */
export async function run(file: string, args: string[], env: NodeJS.ProcessEnv, cwd?: string) {
  const child = spawn(file, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(cwd !== undefined && { cwd })
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const closed = once(child, 'close')
  let hung = false
  const timer = setTimeout(() => {
    hung = true
    endGroup(child.pid)
  }, PATIENCE_MS)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  endGroup(child.pid)
  await Promise.race([closed, pause(REST_MS)])
  return { code: code as number | null, output, hung }
}

/** The process and those of its children that did not leave its group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them are gone.
  }
}
