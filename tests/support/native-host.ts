import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { EXTENSION } from '../../src-main/contract/extension-id.ts'
import { frameOf, framesOf } from '../../src-main/serve/bridge/frames.ts'
import { program, withoutKeychain } from './program.ts'

/** Who Chromium says it starts the host for. */
export const OURS = `chrome-extension://${EXTENSION.chromium}/`

/** A host as a browser starts it. */
export interface StartedHost {
  child: ChildProcess
  /** Asks, and gives the answer with the same id. */
  ask(what: string, page: object): Promise<Answer>
  /** The next message that answers none of these; `undefined` at the end. */
  next(): Promise<Answer>
  write(bytes: Uint8Array): void
  /** Ends the input, and gives the exit code and what was written to stderr. */
  end(): Promise<{ code: number | null; stderr: string }>
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
type Answer = any

export function startHost(data: string, caller: string[] = [OURS]): StartedHost {
  const child = spawn(process.execPath, [program, 'native-host', '--data', data, ...caller], { env: withoutKeychain })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  // It may end before all is written.
  child.stdin.on('error', () => {})
  const asked: ((message: Answer) => void)[] = []
  const others: Answer[] = []
  const waiting: ((message: Answer) => void)[] = []
  const take = (message: Answer) => {
    const mine = asked[message?.id]
    if (mine) {
      delete asked[message.id]
      mine(message)
    } else if (waiting.length > 0) waiting.shift()?.(message)
    else others.push(message)
  }
  // Where a test reads no more it is closed in the middle.
  readAll(child.stdout, take).catch(() => take(undefined))
  return {
    child,
    next: () => new Promise((resolve) => (others.length > 0 ? resolve(others.shift()) : waiting.push(resolve))),
    write: (bytes) => void child.stdin.write(bytes),
    ask: (ask, page) =>
      new Promise((resolve) => {
        const id = asked.length
        asked.push(resolve)
        child.stdin.write(frameOf({ id, ask, page }))
      }),
    async end() {
      child.stdin.end()
      const [code] = await closed
      return { code, stderr }
    }
  }
}

/** Hands on each message, and `undefined` once there is none any more. */
async function readAll(output: AsyncIterable<Uint8Array>, take: (message: Answer) => void): Promise<void> {
  for await (const text of framesOf(output)) take(JSON.parse(text))
  take(undefined)
}
