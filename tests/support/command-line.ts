/** Runs commands of the command line in this process. `tests/e2e` starts the real program. */
import { EventEmitter } from 'node:events'
import { statSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { endpointOf } from '../../src-main/contract/endpoint.ts'
import { startNodeProcess, startProcessesWith } from '../../src-main/host/child-process.ts'
import { prepareDataFolder } from '../../src-main/host/data-folder.ts'
import { leaveServiceFile } from '../../src-main/host/service-file.ts'
import { runCommandLine } from '../../src-main/serve/program.ts'
import type { Service } from '../../src-main/service.ts'
import type { Ended } from './program.ts'
import { testService } from './service.ts'
import { tempFolder } from './temp-folder.ts'

/** A command's JSON, as far as any of them goes. */
interface Printed {
  undo: number
  id: string
  key: string
  prefix: string
  login: string
  organizations: object[]
  keys: { name: string; expiresAt: string | null; createdAt: string }[]
}

/** A command that runs, with all it has written so far. */
export interface RunningCommand {
  stdin: PassThrough
  stdout: PassThrough
  written: { stdout: string; stderr: string }
  /** Its first line on stdout; it fails the test when there is none. */
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

/** Starts a command in this process. It reads and writes streams of its own, and a test tells it of signals. */
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
    streams.stdout.end() // as where a process ends
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

/** Runs a command to its end, whose standard input holds no more than this. */
export function earmark(args: string[], input = ''): Promise<Ended> {
  const { stdin, ended } = startCommand(args)
  stdin.end(input)
  return ended
}

/** A command that must succeed, and the one JSON object it prints. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
export async function json(args: string[], wanted = 0): Promise<Printed & Record<string, any>> {
  const { code, stdout, stderr } = await earmark([...args, '--json'])
  expect({ code, stderr }, stdout).toEqual({ code: wanted, stderr: '' })
  expect(stdout.endsWith('}\n')).toBe(true)
  return JSON.parse(stdout)
}

export async function keysIn(data: string): Promise<Printed['keys']> {
  return (await json(['keys', 'list', '--data', data])).keys
}

/** Exit 1 and one line: as JSON on stdout, and the same on stderr for a person. */
export async function expectProblem(args: string[], code: string, message: RegExp): Promise<void> {
  const { error } = await json(args, 1)
  expect(error).toStrictEqual({ code, message: expect.stringMatching(message) })
  expect(await earmark(args)).toEqual({ code: 1, stdout: '', stderr: `${error.message}\n` })
  expect(error.message).not.toContain('\n')
}

/** A service in this process, which commands find as they find the program's. */
export interface Serving {
  data: string
  url: string
  /** The endpoint's address. */
  mcp: string
  service: Service
  /** Ends it before the test is over. */
  end(): Promise<void>
}

/** Serves the library in a folder, or an empty one, until the test or what `afterwards` says is over. */
export async function serving(
  data?: string,
  afterwards: (work: () => void | Promise<void>) => void = onTestFinished
): Promise<Serving> {
  const folder = data ?? tempFolder(afterwards)
  prepareDataFolder(folder)
  const service = await testService({ data: folder }, afterwards)
  const url = `http://127.0.0.1:${(await service.listen(0)).port}`
  const file = leaveServiceFile(folder, { url, token: service.commandToken, pid: process.pid })
  afterwards(file.end)
  const end = () => {
    file.end()
    return service.close()
  }
  return { data: folder, url, mcp: endpointOf(url), service, end }
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}
