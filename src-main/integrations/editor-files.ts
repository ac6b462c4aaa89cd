import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { EditorChange, EditorFacts, StdioServer } from '../contract/editor.ts'
import type { Editors } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { withoutKeys } from '../core/key-format.ts'
import { type HostFormat, merge, namesEarmark } from './editor-merge.ts'
import { type Machine, readForeignText, replaceFile, thisMachine } from './files.ts'

/** A copy of a host's file as it was before the change, for undo. It may contain secrets of other servers. */
const Copy = z.object({
  file: z.string(),
  /** Base64; `null` if there was no file. */
  before: z.string().nullable(),
  /** SHA-256 of the file after the change, in hex. */
  after: z.string(),
  /** The mode of the file before the change, which is private while the file contains a key. */
  mode: z.number()
})

/**
 * Opens the files in which MCP hosts store their servers.
 *
 * @param data the data folder, for copies of the files before a change
 */
export function openEditors(data: string, machine: Machine = thisMachine()): Editors {
  const copyOf = (host: Host) => join(data, 'editors', `${host.id}.json`)

  async function facts(host: Host): Promise<EditorFacts> {
    const file = host.file(machine)
    const found = await access(dirname(file)).then(
      () => true,
      () => false
    )
    return { id: host.id, name: host.name, file, found, connected: found && (await isConnected(host, file)) }
  }

  return {
    list: () => Promise.all(HOSTS.map(facts)),
    async connect(id, server, dryRun) {
      const host = hostNamed(id)
      const file = host.file(machine)
      const before = await readForeignText(file)
      const next = merge(host, before ?? '', host.entry(server))
      const mode = await modeOf(file)
      const holdsKey = server.env?.EARMARK_KEY !== undefined
      if (!dryRun) {
        // If the file names Earmark already, undo must also remove that entry.
        const without = before !== undefined && namesEarmark(host, before) ? merge(host, before, undefined) : before
        await storeCopy(copyOf(host), file, { before, without, next, mode })
        await write(file, next, holdsKey ? mode & 0o700 : mode)
      }
      const madePrivate = (holdsKey && (mode & 0o077) > 0) || undefined
      return { ...describeChange(file, before ?? '', next), holdsKey: holdsKey || undefined, madePrivate }
    },
    async disconnect(id, dryRun) {
      const host = hostNamed(id)
      const file = host.file(machine)
      const text = await readForeignText(file)
      if (text === undefined) throw notConnected(host)
      const copy = await readCopy(copyOf(host))
      const unchanged = copy?.file === file && copy.after === hashOf(text)
      if (!unchanged && !namesEarmark(host, text)) throw notConnected(host)
      const back = unchanged
        ? copy.before && Buffer.from(copy.before, 'base64').toString('utf8')
        : // the file was changed since then, so only Earmark's entry is removed
          merge(host, text, undefined)
      if (!dryRun) {
        if (back === null) await rm(await realpath(file))
        else await write(file, back, unchanged ? copy.mode : await modeOf(file))
        await rm(copyOf(host), { force: true })
      }
      return describeChange(file, text, back ?? '')
    }
  }
}

function hostNamed(id: string): Host {
  const host = HOSTS.find((host) => host.id === id)
  if (host) return host
  throw new Problem('not-found', `There is no editor ${id}. Known: ${HOSTS.map((host) => host.id).join(', ')}`)
}

function notConnected({ name }: Host): Problem {
  return new Problem('not-found', `${name} is not connected: its file does not name Earmark.`)
}

/** Whether a host's file names Earmark. A file that cannot be read, or is invalid, counts as one that does not. */
async function isConnected(host: Host, file: string): Promise<boolean> {
  try {
    return namesEarmark(host, (await readForeignText(file)) ?? '')
  } catch {
    return false
  }
}

/** The mode of a file, or the mode for a new one. */
async function modeOf(file: string): Promise<number> {
  const facts = await stat(file).catch(() => undefined)
  return facts ? facts.mode & 0o777 : 0o600
}

interface Versions {
  before: string | undefined
  /** The file before the change, without Earmark's entry. */
  without: string | undefined
  next: string
  mode: number
}

/** Stores a copy for undo. If the host was connected already, and its file is unchanged, the first copy stays. */
async function storeCopy(path: string, file: string, { before, without, next, mode }: Versions): Promise<void> {
  const older = await readCopy(path)
  const again = older?.file === file && before !== undefined && older.after === hashOf(before)
  const original = again ? older.before : without === undefined ? null : Buffer.from(without).toString('base64')
  const copy = { file, before: original, after: hashOf(next), mode: again ? older.mode : mode } satisfies z.infer<
    typeof Copy
  >
  await replaceFile(path, JSON.stringify(copy), 0o600).catch(() => {
    throw new Problem(
      'forbidden',
      `Earmark cannot write ${path}, the copy of ${file} that it keeps. Nothing was changed.`
    )
  })
}

