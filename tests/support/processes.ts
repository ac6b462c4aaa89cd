import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Ends a process that is not a child of ours and waits until it is gone. */
export async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal)
  await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false)
}

/** A zombie only waits for whoever asks how it ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z')
  } catch {
    return false
  }
}
