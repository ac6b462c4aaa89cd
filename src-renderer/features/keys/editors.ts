import { editors as strings } from '../../strings/editors.ts'
import { commandLine, isWindows, placeOf, type System } from './systems.ts'

/** What an editor is told. */
export interface Connection {
  /** The endpoint's address, as `editorAddress` has it. */
  url: string
  /** The key's secret, or what stands in for it. */
  key: string
  keyId: string
  /** Whether the secret can be had from the keychain or a file later. */
  kept: boolean
  /** How a host starts our commands. */
  program: { command: string; args: string[] }
  /** The data folder, where it is not the platform's own. */
  ownFolder: string | null
  /** Where it is pasted. */
  system: System
}

/** One thing to paste, and where. */
interface Step {
  say: string
  text: string
}

export interface Editor {
  id: string
  name: string
  /** What else people call it. */
  also?: string[]
  steps(connection: Connection): Step[]
  /** An address the editor itself opens. */
  install?(connection: Connection): string
  note?: string
}

/** Where AI Assistant takes JSON of either kind; see its help, "Model Context Protocol (MCP)". */
const JETBRAINS_PLACE = 'Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON'

const VARIABLE = 'EARMARK_KEY'

/**
 * The endpoint's address as editors are told it. Some hand a tool's name to the API of their model, which refuses a dot:
 * all of them take an underscore.
 */
export function editorAddress(mcp: string): string {
  return `${mcp}?names=underscore`
}

/** What writes Earmark into an editor's own file; with this very key where its secret can be had later. */
export function connectCommand({ id }: Editor, { keyId, kept, program, ownFolder, system }: Connection): string {
  const key = kept ? ['--key-id', keyId] : []
  return commandLine([program.command, ...program.args, 'connect', id, ...key, ...folderOption(ownFolder)], system)
}

/** Every client of which we know what it wants pasted, with its own way to keep the key out of a file where it has one. */
export const EDITORS: Editor[] = [
  {
    id: 'vscode',
    name: 'VS Code',
    also: ['vscode', 'visual studio code'],
    steps: (connection) => [
      {
        say: strings.terminal,
        text: commandLine(['code', '--add-mcp', JSON.stringify(vsCodeServer(connection))], connection.system)
      },
      { say: strings.asksForKey(placeOf('.vscode/mcp.json', connection.system)), text: pretty(vsCodeFile(connection)) }
    ],
    install: (connection) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify(vsCodeServer(connection)))}`
  },
  {
    id: 'cursor',
    name: 'Cursor',
    steps: (connection) => [
      ...variableOfWindow(connection),
      {
        say: strings.put(placeOf('~/.cursor/mcp.json', connection.system)),
        text: pretty({ mcpServers: { earmark: cursorServer(connection.url, `\${env:${VARIABLE}}`) } })
      }
    ],
    // A link alone has to do, so it carries the key itself.
    install: ({ url, key }) => {
      const config = encodeURIComponent(btoa(JSON.stringify(cursorServer(url, key))))
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=earmark&config=${config}`
    }
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    also: ['claude'],
    steps: (connection) => [
      {
        say: strings.terminal,
        text: `claude mcp add --transport http --scope user earmark "${connection.url}" --header "x-api-key: ${connection.key}"`
      },
      {
        say: strings.orPut('.mcp.json'),
        text: pretty({
          mcpServers: { earmark: { type: 'http', url: connection.url, headers: { 'x-api-key': `\${${VARIABLE}}` } } }
        })
      },
      variable(connection)
    ]
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    also: ['codeium'],
    steps: (connection) => [
      ...variableOfWindow(connection),
      {
        say: strings.put(placeOf('~/.codeium/windsurf/mcp_config.json', connection.system)),
        text: pretty({
          mcpServers: { earmark: { serverUrl: connection.url, headers: { 'x-api-key': `\${env:${VARIABLE}}` } } }
        })
      }
    ]
  },
  {
    id: 'zed',
    name: 'Zed',
    steps: ({ url, key }) => [
      {
        say: strings.put('settings.json'),
        text: pretty({ context_servers: { earmark: { url, headers: { 'x-api-key': key } } } })
      }
    ]
  },
  {
    id: 'cline',
    name: 'Cline',
    steps: ({ url, key }) => [
      {
        say: strings.put('cline_mcp_settings.json'),
        text: pretty({ mcpServers: { earmark: { type: 'streamableHttp', url, headers: { 'x-api-key': key } } } })
      }
    ]
  },
  {
    id: 'continue',
    name: 'Continue',
    steps: ({ url, key }) => [
      { say: strings.secret, text: `${VARIABLE}=${key}` },
      {
        say: strings.put('config.yaml'),
        text: [
          'mcpServers:',
          '  - name: earmark',
          '    type: streamable-http',
          `    url: ${url}`,
          '    requestOptions:',
          '      headers:',
          `        x-api-key: "\${{ secrets.${VARIABLE} }}"`
        ].join('\n')
      }
    ]
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    also: ['gemini'],
    steps: ({ url, key }) => [
      { say: strings.terminal, text: `gemini mcp add -s user -t http -H "x-api-key: ${key}" earmark "${url}"` }
    ]
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    also: ['qwen'],
    steps: ({ url, key }) => [
      { say: strings.terminal, text: `qwen mcp add -s user -t http -H "x-api-key: ${key}" earmark "${url}"` }
    ]
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    also: ['copilot'],
    steps: ({ url, key, system }) => [
      {
        say: strings.put(placeOf('~/.copilot/mcp-config.json', system)),
        text: pretty({ mcpServers: { earmark: { type: 'http', url, headers: { 'x-api-key': key }, tools: ['*'] } } })
      }
    ]
  },
  {
    id: 'codex',
    name: 'Codex',
    steps: (connection) => [
      {
        say: strings.put(placeOf('~/.codex/config.toml', connection.system)),
        text: codex(connection.url, 'http_headers', connection.key)
      },
      { say: strings.fromVariable, text: codex(connection.url, 'env_http_headers', VARIABLE) },
      variable(connection)
    ]
  },
  {
    id: 'opencode',
    name: 'opencode',
    also: ['open code'],
    steps: (connection) => [
      variable(connection),
      {
        say: strings.put('opencode.json'),
        text: pretty({
          mcp: {
            earmark: {
              type: 'remote',
              url: connection.url,
              oauth: false,
              headers: { 'x-api-key': `{env:${VARIABLE}}` }
            }
          }
        })
      }
    ]
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    steps: (connection) => program('claude_desktop_config.json', connection),
    note: strings.startsProgram
  },
  {
    id: 'jetbrains',
    name: 'JetBrains',
    also: ['junie', 'intellij', 'webstorm', 'pycharm', 'phpstorm', 'goland', 'clion', 'rider', 'rubymine', 'rustrover'],
    steps: (connection) => [
      ...program(JETBRAINS_PLACE, connection),
      {
        say: strings.orAddress,
        text: pretty({ mcpServers: { earmark: { url: connection.url, headers: { 'x-api-key': connection.key } } } })
      }
    ],
    note: strings.startsOrCalls
  }
]

