import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { formatKey } from '../../src-main/core/key-format.ts'
import { editorAddress } from '../../src-renderer/features/keys/editors.ts'
import { program, type Running, startEarmark } from '../support/earmark.ts'
import { freePort } from '../support/http.ts'
import { prepareLibrary } from '../support/service.ts'
import type { HostProgram } from './hosts.ts'
import { connectOverHttp } from './http-snippets.ts'
import type { ModelServer, Seen } from './model-server.ts'
import { run } from './run-host.ts'

/** What one host makes of Earmark over one transport. */
export interface Outcome {
  host: HostProgram
  transport: 'stdio' | 'http'
  /** Check by check: `ok`, or what was seen instead. */
  checks: Record<string, string>
  /** Earmark's tools as the model was told them. */
  tools: string[]
  /** What becomes of names with a dot, over HTTP. */
  dotted?: string
}

export const CHECKS = ['list', 'insert', 'search', 'mistake', 'restart', 'wrong key'] as const

/** A host and where it is, with a home and a library of its own. */
interface Stage {
  host: HostProgram
  command: string[]
  model: ModelServer
  home: string
  data: string
  env: NodeJS.ProcessEnv
  service?: Service
}

/** Where a host calls an address, the service has to run before it. */
interface Service {
  mcp: string
  restart(): Promise<void>
  end(): Promise<void>
}

