import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StdioServer } from '../contract/editor.ts'
import type { HostFormat } from './editor-merge.ts'
import type { Machine } from './files.ts'

/** An MCP host: how to recognize it, and how it stores the servers it starts. */
export interface Host extends HostFormat {
  id: string
  name: string
  /** Its commands, and on macOS its application. */
  programs: string[]
  /** The files that list its servers; the file of its newest version is first. */
  places(machine: Machine): [Place, ...Place[]]
  entry(server: StdioServer): Record<string, unknown>
}

interface Place {
  file: string
  /** Files and folders that only this program creates. */
  signs: string[]
}

/** The hosts. docs/develop/hosts.md names the document behind each path and format. */
export const HOSTS: Host[] = [
  host('vscode', 'VS Code', ['code', 'Visual Studio Code.app'], (machine) => [at(codeFolder(machine), 'mcp.json')], {
    servers: 'servers',
    entry: typed
  }),
  host('cursor', 'Cursor', ['cursor', 'Cursor.app'], ({ home }) => [at(home, '.cursor/mcp.json')]),
  host(
    'claude-code',
    'Claude Code',
    ['claude'],
    ({ home, env }) => [
      {
        file: join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
        signs: [env.CLAUDE_CONFIG_DIR || join(home, '.claude')]
      }
    ],
    // Without `alwaysLoad` the model has to search for the tools before it can call them.
    { entry: (server) => ({ ...typed(server), alwaysLoad: true }) }
  ),
  host('claude-desktop', 'Claude Desktop', ['Claude.app'], claudePlaces),
  host('codex', 'Codex', ['codex'], ({ home, env }) => [at(env.CODEX_HOME || join(home, '.codex'), 'config.toml')], {
    format: 'toml',
    servers: 'mcp_servers'
  }),
  host('gemini', 'Gemini CLI', ['gemini'], ({ home }) => {
    // The folder also has files of Antigravity, so it is no sign of Gemini CLI.
    const file = join(home, '.gemini/settings.json')
    return [{ file, signs: [file] }]
  }),
  host('antigravity', 'Antigravity', ['agy', 'antigravity', 'Antigravity.app'], ({ home }) => [
    {
      file: join(home, '.gemini/config/mcp_config.json'),
      signs: ['config', 'antigravity', 'antigravity-cli'].map((folder) => join(home, '.gemini', folder))
    }
  ]),
  host('qwen', 'Qwen Code', ['qwen'], ({ home }) => [at(home, '.qwen/settings.json')]),
  host('opencode', 'opencode', ['opencode'], openCodePlaces, {
    servers: 'mcp',
    nested: 'servers',
    entry: ({ command, args, env }) => ({ type: 'local', command: [command, ...args], environment: env })
  }),
  host('windsurf', 'Devin Desktop (Windsurf)', ['windsurf', 'Windsurf.app', 'Devin.app'], (machine) => [
    at(machine.platform === 'win32' ? appFolder(machine) : join(machine.home, '.config'), 'devin/mcp_config.json'),
    at(machine.home, '.codeium/windsurf/mcp_config.json')
  ]),
  host('zed', 'Zed', ['zed', 'zeditor', 'Zed.app'], zedPlaces, {
    servers: 'context_servers',
    entry: (server) => ({ source: 'custom', ...plain(server) })
  }),
  host('cline', 'Cline', ['cline'], clinePlaces),
  host('continue', 'Continue', ['cn'], ({ home }) => [at(home, '.continue/config.yaml')], {
    format: 'yaml',
    isList: true,
    entry: (server) => ({ name: 'earmark', ...plain(server) }),
    head: { name: 'Local Config', version: '1.0.0', schema: 'v1' }
  }),
  host(
    'copilot',
    'Copilot CLI',
    ['copilot'],
    ({ home, env }) => [at(env.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json')],
    { entry: (server) => ({ type: 'local', ...plain(server), tools: ['*'] }) }
  ),
  // AI Assistant, the other agent of JetBrains' editors, has no such file. Its settings accept the same entry.
  host('jetbrains', 'Junie (JetBrains)', ['junie'], ({ home }) => [
    { file: join(home, '.junie/mcp/mcp.json'), signs: [join(home, '.junie')] }
  ]),
  host('goose', 'Goose', ['goose', 'Goose.app'], goosePlaces, {
    format: 'yaml',
    servers: 'extensions',
    entry: ({ command, args, env }) => ({
      name: 'earmark',
      description: 'Searches and saves bookmarks',
      type: 'stdio',
      cmd: command,
      args,
      envs: env ?? {},
      enabled: true,
      timeout: 300
    })
  })
]

function host(id: string, name: string, programs: string[], places: Host['places'], more: Partial<Host> = {}): Host {
  return { id, name, programs, places, format: 'json', servers: 'mcpServers', entry: plain, ...more }
}

/** Returns a file in a folder that only its program creates. */
function at(folder: string, path: string): Place {
  const file = join(folder, path)
  return { file, signs: [dirname(file)] }
}

function plain({ command, args, env }: StdioServer): Record<string, unknown> {
  return { command, args, env }
}

function typed(server: StdioServer): Record<string, unknown> {
  return { type: 'stdio', ...plain(server) }
}

/** Whether this machine has the program: its own files, its command, or its application. */
export function isInstalled({ programs, places }: Host, machine: Machine): boolean {
  return places(machine).some(isPresent) || programs.some((program) => hasProgram(program, machine))
}

/** Returns the file that the installed version reads; if none is installed, the file of the newest version. */
export function currentFile({ places }: Host, machine: Machine): string {
  const all = places(machine)
  return (all.find(isPresent) ?? all[0]).file
}

function isPresent({ signs }: Place): boolean {
  return signs.some((sign) => existsSync(sign))
}

function hasProgram(program: string, { platform, home, env }: Machine): boolean {
  if (program.endsWith('.app')) {
    return platform === 'darwin' && ['/', home].some((folder) => existsSync(join(folder, 'Applications', program)))
  }
  const endings = platform === 'win32' ? ['.exe', '.cmd'] : ['']
  const folders = (env.PATH ?? '').split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '')
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, program + ending))))
}

