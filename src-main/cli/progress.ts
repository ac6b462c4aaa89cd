import { Transform } from 'node:stream'
import type { CommandProcess } from './command.ts'

/** How often the bar moves, in milliseconds. */
const EVERY_MS = 100
const WIDTH = 30

/**
 * Passes bytes on and draws how many of them are through, where that is a terminal. Bytes are taken as fast
 * as they are worked off, so it shows the work and not the sending.
 *
 * @param total how many there will be
 */
export function withProgress(total: number, output: CommandProcess['stderr']): Transform {
  let done = 0
  let drawn = 0
  const { draw, clear } = lineOnTerminal(output)
  return new Transform({
    transform(bytes: Buffer, _, next) {
      done += bytes.length
      const now = performance.now()
      if (now - drawn > EVERY_MS) {
        drawn = now
        draw(bar(done / total))
      }
      next(null, bytes)
    },
    flush(next) {
      clear()
      next()
    },
    destroy(error, next) {
      clear()
      next(error)
    }
  })
}

/** Draws how much is done, where that is a terminal. */
export function drawProgress(output: CommandProcess['stderr']) {
  const { draw, clear } = lineOnTerminal(output)
  return { draw: (share: number) => draw(bar(share)), clear }
}

/** `[#####     ]  50 %` */
function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * WIDTH)
  const percent = Math.floor(Math.min(1, share) * 100)
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${String(percent).padStart(3)} %`
}

/** One line that changes, where the output is a terminal. */
export function lineOnTerminal(output: CommandProcess['stderr']) {
  let drawn = false
  return {
    draw(text: string): void {
      if (!output.isTTY) return
      drawn = true
      output.write(`\r${text}\u001b[K`)
    },
    clear(): void {
      if (drawn) output.write('\r\u001b[K')
      drawn = false
    }
  }
}
