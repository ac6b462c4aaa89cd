import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import {
  type Connection,
  commandLine,
  file,
  folderOption,
  isWindows,
  placeOf,
  pretty,
  program,
  programServer,
  type Step,
  server,
  terminal,
  VARIABLE,
  variable,
  variableOfWindow
} from './snippets.ts'

export interface Editor {
  id: string
  name: string
  /** Other names people use for it. */
  also?: string[]
  steps(connection: Connection): Step[]
  /** Returns an address that the editor opens. */
  install?(connection: Connection): string
  note?: MessageDescriptor
}

/** The place of AI Assistant for JSON of a program or an address; see its help, "Model Context Protocol (MCP)". */
const JETBRAINS_PLACE = 'Settings, Tools, AI Assistant, Model Context Protocol (MCP), Add, As JSON'

/**
 * Returns the endpoint's address for editors. Some pass the names of tools to the API of their model, which does not allow
 * a dot. All allow an underscore.
 */
export function editorAddress(mcp: string): string {
  return `${mcp}?names=underscore`
}

/** Returns the command that writes Earmark into an editor’s file, with this key if its secret can be read later. */
export function connectCommand({ id }: Editor, { keyId, kept, program, ownFolder, system }: Connection): string {
  const key = kept ? ['--key-id', keyId] : []
  return commandLine([program.command, ...program.args, 'connect', id, ...key, ...folderOption(ownFolder)], system)
}

