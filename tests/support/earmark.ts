/** Earmark as people and agents meet it: the built program in a process of its own, its commands and its endpoint. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The built command line. */
export const program = join(root, 'out/main/earmark.js')

/** A program that only tests start; `build-programs.js` builds it before each run. */
export const builtForTests = (name: 'web-service' | 'lock-holder'): string => join(root, 'out/tests', `${name}.js`)

/** The environment without a keychain, so that nothing reads or changes the keychain of the person who runs the tests. */
export const withoutKeychain: NodeJS.ProcessEnv = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }

/** How a command ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface LaunchOptions {
  env?: NodeJS.ProcessEnv
  /** Whether the caller writes to standard input; otherwise it is empty. */
  input?: boolean
  /** What Node runs instead of the built command line. */
  file?: string
  /** Options of Node itself. */
  nodeFlags?: string[]
  /** Registers the clean-up. Hooks and programs outside of Vitest pass their own: `onTestFinished` works in tests only. */
  afterwards?: (work: () => Promise<void>) => void
}

/** A started process, with all it has written so far. */
export interface Launched extends Ended {
  child: ChildProcessWithoutNullStreams
  /** The first line on stdout; `undefined` if the process ended without one. */
  firstLine: Promise<string | undefined>
  ended: Promise<Ended>
}

const running = new Set<ChildProcessWithoutNullStreams>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts the built command line. It is killed after the test, at the latest when this process exits. */
export function launchEarmark(args: string[], options: LaunchOptions = {}): Launched {
  const { env = process.env, file = program, nodeFlags = [], input = false, afterwards = onTestFinished } = options
  const child = spawn(process.execPath, [...nodeFlags, file, ...args], { env })
  running.add(child)
  if (!input) child.stdin.end()
  const closed = once(child, 'close').finally(() => running.delete(child))
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
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (launched[name] += chunk))
  return launched
}

/** Runs a command to its end. */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const { code, stdout, stderr } = await launchEarmark(args, { env, afterwards: () => {} }).ended
  return { code, stdout, stderr }
}

/** Runs a command that must succeed, and returns the JSON it prints. Throws what the command printed if it fails. */
export async function runJson<T>(data: string, args: string[], env = withoutKeychain): Promise<T> {
  const { code, stdout, stderr } = await runCommand([...args, '--json', '--data', data], env)
  if (code !== 0) throw new Error(`earmark ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout) as T
}

/** Creates an API key with the command line. @returns the key itself */
export async function makeKey(data: string, ...args: string[]): Promise<string> {
  return (await runJson<{ key: string }>(data, ['keys', 'create', '--name', 'test', ...args])).key
}

/** A running service. The fields up to `pid` are what it prints when it is ready. */
export interface Running {
  url: string
  /** The address of the endpoint. */
  mcp: string
  /** A login link, which works once. */
  login: string
  pid: number
  data: string
  port: number
  /** Time from the start of the process to its first line, in ms. */
  startMs: number
  child: ChildProcessWithoutNullStreams
  /** All it has written so far. */
  output: Pick<Ended, 'stdout' | 'stderr'>
  /** Sends the signal and waits until the process is gone. @returns its exit code */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts the built service on a library and waits until it serves.
 *
 * @param options.fetches whether the service reads the pages of bookmarks
 */
export function startEarmark(
  data: string,
  args: string[] = [],
  options: LaunchOptions & { fetches?: boolean } = {}
): Promise<Running> {
  const noFetch = options.fetches ? [] : ['--no-fetch']
  return waitUntilServing(['serve', '--json', '--port', '0', ...noFetch, '--data', data, ...args], options)
}

/** Starts a service of which every web request goes to one port of this machine; without a port it fetches nothing. */
export function startWebService(
  data: string,
  webPort?: number,
  options: LaunchOptions = {}
): Promise<Running & { key: string }> {
  const args = webPort === undefined ? [data] : [data, String(webPort)]
  return waitUntilServing(args, { ...options, file: builtForTests('web-service') })
}

async function waitUntilServing<T extends Running>(args: string[], options: LaunchOptions): Promise<T> {
  const begun = performance.now()
  const output = launchEarmark(args, options)
  const { child, ended } = output
  const first = await output.firstLine
  if (!first?.includes('"url"')) throw new Error(`the service does not serve: ${output.stdout}${output.stderr}`)
  const facts = JSON.parse(first) as T
  return {
    ...facts,
    port: Number(new URL(facts.url).port),
    startMs: performance.now() - begun,
    child,
    output,
    async end(signal) {
      child.kill(signal)
      return (await ended).code
    }
  }
}

/** The response to a tool call. */
export interface ToolAnswer {
  /** The HTTP status. */
  status: number
  /** The tool's result, or the JSON-RPC error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of many shapes
  payload: any
  isError: boolean
}

/** The request that calls a tool, for `fetch`. */
export function toolRequest(key: string, name: string, args: object) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  }
}

export async function readToolAnswer(response: Response): Promise<ToolAnswer> {
  const { result, error } = (await response.json()) as {
    result?: { content: { text: string }[]; isError?: boolean }
    error?: unknown
  }
  const text = result?.content[0]?.text
  const isError = text === undefined || result?.isError === true
  return { status: response.status, payload: text === undefined ? (error ?? {}) : JSON.parse(text), isError }
}

/** Calls a tool of a running service. Rejects if nothing answers at the address. */
export async function callTool(url: string, key: string, name: string, args: object): Promise<ToolAnswer> {
  return readToolAnswer(await fetch(`${url}/api/tools/mcp`, toolRequest(key, name, args)))
}

/** Ends a process that is not a child of this one, and waits until it is gone. */
export async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal)
  await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false)
}

/** A zombie counts as gone: it only waits for its parent to read its exit code. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z')
  } catch {
    return false
  }
}