async function readCopy(path: string): Promise<z.infer<typeof Copy> | undefined> {
  try {
    return Copy.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

async function write(file: string, text: string, mode: number): Promise<void> {
  try {
    await replaceFile(file, text, mode)
  } catch {
    throw new Problem('forbidden', `${file} cannot be written. Nothing was changed.`)
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function describeChange(file: string, before: string, after: string): EditorChange {
  return { file, change: changedLines(before, after).map(withoutKeys) }
}

/** Returns the lines from the first to the last difference: removed lines after `- `, added lines after `+ `. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let same = 0
  while (same < old.length && same < now.length && old[same] === now[same]) same++
  let alike = 0
  while (alike < old.length - same && alike < now.length - same && old.at(-1 - alike) === now.at(-1 - alike)) alike++
  const between = (lines: string[], sign: string) =>
    lines.slice(same, lines.length - alike).map((line) => `${sign} ${line.replace(/\r$/, '')}`)
  return [...between(old, '-'), ...between(now, '+')]
}

/** How an MCP host stores the servers it starts. */
export interface Host extends HostFormat {
  id: string
  name: string
  file(machine: Machine): string
  entry(server: StdioServer): Record<string, unknown>
}

/** The hosts, with formats and paths as each host documents them. The package `add-mcp` has the same. */
export const HOSTS: Host[] = [
  host('vscode', 'VS Code', (machine) => join(codeFolder(machine), 'mcp.json'), { servers: 'servers', entry: typed }),
  host('cursor', 'Cursor', ({ home }) => join(home, '.cursor/mcp.json')),
  host('claude-code', 'Claude Code', ({ home, env }) => join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'), {
    entry: typed
  }),
  host('claude-desktop', 'Claude Desktop', (machine) =>
    join(appFolder(machine), 'Claude', 'claude_desktop_config.json')
  ),
  host('codex', 'Codex', ({ home, env }) => join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'), {
    format: 'toml',
    servers: 'mcp_servers'
  }),
  host('gemini', 'Gemini CLI', ({ home }) => join(home, '.gemini/settings.json')),
  host('qwen', 'Qwen Code', ({ home }) => join(home, '.qwen/settings.json')),
  host('opencode', 'opencode', openCodeFile, {
    servers: 'mcp',
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      environment: env,
      enabled: true
    })
  }),
  host('windsurf', 'Windsurf', ({ home }) => join(home, '.codeium/windsurf/mcp_config.json')),
  host('zed', 'Zed', zedFile, {
    servers: 'context_servers',
    entry: (server) => ({ source: 'custom', ...plain(server) })
  }),
  host('cline', 'Cline', (machine) =>
    join(codeFolder(machine), 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json')
  ),
  host('cline-cli', 'Cline CLI', ({ home, env }) =>
    join(env.CLINE_DIR || join(home, '.cline'), 'data/settings/cline_mcp_settings.json')
  ),
  host('continue', 'Continue', ({ home }) => join(home, '.continue/config.yaml'), {
    format: 'yaml',
    entry: (server) => ({ name: 'earmark', ...plain(server) }),
    head: { name: 'Local Config', version: '1.0.0', schema: 'v1' }
  }),
  host(
    'copilot',
    'Copilot CLI',
    ({ home, env }) => join(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'),
    {
      entry: (server) => ({ type: 'local', ...plain(server), tools: ['*'] })
    }
  ),
  host('jetbrains', 'JetBrains', ({ home }) => join(home, '.junie/mcp/mcp.json'))
]

function host(id: string, name: string, file: Host['file'], more: Partial<Host> = {}): Host {
  return { id, name, format: 'json', file, servers: 'mcpServers', entry: plain, ...more }
}

function plain({ command, args, env }: StdioServer): Record<string, unknown> {
  return { command, args, env }
}

function typed(server: StdioServer): Record<string, unknown> {
  return { type: 'stdio', ...plain(server) }
}

function appFolder({ platform, home, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData/Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}

function codeFolder(machine: Machine): string {
  return join(appFolder(machine), 'Code/User')
}

/** Returns Zed's file, which on macOS is in the same folder as on Linux. */
function zedFile(machine: Machine): string {
  const { platform, home } = machine
  if (platform === 'win32') return join(appFolder(machine), 'Zed/settings.json')
  return platform === 'darwin' ? join(home, '.config/zed/settings.json') : join(appFolder(machine), 'zed/settings.json')
}

function openCodeFile({ home, env }: Machine): string {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
  const commented = join(folder, 'opencode.jsonc')
  return existsSync(commented) ? commented : join(folder, 'opencode.json')
}
