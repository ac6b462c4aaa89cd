import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatKey } from '../../src-main/core/key-format.ts'
import { program, type Running, startProgram } from '../support/program.ts'
import { prepareLibrary } from '../support/sleeping-library.ts'
import type { HostProgram } from './hosts.ts'
import { connectOverHttp } from './http-snippets.ts'
import type { ModelServer, Seen } from './model-server.ts'
import { run } from './run-host.ts'

interface Stage {
  host: HostProgram
  bin: string
  model: ModelServer
  home: string
  data: string
  env: NodeJS.ProcessEnv
}

/** What one host makes of Earmark, check by check: `ok`, or what was seen instead. */
export async function checkHost(host: HostProgram, bin: string, model: ModelServer): Promise<Record<string, string>> {
  const checks: Record<string, string> = {}
  for (const transport of ['stdio', 'http'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'earmark-hosts-'))
    const stage = stageIn(folder, host, bin, model)
    const { key } = await prepareLibrary(stage.data)
    let service: Running | undefined
    try {
      if (transport === 'http') service = await startProgram(stage.data, [], { afterwards: () => {} })
      const connect = (secret: string) =>
        service ? connectOverHttp(host, stage, { mcp: service.mcp, key: secret }) : connectOverStdio(stage, secret)
      await connect(key)
      checks[`${transport} insert`] = await ask(stage, 'bookmarks_insert', { urls: PAGE }, /\\?"saved\\?":1/)
      checks[`${transport} search`] = await ask(stage, 'bookmarks_search', { search: 'wolpertinger' }, /wolpertinger/)
      checks[`${transport} mistake`] = await ask(stage, 'bookmarks_insert', MISTAKE, /several URLs in one string/)
      await connect(formatKey(new Uint8Array(32)))
      checks[`${transport} wrong key`] = await askWithWrongKey(stage, transport)
    } catch (error) {
      checks[transport] = String(error instanceof Error ? error.message : error).slice(0, 300)
    } finally {
      await service?.end('SIGKILL')
      endServiceOf(stage.data)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
  return checks
}

const PAGE = 'https://a.example/wolpertinger'

/** One that the schema does not tell: some hosts check that by themselves. */
const MISTAKE = { urls: 'https://a.example/1 https://a.example/2' }

function stageIn(folder: string, host: HostProgram, bin: string, model: ModelServer): Stage {
  const [home, data] = [join(folder, 'home'), join(folder, 'data')]
  mkdirSync(join(home, 'project'), { recursive: true })
  mkdirSync(data, { mode: 0o700 })
  const address = { url: model.url, home }
  for (const [path, text] of Object.entries(host.files(address))) put(join(home, path), text)
  const { PATH = '', LANG = 'C.UTF-8' } = process.env
  const env = { PATH: `${dirname(bin)}:${PATH}`, LANG, HOME: home, TERM: 'dumb', CI: '1', NO_COLOR: '1' }
  return { host, bin, model, home, data, env: { ...env, ...host.env(address) } }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The key is in its file; a wrong one is written there. */
async function connectOverStdio({ host, env, data }: Stage, key: string): Promise<void> {
  const { code, output } = await run(process.execPath, [program, 'connect', host.id, '--key-file', '--data', data], env)
  if (code !== 0) throw new Error(output)
  const id = /\((\S{16})\)\. Restart/.exec(output)?.[1] ?? ''
  const file = join(data, 'keys', `${id}.key`)
  if (key.startsWith('emk_00')) writeFileSync(file, `${key}\n`)
}

async function ask(stage: Stage, tool: string, args: object, expected: RegExp): Promise<string> {
  const { seen, output } = await prompt(stage, tool, args)
  const results = seen.results.join('\n')
  if (expected.test(results) && seen.refusals.length === 0) return 'ok'
  return seen.refusals[0] ?? `${results || output || 'nothing'}`.slice(-300)
}

/** Over HTTP a host lists no tools then; what it says must be the reason. Over stdio the call is answered with it. */
async function askWithWrongKey(stage: Stage, transport: 'stdio' | 'http'): Promise<string> {
  const { seen, output } = await prompt(stage, 'bookmarks_search', {})
  const [told, words] = transport === 'stdio' ? [seen.results.join('\n'), /refused the key/] : [output, /./s]
  return words.test(told) && seen.refusals.length === 0 ? 'ok' : `${told || output || 'nothing'}`.slice(-300)
}

async function prompt({ host, bin, model, home, env }: Stage, tool: string, args: object) {
  const seen: Seen = model.begin()
  const text = `CALL ${JSON.stringify({ tool, args })} END`
  const { output } = await run(bin, host.args(text, home), env, join(home, 'project'))
  if (process.env.EARMARK_HOSTS_LOG) {
    const all = { host: host.id, args, tools: [...seen.tools], results: seen.results, refusals: seen.refusals }
    appendFileSync(process.env.EARMARK_HOSTS_LOG, `${JSON.stringify(all)}\n${output}\n`)
  }
  return { seen, output }
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
