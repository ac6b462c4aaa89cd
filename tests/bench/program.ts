import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { NODE_FLAGS } from '../../src-main/host/own-program.ts'

/** The built command line. */
const program = join(import.meta.dirname, '../../out/main/earmark.js')

/** Without a keychain, whose daemon is not what is measured. */
const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }

/** A service in a process of its own. */
export interface Served {
  child: ChildProcess
  url: string
  /** From the process's start to the answer of its first call, in milliseconds. */
  startMs: number
}

/** Starts the built service on a data folder, as `npm start` does without a window, and asks its endpoint once. */
export async function serve(data: string): Promise<Served> {
  const begun = performance.now()
  const command = [...NODE_FLAGS, program, 'serve', '--json', '--port', '0', '--no-fetch', '--data', data]
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, mcp } = JSON.parse(line) as { url: string; mcp: string }
  const response = await fetch(mcp, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  await response.text()
  return { child, url, startMs: performance.now() - begun }
}

export async function end({ child }: Served, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  await once(child, 'close')
}

/** How long one command takes, from its start to its end, in milliseconds; of bare Node where none is given. */
export async function timeCommand(args?: string[]): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, args ? [program, ...args] : ['-e', '0'], { stdio: 'ignore', env })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`earmark ${args?.join(' ')} ended with ${code}`)
  return performance.now() - begun
}

/** Makes a key. @returns its secret */
export async function createKey(data: string): Promise<string> {
  const args = ['keys', 'create', '--name', 'Bench', '--json', '--data', data]
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
  return (JSON.parse(stdout) as { key: string }).key
}

/** What Linux counts of a process: memory of its own in MB, time in seconds, and how often its threads were woken. */
export function usage({ child: { pid = 0 } }: Served): { anonymousMB: number; seconds: number; wakeUps: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const wakeUps = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1])
  )
  return {
    anonymousMB: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024,
    seconds: (Number(stat[11]) + Number(stat[12])) / 100,
    wakeUps: wakeUps.reduce((sum, count) => sum + count, 0)
  }
}