function appFolder({ platform, home, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData/Roaming')
  return configFolder({ home, env })
}

function configFolder({ home, env }: Pick<Machine, 'home' | 'env'>): string {
  return env.XDG_CONFIG_HOME || join(home, '.config')
}

function codeFolder(machine: Machine): string {
  return join(appFolder(machine), 'Code/User')
}

/** On Windows the packaged application (MSIX) uses another folder instead of `%APPDATA%`. */
function claudePlaces(machine: Machine): [Place, ...Place[]] {
  const { platform, home, env } = machine
  const unpackaged = at(appFolder(machine), 'Claude/claude_desktop_config.json')
  const packages = join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'Packages')
  if (platform !== 'win32' || !existsSync(packages)) return [unpackaged]
  const [name] = readdirSync(packages).filter((folder) => folder.startsWith('Claude_'))
  if (name === undefined) return [unpackaged]
  const file = join(packages, name, 'LocalCache/Roaming/Claude/claude_desktop_config.json')
  return [{ file, signs: [join(packages, name)] }, unpackaged]
}

function openCodePlaces(machine: Machine): [Place] {
  const folder = join(configFolder(machine), 'opencode')
  const isCommented = existsSync(join(folder, 'opencode.jsonc'))
  return [at(folder, isCommented ? 'opencode.jsonc' : 'opencode.json')]
}

/** On macOS Zed's folder is in the same place as on Linux. */
function zedPlaces(machine: Machine): [Place] {
  const { platform, home } = machine
  if (platform === 'win32') return [at(appFolder(machine), 'Zed/settings.json')]
  return [at(platform === 'darwin' ? join(home, '.config') : configFolder(machine), 'zed/settings.json')]
}

/** Since version 4, the extension for VS Code uses the command line's file. Older versions use a separate file. */
function clinePlaces(machine: Machine): [Place, Place] {
  const shared = join(machine.env.CLINE_DIR || join(machine.home, '.cline'), 'data')
  const extension = join(codeFolder(machine), 'globalStorage/saoudrizwan.claude-dev')
  return [
    { file: join(shared, 'settings/cline_mcp_settings.json'), signs: [shared] },
    { file: join(extension, 'settings/cline_mcp_settings.json'), signs: [extension] }
  ]
}

function goosePlaces(machine: Machine): [Place] {
  const { platform, env } = machine
  if (env.GOOSE_PATH_ROOT) return [at(env.GOOSE_PATH_ROOT, 'config/config.yaml')]
  if (platform === 'win32') return [at(appFolder(machine), 'Block/goose/config/config.yaml')]
  return [at(configFolder(machine), 'goose/config.yaml')]
}
