/** What the benchmarks share: processes to measure, statistics, and targets. `load.ts` sends the requests. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Facts, Health, Kind, Searched } from './server.ts'

/** Reads the numbers of a benchmark from the command line, such as `--rows 2000`. */
export function readNumbers<Name extends string>(defaults: Record<Name, number>): Record<Name, number> {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' } as const]))
  const { values } = parseArgs({ options, strict: false })
  const numbers = Object.entries(defaults).map(([name, usual]) => [name, Number(values[name] ?? usual)])
  return Object.fromEntries(numbers) as Record<Name, number>
}

/** Creates a folder that is removed when this process exits. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A process that is measured. */
export interface Server extends Facts {
  pid: number
  /** Reads the delay of the event loop since the last call, and the memory. */
  health(): Promise<Health>
  /** Searches in the process itself. */
  search(queries: string[]): Promise<Searched>
  stop(): void
}

/** Starts a process of its own for one of the servers in `server.ts`. */
export async function startServer(kind: Kind, ...args: string[]): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'server.js'), [kind, ...args], {
    execArgv: kind === 'peer' ? ['--max-old-space-size=12000'] : []
  })
  const [facts] = (await once(child, 'message')) as [Facts]
  const ask = async <Answer>(question: object): Promise<Answer> => {
    child.send(question)
    return (await once(child, 'message'))[0]
  }
  return {
    ...facts,
    pid: child.pid ?? 0,
    health: () => ask({}),
    search: (queries) => ask({ queries }),
    stop: () => child.disconnect()
  }
}

/** Resources of a process since its start, as Linux counts them. */
export interface Usage {
  /** Memory of the process alone, in MB; mapped pages of the library belong to the system. */
  anonymousMB: number
  /** CPU time of all threads, in seconds. */
  seconds: number
  /** How often threads were woken. */
  wakeUps: number
}

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const wakeUps = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const counts = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(counts)?.[1])
  })
  return {
    anonymousMB: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024,
    seconds: (Number(stat[11]) + Number(stat[12])) / 100,
    wakeUps: wakeUps.reduce((sum, count) => sum + count, 0)
  }
}

/** @param share from 0 to 1 */
export function percentile(times: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(times).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(times: Iterable<number>): number {
  return percentile(times, 0.5)
}

export interface Distribution {
  p50: number
  p95: number
  p99: number
}

export function distribution(times: Iterable<number>): Distribution {
  const sorted = Float64Array.from(times).sort()
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), p99: percentile(sorted, 0.99) }
}

/** Prints a table with rounded numbers. */
export function printTable(title: string, rows: Record<string, object>): void {
  const round = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  const cells = (row: object) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]))
  console.log(`\n${title}`)
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, cells(row)])))
}

/** A measured value and its limit. */
export interface Target {
  measured: number
  /** The largest good value. */
  most?: number
  /** The smallest good value. */
  least?: number
}

/** A smaller deviation is not distinguishable from noise. */
const TOLERANCE = 0.1

/**
 * Prints the targets by name and unit. With `--check` on the command line the process then exits with 1 if a target is
 * missed by more than a tenth.
 */
export function checkTargets(targets: Record<string, Target>): void {
  const isMet = ({ measured, most = Number.POSITIVE_INFINITY, least = 0 }: Target) =>
    measured <= most * (1 + TOLERANCE) && measured >= least * (1 - TOLERANCE)
  const show = ({ most, least }: Target) => (most === undefined ? `>= ${least}` : `<= ${most}`)
  const rows = Object.entries(targets).map(([name, target]) => [
    name,
    { measured: target.measured, target: show(target), met: isMet(target) ? 'yes' : 'no' }
  ])
  printTable('Targets', Object.fromEntries(rows))
  if (process.argv.includes('--check') && !Object.values(targets).every(isMet)) process.exitCode = 1
}
