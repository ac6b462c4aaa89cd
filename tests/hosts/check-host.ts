/** Installs Earmark in a host as its owner does, and has the host's model search, save and make mistakes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { formatKey } from '../../src-main/core/key-format.ts'
import { EDITORS, editorAddress } from '../../src-renderer/features/keys/editors.ts'
import { program, type Running, runCommand, startEarmark } from '../support/earmark.ts'
import { freePort } from '../support/http.ts'
import { prepareLibrary } from '../support/service.ts'
import type { HostProgram } from './hosts.ts'
import type { ModelServer, Seen } from './model-server.ts'

/** How one host works with Earmark over one transport. */
export interface Outcome {
  host: HostProgram
  transport: 'stdio' | 'http'
  /** By check: `ok`, or what was seen instead. */
  checks: Record<string, string>
  /** Names of Earmark's tools, as the host lists them to its model. */
  tools: string[]
  /** How the host handles names with a dot, over HTTP. */
  dotted?: string
}

export const CHECKS = ['list', 'insert', 'search', 'mistake', 'restart', 'wrong key'] as const

/** A host that takes longer hangs. */
const TIMEOUT_MS = 90_000
/** Time for output that arrives after the exit. */
const REST_MS = 1000
const PAGE = 'https://a.example/wolpertinger'
const SEARCH = { search: 'wolpertinger' }
/** A mistake that the schema does not show: some hosts check the schema themselves. */
const MISTAKE = { urls: ['https://a.example/1 https://a.example/2'] }

/** A host with a home and a library of its own. */
interface Stage {
  host: HostProgram
  command: string[]
  model: ModelServer
  home: string
  data: string
  env: NodeJS.ProcessEnv
  /** Over HTTP a service must run; over stdio the bridge starts it. */
  service?: { port: number; running: Running }
}

export async function checkHost(
  host: HostProgram,
  command: string[],
  { model, transport }: { model: ModelServer; transport: Outcome['transport'] }
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'earmark-hosts-'))
  const outcome: Outcome = { host, transport, checks: {}, tools: [] }
  const stage = makeStage(folder, host, command, model)
  try {
    const { key } = await prepareLibrary(stage.data)
    if (transport === 'http') await serve(stage, await freePort())
    await connect(stage, key)
    await checkCalls(stage, outcome)
    await connect(stage, formatKey(new Uint8Array(32)))
    outcome.checks['wrong key'] = await checkWrongKey(stage)
    if (stage.service) {
      await connect(stage, key, stage.service.running.mcp)
      outcome.dotted = await checkDottedNames(stage)
    }
  } catch (error) {
    const reason = lastWords(error instanceof Error ? error.message : String(error))
    for (const check of CHECKS) outcome.checks[check] ??= reason
  } finally {
    if (host.end) await runHost(stage, host.end)
    await stage.service?.running.end('SIGKILL')
    endServiceOf(stage.data)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return outcome
}

async function checkCalls(stage: Stage, outcome: Outcome): Promise<void> {
  const insert = await prompt(stage, 'bookmarks_insert', [{ urls: [PAGE] }])
  const search = await prompt(stage, 'bookmarks_search', [SEARCH])
  const mistake = await prompt(stage, 'bookmarks_insert', [MISTAKE])
  const restarted = await prompt(stage, 'bookmarks_search', [SEARCH, { ...SEARCH, limit: 3 }], () => restart(stage))
  outcome.tools = [...new Set([...insert.seen.tools, ...search.seen.tools])].sort()
  const hasBoth = ['insert', 'search'].every((verb) => outcome.tools.some((name) => name.includes(verb)))
  Object.assign(outcome.checks, {
    list: hasBoth ? 'ok' : `only ${outcome.tools.join(', ') || 'nothing'}: ${lastWords(insert.output)}`,
    insert: verdict(insert, /\\?"saved\\?":1/),
    search: verdict(search, /\\?"total\\?":1/),
    mistake: verdict(mistake, /several URLs in one string/),
    restart: verdict(restarted, /\\?"limit\\?":3/)
  })
}

/** Over HTTP a host lists no tools then, and has to say why. Over stdio the call is answered with the reason. */
async function checkWrongKey(stage: Stage): Promise<string> {
  const answered = await prompt(stage, 'bookmarks_search', [SEARCH])
  if (!stage.service) return verdict(answered, /refused the key/)
  const { status } = stage.host
  const { output } = status ? await runHost(stage, status) : { output: '' }
  const written = `${answered.output}\n${output}`
  const isReported = /valid API key|\b401\b|unauthori[sz]ed/i.test(written)
  return isReported ? 'ok' : `says nothing of it: ${lastWords(written)}`
}

async function checkDottedNames(stage: Stage): Promise<string> {
  const answered = await prompt(stage, 'bookmarks_search', [SEARCH])
  const name = [...answered.seen.tools].find((tool) => tool.includes('search')) ?? 'nothing'
  if (answered.seen.refusals.length > 0) return `${name}: the model's API refuses it`
  return verdict(answered, /\\?"total\\?":1/) === 'ok' ? `${name}: works` : `${name}: ${lastWords(answered.output)}`
}