function vsCodeServer({ url, key }: Connection): object {
  return { name: 'earmark', type: 'http', url, headers: { 'x-api-key': key } }
}

function vsCodeFile({ url }: Connection): object {
  return {
    inputs: [{ type: 'promptString', id: 'earmark-key', description: 'Earmark API key', password: true }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
    servers: { earmark: { type: 'http', url, headers: { 'x-api-key': '${input:earmark-key}' } } }
  }
}

function cursorServer(url: string, key: string): object {
  return { url, headers: { 'x-api-key': key } }
}

function codex(url: string, headers: string, value: string): string {
  return `[mcp_servers.earmark]\nurl = "${url}"\n${headers} = { "x-api-key" = "${value}" }`
}

/** For hosts that start a program: the key from the keychain where it is kept there, else from the environment. */
function program(file: string, { keyId, kept, key, program, ownFolder }: Connection): Step[] {
  const id = kept ? ['--key-id', keyId] : []
  const args = [...program.args, 'mcp-stdio', ...id, '--names', 'underscore', ...folderOption(ownFolder)]
  const server = { command: program.command, args, env: kept ? undefined : { [VARIABLE]: key } }
  const say = strings.put(file)
  return [{ say: kept ? `${say}. ${strings.keyFromKeychain}` : say, text: pretty({ mcpServers: { earmark: server } }) }]
}

function folderOption(ownFolder: string | null): string[] {
  return ownFolder === null ? [] : ['--data', ownFolder]
}

/** The key in the environment of whatever the shell starts. */
function variable({ key, system }: Connection): Step {
  if (isWindows(system)) return { say: strings.variable.windows, text: `setx ${VARIABLE} "${key}"` }
  return { say: strings.variable.shell, text: `export ${VARIABLE}=${key}` }
}

/** The same for an editor that is mostly opened from the desktop, which on Windows alone sees what a shell has set. */
function variableOfWindow(connection: Connection): Step[] {
  const { key, system } = connection
  const shell = variable(connection)
  if (system === 'macos') {
    return [
      { say: strings.variable.dock, text: `launchctl setenv ${VARIABLE} ${key}` },
      { ...shell, say: strings.variable.orShell }
    ]
  }
  if (system === 'linux') {
    return [
      { say: strings.variable.menu, text: `${VARIABLE}=${key}` },
      { ...shell, say: strings.variable.orShell }
    ]
  }
  return [shell]
}

function pretty(value: object): string {
  return JSON.stringify(value, null, 2)
}
