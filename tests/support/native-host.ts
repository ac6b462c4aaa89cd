import type { Readable, Writable } from 'node:stream'
import { EXTENSION } from '../../src-main/contract/extension-id.ts'
import { frameOf, framesOf } from '../../src-main/serve/bridge/frames.ts'
import { startCommand } from './command-line.ts'
import type { Ended } from './program.ts'

/** Who Chromium says it starts the host for. */
export const OURS = `chrome-extension://${EXTENSION.chromium}/`

/** A host as a browser starts it. */
export interface StartedHost {
  /** Asks, and gives the answer with the same id. */
  ask(what: string, page: object): Promise<Answer>
  /** The next message that answers none of these; `undefined` at the end. */
  next(): Promise<Answer>
  write(bytes: Uint8Array): void
  /** Ends the input, and gives the exit code and what was written to stderr. */
  end(): Promise<Pick<Ended, 'code' | 'stderr'>>
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
type Answer = any

interface HostProcess {
  stdin: Writable
  stdout: Readable
  ended: Promise<Ended>
}

/** Starts the host in this process and speaks with it. */
export function startHost(data: string, caller: string[] = [OURS]): StartedHost {
  return speakWith(startCommand(['native-host', '--data', data, ...caller]))
}

/** Speaks with a host as the browser does. */
export function speakWith({ stdin, stdout, ended }: HostProcess): StartedHost {
  // It may end before all is written.
  stdin.on('error', () => {})
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
  readAll(stdout, take).catch(() => take(undefined))
  return {
    next: () => new Promise((resolve) => (others.length > 0 ? resolve(others.shift()) : waiting.push(resolve))),
    write: (bytes) => void stdin.write(bytes),
    ask: (ask, page) =>
      new Promise((resolve) => {
        const id = asked.length
        asked.push(resolve)
        stdin.write(frameOf({ id, ask, page }))
      }),
    async end() {
      stdin.end()
      const { code, stderr } = await ended
      return { code, stderr }
    }
  }
}

/** Hands on each message, and `undefined` once there is none any more. */
async function readAll(output: AsyncIterable<Uint8Array>, take: (message: Answer) => void): Promise<void> {
  for await (const text of framesOf(output)) take(JSON.parse(text))
  take(undefined)
}
