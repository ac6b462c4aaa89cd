import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

export const program = join(root, 'out/main/earmark.js')

/** Another program, built for this run of the tests. */
export const builtForTests = (name: 'web-service' | 'lock-holder'): string => join(root, 'out/tests', `${name}.js`)

/** A machine whose keychain does not answer: the one of whoever runs the tests is none of their business. */
export const withoutKeychain: NodeJS.ProcessEnv = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }

/** How a command ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface LaunchOptions {
  env?: NodeJS.ProcessEnv
  /** Whether it is sent something on standard input, which is empty otherwise. */
  input?: boolean
  /** What Node runs instead of the built command line. */
  file?: string
  /** Where killing the process is put down; a hook passes its own, because only tests have an end to wait for. */
  afterwards?: (work: () => Promise<void>) => void
}

/** A process that was started, with all it has written so far. */
export interface Launched extends Ended {
  child: ChildProcessWithoutNullStreams
  /** Its first line on stdout; `undefined` when it ended without one. */
  firstLine: Promise<string | undefined>
  ended: Promise<Ended>
}

/** Starts the built command line; it is gone after the test. */
export function launchProgram(args: string[], options: LaunchOptions = {}): Launched {
  const { env = process.env, file = program, input = false, afterwards = onTestFinished } = options
  const child = spawn(process.execPath, [file, ...args], { env })
  if (!input) child.stdin.end()
  const closed = once(child, 'close')
  afterwards(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const lines = once(createInterface(child.stdout), 'line')
  const launched: Launched = {
    child,
    code: null,
    stdout: '',
    stderr: '',
    firstLine: Promise.race([lines.then(([line]) => line as string), closed.then(() => undefined)]),
    ended: closed.then(([code]) => Object.assign(launched, { code }))
  }
  child.stdout.on('data', (chunk) => {
    launched.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    launched.stderr += chunk
  })
  return launched
}

/** Runs the built command line to its end. */
export async function runProgram(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const { code, stdout, stderr } = await launchProgram(args, { env, afterwards: () => {} }).ended
  return { code, stdout, stderr }
}

/** A running service, as its first line describes it. */
export interface Running {
  url: string
  mcp: string
  login: string
  pid: number
  data: string
  child: ChildProcess
  /** All it has written so far. */
  output: Pick<Ended, 'stdout' | 'stderr'>
  /** Sends the signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the built service on a library and waits until it serves; it is gone after the test. */
export async function startProgram(data: string, args: string[] = [], options: LaunchOptions = {}): Promise<Running> {
  const output = launchProgram(['serve', '--json', '--port', '0', '--no-fetch', '--data', data, ...args], options)
  const { child, ended } = output
  const first = await output.firstLine
  if (first === undefined) throw new Error(`the service ended before it served: ${output.stdout}${output.stderr}`)
  return {
    ...JSON.parse(first),
    child,
    output,
    async end(signal) {
      child.kill(signal)
      return (await ended).code
    }
  }
}
