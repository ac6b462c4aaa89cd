import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StdioServer } from '../contract/editor.ts'
import type { Machine } from './files.ts'

/** How a host writes down the servers it starts. */
export interface Host {
  id: string
  name: string
  format: 'json' | 'toml' | 'yaml'
  file(machine: Machine): string
  /** Where the servers stand in the file, by their names, or, in YAML, as a list whose entries have one. */
  servers: string
  entry(server: StdioServer): Record<string, unknown>
  /** The beginning of a file that did not exist before. */
  head?: Record<string, unknown>
}

/** Formats and places as each host documents them; `add-mcp` has the same. */
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

/** On macOS too it is in the folder that is Linux's. */
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