export async function checkHost(
  host: HostProgram,
  command: string[],
  { model, transport }: { model: ModelServer; transport: Outcome['transport'] }
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-hosts-'))
  const outcome: Outcome = { host, transport, checks: {}, tools: [] }
  const stage = stageIn(folder, host, command, model)
  try {
    const { key } = await prepareLibrary(stage.data)
    if (transport === 'http') stage.service = await serve(stage.data)
    await connect(stage, key)
    await checkCalls(stage, outcome)
    await connect(stage, formatKey(new Uint8Array(32)))
    outcome.checks['wrong key'] = await askWithWrongKey(stage)
    if (stage.service) {
      await connect(stage, key, stage.service.mcp)
      outcome.dotted = await askWithDots(stage)
    }
  } catch (error) {
    const reason = brief(error instanceof Error ? error.message : String(error))
    for (const check of CHECKS) outcome.checks[check] ??= reason
  } finally {
    if (host.end) await runHost(stage, host.end)
    await stage.service?.end()
    endServiceOf(stage.data)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return outcome
}

const PAGE = 'https://a.example/wolpertinger'
const SEARCH = { search: 'wolpertinger' }
/** One that the schema does not tell: some hosts check that by themselves. */
const MISTAKE = { urls: 'https://a.example/1 https://a.example/2' }

async function checkCalls(stage: Stage, outcome: Outcome): Promise<void> {
  const insert = await prompt(stage, 'bookmarks_insert', [{ urls: PAGE }])
  const search = await prompt(stage, 'bookmarks_search', [SEARCH])
  const mistake = await prompt(stage, 'bookmarks_insert', [MISTAKE])
  const restarted = await prompt(stage, 'bookmarks_search', [SEARCH, { ...SEARCH, limit: 3 }], () => restart(stage))
  outcome.tools = [...new Set([...insert.seen.tools, ...search.seen.tools])].sort()
  const both = ['insert', 'search'].every((verb) => outcome.tools.some((name) => name.includes(verb)))
  Object.assign(outcome.checks, {
    list: both ? 'ok' : `only ${outcome.tools.join(', ') || 'nothing'}: ${brief(insert.output)}`,
    insert: verdict(insert, /\\?"saved\\?":1/),
    search: verdict(search, /\\?"total\\?":1/),
    mistake: verdict(mistake, /several URLs in one string/),
    restart: verdict(restarted, /\\?"limit\\?":3/)
  })
}

function stageIn(folder: string, host: HostProgram, command: string[], model: ModelServer): Stage {
  const [home, data] = [join(folder, 'home'), join(folder, 'data')]
  mkdirSync(join(home, 'project'), { recursive: true })
  mkdirSync(data, { mode: 0o700 })
  const address = { url: model.url, home }
  for (const [path, text] of Object.entries(host.files(address))) put(join(home, path), text)
  const { PATH = '', LANG = 'C.UTF-8' } = process.env
  const path = `${dirname(command[0] ?? '')}:${PATH}`
  const env = { PATH: path, LANG, HOME: home, TERM: 'dumb', CI: '1', NO_COLOR: '1' }
  return { host, command, model, home, data, env: { ...env, ...host.env(address) } }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** At one port, before and after it is restarted. */
async function serve(data: string): Promise<Service> {
  const start = (port: number) => startEarmark(data, ['--port', String(port)], { afterwards: () => {} })
  const port = await freePort()
  let running: Running = await start(port)
  return {
    mcp: running.mcp,
    async restart() {
      await running.end('SIGKILL')
      running = await start(port)
    },
    async end() {
      await running.end('SIGKILL')
    }
  }
}

async function restart({ service, data }: Stage): Promise<void> {
  if (service) await service.restart()
  else endServiceOf(data)
}

/** With exactly what Earmark writes or the dashboard shows, where it has something for that host. */
async function connect(stage: Stage, key: string, address?: string): Promise<void> {
  const { host, home, service, data } = stage
  const url = address ?? (service ? editorAddress(service.mcp) : undefined)
  if (host.bin !== undefined) {
    return url === undefined ? connectOverStdio(stage, key) : connectOverHttp(host, stage, { url, key })
  }
  const args = [program, 'mcp-stdio', '--names', 'underscore', '--data', data]
  const server = url
    ? { url, headers: { 'x-api-key': key } }
    : { command: process.execPath, args, env: { EARMARK_KEY: key } }
  put(join(home, 'earmark.json'), JSON.stringify(server))
}

/** The key is in its file; a wrong one is written there. */
async function connectOverStdio({ host, env, data }: Stage, key: string): Promise<void> {
  const { code, output } = await run(process.execPath, [program, 'connect', host.id, '--key-file', '--data', data], env)
  if (code !== 0) throw new Error(output)
  const id = /\((\S{16})\)\. Restart/.exec(output)?.[1] ?? ''
  const file = join(data, 'keys', `${id}.key`)
  if (key.startsWith('emk_00')) writeFileSync(file, `${key}\n`)
}

/** Over HTTP a host lists no tools then: it has to say why. Over stdio the call is answered with the reason. */
async function askWithWrongKey(stage: Stage): Promise<string> {
  const answered = await prompt(stage, 'bookmarks_search', [SEARCH])
  if (!stage.service) return verdict(answered, /refused the key/)
  const { status } = stage.host
  const { output } = status ? await runHost(stage, status) : { output: '' }
  const said = `${answered.output}\n${output}`
  return /valid API key|\b401\b|unauthori[sz]ed/i.test(said) ? 'ok' : `says nothing of it: ${brief(said)}`
}

async function askWithDots(stage: Stage): Promise<string> {
  const answered = await prompt(stage, 'bookmarks_search', [SEARCH])
  const name = [...answered.seen.tools].find((one) => one.includes('search')) ?? 'nothing'
  if (answered.seen.refusals.length > 0) return `${name}: the model's API refuses it`
  return verdict(answered, /\\?"total\\?":1/) === 'ok' ? `${name}: works` : `${name}: ${brief(answered.output)}`
}

interface Answered {
  seen: Seen
  output: string
}

async function prompt(stage: Stage, tool: string, calls: object[], between?: () => Promise<void>): Promise<Answered> {
  const { host, model, home } = stage
  const seen = model.begin(between)
  const text = `CALL ${JSON.stringify({ tool, calls })} END`
  const { output, hung } = await runHost(stage, host.args(text, home))
  if (process.env.EARMARK_HOSTS_LOG) {
    const all = { host: host.id, tool, calls, ...seen, tools: [...seen.tools], hung }
    appendFileSync(process.env.EARMARK_HOSTS_LOG, `${JSON.stringify(all)}\n${output}\n`)
  }
  if (hung) seen.refusals.push(`It hung, after ${brief(output)}`)
  return { seen, output }
}

function runHost({ command, env, home }: Stage, args: string[]) {
  const [file = '', ...first] = command
  return run(file, [...first, ...args], env, join(home, 'project'))
}

function verdict({ seen, output }: Answered, expected: RegExp): string {
  if (expected.test(seen.result) && seen.refusals.length === 0) return 'ok'
  return brief(seen.refusals[0] ?? (seen.result || output))
}

/** The last of what was written. */
function brief(text: string): string {
  return stripVTControlCharacters(text).trim().replaceAll(/\s+/g, ' ').slice(-300) || 'nothing'
}

/** What the bridge started. */
function endServiceOf(data: string): void {
  const file = join(data, 'service.json')
  if (!existsSync(file)) return
  try {
    process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
