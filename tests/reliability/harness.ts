/** What the reliability tests share: options, figures, folders that go with the process, and a service of their own. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Running, startEarmark, withoutKeychain } from '../support/earmark.ts'
import { logIn } from '../support/http.ts'
import { randomFrom } from '../support/runs.ts'

const { values } = parseArgs({
  options: {
    n: { type: 'string' },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '20727' },
    plant: { type: 'boolean', default: false }
  }
})

export const options = {
  /** Returns how often something is tried. @param usual the number at full size */
  n: (usual: number): number => Number(values.n ?? Math.ceil(usual * Number(values.share))),
  /** Whether the fault is planted that the test has to find. */
  plant: values.plant
}

const share = randomFrom(Number(values.seed))
const int = (count: number) => Math.floor(share() * count)

/** The same numbers for the same `--seed`. */
export const random = {
  /** Returns a number from 0 up to 1. */
  share,
  /** Returns a whole number from 0 up to the count. */
  int,
  pick: <T>(all: readonly T[]): T => all[int(all.length)] as T
}

/** A measured value, its target, and whether it is met. */
export interface Figure {
  what: string
  value: string
  target: string
  met: boolean
}

export const figure = {
  zero: (what: string, count: number): Figure => ({ what, value: String(count), target: '0', met: count === 0 }),

  /** How many were tried, for example: too few prove nothing. */
  atLeast: (what: string, count: number, least: number): Figure => ({
    what,
    value: String(count),
    target: `>= ${least}`,
    met: count >= least
  }),

  atMost: (what: string, value: number, limit: number, unit: string): Figure => ({
    what,
    value: `${Math.round(value * 10) / 10} ${unit}`,
    target: `<= ${limit} ${unit}`,
    met: value <= limit
  }),

  all: (what: string, count: number, total: number): Figure => ({
    what,
    value: `${count} of ${total}`,
    target: 'all',
    met: count === total
  }),

  equal: (what: string, value: string, target: string): Figure => ({ what, value, target, met: value === target })
}

const name = basename(process.argv[1] ?? '', '.ts')

function end(line: string, result: { skipped?: string; figures: Figure[] }, code: number): never {
  console.log(`${name}: ${line}`)
  const file = process.env.EARMARK_RELIABILITY_FIGURES
  if (file) appendFileSync(file, `${JSON.stringify({ name, ...result })}\n`)
  process.exit(code)
}

/** Prints the figures in one line, and ends the process: with 1 if a target is missed or nothing was tried. */
export function report(figures: Figure[]): never {
  const met = figures.length > 0 && figures.every((figure) => figure.met)
  const text = figures.map(({ what, value, target }) => `${what} ${value} (${target})`).join(', ')
  return end(`${text}: ${met ? 'met' : 'MISSED'}`, { figures }, met ? 0 : 1)
}

/** Says why the test cannot run here, which is no success: exit code 77, as in Automake. */
export function skip(reason: string): never {
  return end(`skipped: ${reason}`, { skipped: reason, figures: [] }, 77)
}

const folders: string[] = []
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  // A process that is being killed may still write, and create its folder again.
  for (let attempt = 0; attempt < 10 && folders.some((folder) => existsSync(folder)); attempt++) {
    for (const folder of folders) removeFolder(folder)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
})

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
}

export function tempFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'earmark-reliability-'))
  folders.push(folder)
  return folder
}

/** Ends a child with this process. Resolves once the child has ended. */
export function endWithUs(child: ChildProcess): Promise<unknown> {
  children.add(child)
  return once(child, 'close').then(() => children.delete(child))
}

/** Starts the built service. Throws what it wrote if it does not serve. */
export function start(data: string, env: NodeJS.ProcessEnv = {}, fetches = false): Promise<Running> {
  return startEarmark(data, [], { env: { ...withoutKeychain, ...env }, fetches, afterwards: () => {} })
}

export type Ask = (path: string, body?: object | string, method?: string) => Promise<unknown>

/**
 * Logs in to the dashboard's API, which works without the file by which commands find a service: a full disk has no room for
 * that file. Returns a function that returns the body of each response, of refusals too.
 */
export async function askAsOwner(service: { url: string; login: string }): Promise<Ask> {
  const headers = { ...(await logIn(service)), 'content-type': 'application/json' }
  return async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${service.url}/api${path}`, { method, headers, body: sent ?? null })
    return answer.status === 204 ? undefined : answer.json()
  }
}

/** Returns how many bookmarks a query of the dashboard finds. */
export async function total(ask: Ask, query: string): Promise<number> {
  return ((await ask(`/bookmarks?${query}&limit=1`)) as { total: number }).total
}

/** Waits for a condition, for at most this many ms. Returns whether it became true. */
export async function until(isTrue: () => boolean | Promise<boolean>, limit: number, every = 100): Promise<boolean> {
  for (const end = Date.now() + limit; Date.now() < end; await sleep(every)) if (await isTrue()) return true
  return isTrue()
}

export function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Whether a process has this folder among its arguments. */
export function isServed(folder: string): boolean {
  return execFileSync('ps', ['-ewwo', 'args=']).toString().includes(folder)
}

/** Resident memory of a process, in bytes. */
export function rssOf(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) * 1024
}

/** Compiles a C file of this folder for LD_PRELOAD, and returns the library's path. Skips the test if that is impossible. */
export function compilePreload(source: string): string {
  if (process.platform !== 'linux') skip('LD_PRELOAD needs Linux')
  if (spawnSync('cc', ['--version']).status !== 0) skip('there is no C compiler (cc)')
  const library = join(tempFolder(), `${basename(source, '.c')}.so`)
  const file = join(import.meta.dirname, source)
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, file, '-ldl', '-lpthread'])
  return library
}