/** All editors, with the texts to paste. If an editor can read the key from elsewhere, it is not in the text of a file. */
export const EDITORS: Editor[] = [
  {
    id: 'vscode',
    name: 'VS Code',
    also: ['vscode', 'visual studio code'],
    steps: (to) => [
      {
        say: t`Run in a terminal; VS Code then asks for the key`,
        text: commandLine(['code', '--add-mcp', JSON.stringify(vsCodeServer(to))], to.system)
      },
      {
        say: t`Or add this to a project’s ${placeOf('.vscode/mcp.json', to.system)}; VS Code then asks for the key`,
        text: pretty(vsCodeFile(to))
      }
    ],
    install: (to) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify(vsCodeServer(to)))}`
  },
  {
    id: 'cursor',
    name: 'Cursor',
    steps: (to) => [
      ...variableOfWindow(to),
      file(placeOf('~/.cursor/mcp.json', to.system), server(to.url, `\${env:${VARIABLE}}`))
    ],
    install: (to) => {
      const entry = to.kept ? programServer(to) : server(to.url, `\${env:${VARIABLE}}`)
      const config = encodeURIComponent(btoa(JSON.stringify(entry)))
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=earmark&config=${config}`
    }
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    also: ['claude'],
    steps: (to) => [
      terminal(to, ['claude', 'mcp', 'add', '--transport', 'http', '--scope', 'user', 'earmark', to.url, '--header']),
      {
        ...file('.mcp.json', { type: 'http', ...server(to.url, `\${${VARIABLE}}`) }),
        say: t`Or add this to .mcp.json`
      },
      variable(to)
    ]
  },
  {
    id: 'antigravity',
    name: 'Antigravity',
    steps: (to) => program(placeOf('~/.gemini/config/mcp_config.json', to.system), to)
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    also: ['codeium', 'devin'],
    steps: (to) => [
      ...variableOfWindow(to),
      file(isWindows(to.system) ? '%APPDATA%\\devin\\mcp_config.json' : '~/.config/devin/mcp_config.json', {
        serverUrl: to.url,
        headers: { 'x-api-key': `\${env:${VARIABLE}}` }
      })
    ]
  },
  {
    id: 'zed',
    name: 'Zed',
    steps: ({ url, key }) => [file('settings.json', server(url, key), 'context_servers')]
  },
  {
    id: 'cline',
    name: 'Cline',
    steps: ({ url, key }) => [file('cline_mcp_settings.json', { type: 'streamableHttp', ...server(url, key) })]
  },
  {
    id: 'continue',
    name: 'Continue',
    steps: ({ url, key }) => [
      { say: t`Add this to your Continue secrets`, text: `${VARIABLE}=${key}` },
      {
        say: t`Put into config.yaml`,
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
    steps: (to) => [
      terminal(to, ['gemini', 'mcp', 'add', '-s', 'user', '-t', 'http', 'earmark', to.url, '-H']),
      variable(to)
    ]
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    also: ['qwen'],
    steps: (to) => [
      terminal(to, ['qwen', 'mcp', 'add', '-s', 'user', '-t', 'http', 'earmark', to.url, '-H']),
      variable(to)
    ]
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    also: ['copilot'],
    steps: ({ url, key, system }) => [
      file(placeOf('~/.copilot/mcp-config.json', system), { type: 'http', ...server(url, key), tools: ['*'] })
    ]
  },
  {
    id: 'codex',
    name: 'Codex',
    steps: (to) => [
      {
        say: t`Put into ${placeOf('~/.codex/config.toml', to.system)}`,
        text: codex(to.url, 'http_headers', to.key)
      },
      { say: t`Or, with the key in the environment as EARMARK_KEY`, text: codex(to.url, 'env_http_headers', VARIABLE) },
      variable(to)
    ]
  },
  {
    id: 'opencode',
    name: 'opencode',
    also: ['open code'],
    steps: (to) => [
      variable(to),
      file('opencode.json', { type: 'remote', oauth: false, ...server(to.url, `{env:${VARIABLE}}`) }, 'mcp')
    ]
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    steps: (to) => program('claude_desktop_config.json', to),
    note: msg`It starts a program instead of calling an address.`
  },
  {
    id: 'goose',
    name: 'Goose',
    steps: (to) => {
      const place = isWindows(to.system)
        ? '%APPDATA%\\Block\\goose\\config\\config.yaml'
        : '~/.config/goose/config.yaml'
      const { command, args, env } = programServer(to)
      // JSON is YAML.
      const entry = { name: 'earmark', type: 'stdio', enabled: true, timeout: 300, cmd: command, args, envs: env ?? {} }
      return [{ say: t`Add this below “extensions:” in ${place}`, text: `  earmark: ${JSON.stringify(entry)}` }]
    }
  },
  {
    id: 'jetbrains',
    name: 'JetBrains',
    also: ['junie', 'intellij', 'webstorm', 'pycharm', 'phpstorm', 'goland', 'clion', 'rider', 'rubymine', 'rustrover'],
    steps: (to) => [...program(JETBRAINS_PLACE, to), { ...file('', server(to.url, to.key)), say: t`Or by address` }],
    note: msg`It starts a program, which starts Earmark if it is not running, or it calls Earmark’s address.`
  }
]

const VS_CODE_INPUTS = [{ type: 'promptString', id: 'earmark-key', description: 'Earmark API key', password: true }]

// biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
const VS_CODE_KEY = '${input:earmark-key}'

function vsCodeServer({ url }: Connection): object {
  return { name: 'earmark', type: 'http', ...server(url, VS_CODE_KEY), inputs: VS_CODE_INPUTS }
}

function vsCodeFile({ url }: Connection): object {
  return { inputs: VS_CODE_INPUTS, servers: { earmark: { type: 'http', ...server(url, VS_CODE_KEY) } } }
}

function codex(url: string, headers: string, value: string): string {
  return `[mcp_servers.earmark]\nurl = "${url}"\n${headers} = { "x-api-key" = "${value}" }`
}

/**
 * Returns the editor whose name is in the name of a key: `cursor at work`, `VSCode (laptop)`. Of several editors, the
 * first; if two begin at the same position, the one with the longer name.
 */
export function editorNamedIn(text: string): Editor | undefined {
  const words = ` ${wordsOf(text)} `
  const matches = EDITORS.flatMap((editor) => [editor.name, ...(editor.also ?? [])].map((name) => ({ editor, name })))
    .map(({ editor, name }) => ({ editor, length: name.length, index: words.indexOf(` ${wordsOf(name)} `) }))
    .filter(({ index }) => index >= 0)
    .sort((a, b) => a.index - b.index || b.length - a.length)
  return matches[0]?.editor
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
