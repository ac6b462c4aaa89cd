/** Runs commands of the command line, and the native messaging host, in this process. `tests/e2e` starts the real program. */
import { EventEmitter } from 'node:events'
import { statSync } from 'node:fs'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { encodeFrame, readFrames } from '../../src-main/cli/commands/bridges.ts'
import { runCommandLine } from '../../src-main/cli/program.ts'
import { endpointAddress } from '../../src-main/contract/endpoint.ts'
import { EXTENSION } from '../../src-main/contract/extension-id.ts'
import { prepareDataFolder } from '../../src-main/host/data-folder.ts'
import { startNodeProcess, startProcessesWith } from '../../src-main/host/own-program.ts'
import { writeServiceFile } from '../../src-main/host/service-file.ts'
import type { Service } from '../../src-main/service.ts'
import type { Ended } from './earmark.ts'
import { testService } from './service.ts'
import { tempFolder } from './temp-folder.ts'

/** The fields that commands print as JSON. */
interface Printed {
  undo: number
  id: string
  key: string
  prefix: string
  login: string
  organizations: object[]
  keys: { name: string; expiresAt: string | null; createdAt: string }[]
}

/** A running command, with all it has written so far. */
export interface RunningCommand {
  stdin: PassThrough
  stdout: PassThrough
  stderr: PassThrough
  written: { stdout: string; stderr: string }
  /** Returns the first line on stdout. Fails the test if there is none. */
  firstLine(): Promise<string>
  tell(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}

/** A keychain that does not answer. */
const noAnswer = {
  send: () => {},
  onReply: (listener: (reply: undefined) => void) => queueMicrotask(() => listener(undefined)),
  kill: () => {}
}

startProcessesWith((program) => (program === 'keychain-child' ? noAnswer : startNodeProcess(program)))

/** Starts a command with its own streams. A test sends it signals with `tell`. */
export function startCommand(args: string[]): RunningCommand {
  const signals = new EventEmitter()
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    streams[name].on('data', (chunk) => {
      written[name] += chunk
    })
  }
  const host = Object.assign(signals, streams, { kill: () => {} })
  const ended = runCommandLine(args, host).then((code) => {
    streams.stdout.end() // as at the end of a process
    return { code, ...written }
  })
  return {
    ...streams,
    written,
    async firstLine() {
      await expect.poll(() => written.stdout, { interval: 5 }).toContain('\n')
      return written.stdout.split('\n', 1)[0] ?? ''
    },
    tell: (signal) => void signals.emit(signal),
    ended
  }
}

/** Runs a command to its end with this as its standard input. */
export function earmark(args: string[], input = ''): Promise<Ended> {
  const { stdin, ended } = startCommand(args)
  stdin.end(input)
  return ended
}

/** Runs a command that must end with this code. @returns the one JSON object it prints */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
export async function json(args: string[], expected = 0): Promise<Printed & Record<string, any>> {
  const { code, stdout, stderr } = await earmark([...args, '--json'])
  expect({ code, stderr }, stdout).toEqual({ code: expected, stderr: '' })
  expect(stdout.endsWith('}\n')).toBe(true)
  return JSON.parse(stdout)
}

export async function keysIn(data: string): Promise<Printed['keys']> {
  return (await json(['keys', 'list', '--data', data])).keys
}

/** Expects exit code 1 and one line: as JSON on stdout with `--json`, otherwise as text on stderr. */
export async function expectProblem(args: string[], code: string, message: RegExp): Promise<void> {
  const { error } = await json(args, 1)
  expect(error).toStrictEqual({ code, message: expect.stringMatching(message) })
  expect(await earmark(args)).toEqual({ code: 1, stdout: '', stderr: `${error.message}\n` })
  expect(error.message).not.toContain('\n')
}

/** A service in this process. Commands find it like the built program's. */
export interface Serving {
  data: string
  url: string
  /** The endpoint's address. */
  mcp: string
  service: Service
  /** Ends the service before the test is over. */
  end(): Promise<void>
}

/** Serves the library in a folder, or an empty one, until the test is over or `afterwards` runs. */
export async function serving(
  data?: string,
  afterwards: (work: () => void | Promise<void>) => void = onTestFinished
): Promise<Serving> {
  const folder = data ?? tempFolder(afterwards)
  prepareDataFolder(folder)
  const service = await testService({ data: folder }, afterwards)
  const url = `http://127.0.0.1:${(await service.listen(0)).port}`
  const file = await writeServiceFile(folder, { url, token: service.commandToken, pid: process.pid })
  afterwards(file.end)
  const end = () => {
    file.end()
    return service.close()
  }
  return { data: folder, url, mcp: endpointAddress(url), service, end }
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** The caller's address with which Chromium starts the host. */
export const OURS = `chrome-extension://${EXTENSION.chromium}/`

/** A native messaging host as a browser starts it. */
export interface StartedHost {
  /** Sends a question. @returns the answer with its id */
  ask(what: string, page: object): Promise<Answer>
  /** Returns the next message that answers no question; `undefined` at the end. */
  next(): Promise<Answer>
  write(bytes: Uint8Array): void
  /** Ends the input and waits for the exit. */
  end(): Promise<Pick<Ended, 'code' | 'stderr'>>
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
type Answer = any

/** Starts the host in this process. */
export function startHost(data: string, caller: string[] = [OURS]): StartedHost {
  return speakWith(startCommand(['native-host', '--data', data, ...caller]))
}

/** Exchanges messages with a host as the browser does. */
export function speakWith({
  stdin,
  stdout,
  ended
}: Pick<RunningCommand, 'ended'> & { stdin: Writable; stdout: Readable }): StartedHost {
  // The host may end before it has read everything.
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
  // A test that stops reading closes the stream in the middle of a message.
  readAll(stdout, take).catch(() => take(undefined))
  return {
    next: () => new Promise((resolve) => (others.length > 0 ? resolve(others.shift()) : waiting.push(resolve))),
    write: (bytes) => void stdin.write(bytes),
    ask: (ask, page) =>
      new Promise((resolve) => {
        const id = asked.length
        asked.push(resolve)
        stdin.write(encodeFrame({ id, ask, page }))
      }),
    async end() {
      stdin.end()
      const { code, stderr } = await ended
      return { code, stderr }
    }
  }
}

/** Passes on each message, and `undefined` at the end. */
async function readAll(output: AsyncIterable<Uint8Array>, take: (message: Answer) => void): Promise<void> {
  for await (const text of readFrames(output)) take(JSON.parse(text))
  take(undefined)
}
