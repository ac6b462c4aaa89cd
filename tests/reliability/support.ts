/** What the reliability tests share: a service of its own, its calls, and the line that says how it went. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { logIn } from '../support/log-in.ts'

export const program = join(import.meta.dirname, '../../out/main/earmark.js')

/** A machine without a keychain: the one of whoever runs the tests is none of their business. */
export const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }

const { values } = parseArgs({
  options: {
    n: { type: 'string' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '20727' },
    plant: { type: 'boolean', default: false }
  }
})

/** How often; the seed of what is random; and whether the fault is planted that the test has to find. */
export const options = {
  n: (usual: number): number => Number(values.n ?? Math.ceil(usual * Number(values.share))),
  seed: Number(values.seed),
  plant: values.plant
}

/** A figure, its target, and whether it is met. */
export interface Figure {
  what: string
  value: string
  target: string
  met: boolean
}

/** Prints the one line, and ends the process: 1 where a target is missed, or nothing was tried. */
export function report(name: string, figures: Figure[]): never {
  const met = figures.length > 0 && figures.every((figure) => figure.met)
  const text = figures.map(({ what, value, target }) => `${what} ${value} (${target})`).join(', ')
  console.log(`${name}: ${text}: ${met ? 'met' : 'MISSED'}`)
  const file = process.env.EARMARK_RELIABILITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ name, figures })}\n`)
  process.exit(met ? 0 : 1)
}

/** Says why a test cannot run here, which is no success: exit code 77, as Automake has it. */
export function skip(name: string, reason: string): never {
  console.log(`${name}: skipped: ${reason}`)
  const file = process.env.EARMARK_RELIABILITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ name, skipped: reason, figures: [] })}\n`)
  process.exit(77)
}

const folders: string[] = []
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  // A child that is being killed may still write.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

export function tempFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'earmark-reliability-'))
  folders.push(folder)
  return folder
}

/** Ends a process with this one. Resolves once it has ended. */
export function endWithUs(child: ChildProcess): Promise<unknown> {
  children.add(child)
  return once(child, 'close').then(() => children.delete(child))
}

export interface Service {
  url: string
  port: number
  login: string
  child: ChildProcess
  /** From being started until it said where it serves, in milliseconds. */
  startMs: number
  /** What it wrote on stderr by now. */
  said(): string
  end(signal: NodeJS.Signals): Promise<void>
}

export interface StartOptions {
  /** Reads the pages of bookmarks. */
  fetches?: boolean
  env?: NodeJS.ProcessEnv
}

/** Starts the built service. Throws with what it wrote where it does not serve. */
export async function start(data: string, { fetches = false, env: more = {} }: StartOptions = {}): Promise<Service> {
  const begun = performance.now()
  const command = [program, 'serve', '--json', '--port', '0', '--data', data, ...(fetches ? [] : ['--no-fetch'])]
  const child = spawn(process.execPath, command, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = endWithUs(child)
  let written = ''
  child.stderr.on('data', (chunk) => {
    written += chunk
  })
  const lines = createInterface(child.stdout)
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => first as string),
    closed.then(() => undefined)
  ])
  if (line === undefined || !line.includes('"url"')) throw new Error(`it did not serve: ${line ?? ''}${written}`)
  const startMs = performance.now() - begun
  const { url, login } = JSON.parse(line) as { url: string; login: string }
  return {
    url,
    port: Number(new URL(url).port),
    login,
    child,
    startMs,
    said: () => written,
    async end(signal) {
      child.kill(signal)
      await closed
    }
  }
}

/** Runs a command to its end and gives the JSON it prints. */
export function run(data: string, args: string[]): unknown {
  const all = [program, ...args, '--json', '--data', data]
  return JSON.parse(execFileSync(process.execPath, all, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }))
}

export function makeKey(data: string, ...args: string[]): string {
  return (run(data, ['keys', 'create', '--name', 'test', ...args]) as { key: string }).key
}

/** Calls a tool. Rejects where nobody answers; gives the payload, or the HTTP status of a refusal. */
export async function call(
  url: string,
  key: string,
  name: string,
  args: object
): Promise<{ status: number; payload: Record<string, unknown>; isError: boolean }> {
  const response = await fetch(`${url}/api/tools/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  })
  const body = (await response.json()) as { result?: { content: { text: string }[]; isError?: boolean } }
  const text = body.result?.content[0]?.text
  const isError = text === undefined || body.result?.isError === true
  return { status: response.status, payload: text === undefined ? {} : JSON.parse(text), isError }
}

export type Ask = (path: string, body?: object | string, method?: string) => Promise<unknown>

/**
 * Logs in to the dashboard's API; the link for that works once. Also where a full disk has no room for the file by which
 * commands find a service. Gives what is answered, a refusal's body too.
 */
export async function askAsOwner(service: Service): Promise<Ask> {
  const headers = await logIn(service)
  return async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const init = { method, headers: { ...headers, 'content-type': 'application/json' }, body: sent ?? null }
    const answer = await fetch(`${service.url}/api${path}`, init)
    return answer.status === 204 ? undefined : answer.json()
  }
}

export function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Memory a process has for itself and shares, in bytes. */
export function rssOf(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) * 1024
}

export const kept = (count: number, what = 'lost'): Figure => ({
  what: `acknowledged rows ${what}`,
  value: String(count),
  target: '0',
  met: count === 0
})

export function below(what: string, value: number, limit: number, unit: string): Figure {
  const shown = `${Math.round(value * 10) / 10} ${unit}`
  return { what, value: shown, target: `<= ${limit} ${unit}`, met: value <= limit }
}

/** How many were tried: too few prove nothing. */
export function tried(what: string, count: number, least: number): Figure {
  return { what, value: String(count), target: `>= ${least}`, met: count >= least }
}