function makeStage(folder: string, host: HostProgram, command: string[], model: ModelServer): Stage {
  const [home, data] = [join(folder, 'home'), join(folder, 'data')]
  mkdirSync(join(home, 'project'), { recursive: true })
  mkdirSync(data, { mode: 0o700 })
  const address = { url: model.url, home }
  for (const [path, text] of Object.entries(host.files(address))) write(join(home, path), text)
  const { PATH = '', LANG = 'C.UTF-8' } = process.env
  const env = { LANG, HOME: home, TERM: 'dumb', CI: '1', NO_COLOR: '1', ...host.env(address) }
  return { host, command, model, home, data, env: { ...env, PATH: `${dirname(command[0] ?? '')}:${PATH}` } }
}

async function serve(stage: Stage, port: number): Promise<void> {
  const running = await startEarmark(stage.data, ['--port', String(port)], { afterwards: () => {} })
  stage.service = { port, running }
}

async function restart(stage: Stage): Promise<void> {
  if (!stage.service) return endServiceOf(stage.data)
  await stage.service.running.end('SIGKILL')
  await serve(stage, stage.service.port)
}

/** Ends the service that the bridge started. */
function endServiceOf(data: string): void {
  const file = join(data, 'service.json')
  if (!existsSync(file)) return
  try {
    process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

/** Connects the host with exactly what Earmark writes or the dashboard shows. A library has its own way. */
async function connect(stage: Stage, key: string, address?: string): Promise<void> {
  const { host, home, service, data } = stage
  const url = address ?? (service && editorAddress(service.running.mcp))
  if (host.bin !== undefined) return url === undefined ? connectOverStdio(stage, key) : connectOverHttp(stage, url, key)
  const args = [program, 'mcp-stdio', '--names', 'underscore', '--data', data]
  const overStdio = { command: process.execPath, args, env: { EARMARK_KEY: key } }
  write(join(home, 'earmark.json'), JSON.stringify(url ? { url, headers: { 'x-api-key': key } } : overStdio))
}

/** Runs `earmark connect`, which puts the key into a file. A wrong key replaces the key in that file. */
async function connectOverStdio({ host, env, data }: Stage, key: string): Promise<void> {
  const { code, stdout, stderr } = await runCommand(['connect', host.id, '--key-file', '--data', data], env)
  if (code !== 0) throw new Error(stdout + stderr)
  const id = /\((\S{16})\)\. Restart/.exec(stdout + stderr)?.[1] ?? ''
  if (key.startsWith('emk_00')) writeFileSync(join(data, 'keys', `${id}.key`), `${key}\n`)
}

/** Follows the dashboard's first step for a host that calls the address: runs the command, or puts the text into the file. */
async function connectOverHttp({ host, home, env }: Stage, url: string, key: string): Promise<void> {
  const editor = EDITORS.find(({ id }) => id === host.id)
  if (!editor) throw new Error(`The dashboard has no snippet for ${host.name}.`)
  const command = { command: 'earmark', args: [] }
  const facts = { url, key, keyId: '', kept: false, program: command, ownFolder: null, system: 'linux' } as const
  const texts = editor.steps(facts).map(({ text }) => text)
  const isVariable = (text: string) => /^(export )?EARMARK_KEY=/.test(text)
  const variable = texts.find(isVariable)
  if (variable) env.EARMARK_KEY = variable.split('=')[1]
  const step = texts.find((text) => !isVariable(text)) ?? ''
  if (step.startsWith(`${host.bin} `)) {
    await run('sh', ['-c', `${host.bin} mcp remove ${host.removeOptions ?? ''} earmark`], env)
    const { code, output } = await run('sh', ['-c', step], env, join(home, 'project'))
    if (code !== 0) throw new Error(output)
  } else {
    if (!host.paste) throw new Error(`There is no file of ${host.name} for its snippet.`)
    const file = join(home, host.paste.file)
    write(file, host.paste.edit(existsSync(file) ? readFileSync(file, 'utf8') : '', step))
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

interface Answered {
  seen: Seen
  output: string
}

async function prompt(stage: Stage, tool: string, calls: object[], between?: () => Promise<void>): Promise<Answered> {
  const { host, model, home } = stage
  const seen = model.begin(between)
  const text = `CALL ${JSON.stringify({ tool, calls })} END`
  const { output, isHanging } = await runHost(stage, host.args(text, home))
  if (process.env.EARMARK_HOSTS_LOG) {
    const all = { host: host.id, tool, calls, ...seen, tools: [...seen.tools], isHanging }
    appendFileSync(process.env.EARMARK_HOSTS_LOG, `${JSON.stringify(all)}\n${output}\n`)
  }
  if (isHanging) seen.refusals.push(`It hung, after ${lastWords(output)}`)
  return { seen, output }
}

function verdict({ seen, output }: Answered, expected: RegExp): string {
  if (expected.test(seen.result) && seen.refusals.length === 0) return 'ok'
  return lastWords(seen.refusals[0] ?? (seen.result || output))
}

function lastWords(text: string): string {
  return stripVTControlCharacters(text).trim().replaceAll(/\s+/g, ' ').slice(-300) || 'nothing'
}

function runHost({ command, env, home }: Stage, args: string[]) {
  const [file = '', ...first] = command
  return run(file, [...first, ...args], env, join(home, 'project'))
}

/** Runs a program to its end, with all its output. Then the processes that it started are ended too. */
async function run(file: string, args: string[], env: NodeJS.ProcessEnv, cwd = process.cwd()) {
  const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const endGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of them are gone.
    }
  }
  let isHanging = false
  const timer = setTimeout(() => {
    isHanging = true
    endGroup()
  }, TIMEOUT_MS)
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  endGroup()
  await Promise.race([closed, sleep(REST_MS)])
  return { code, output, isHanging }
}
