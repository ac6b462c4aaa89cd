/** The hosts and libraries of `npm run test:hosts`, each with the settings to work without an account or a person. */
import { join } from 'node:path'

/** The address of the stand-in for the model. */
interface ModelAddress {
  /** Without a path. */
  url: string
  home: string
}

export interface HostProgram {
  /** The id in `earmark connect`; the agent of a library is `agents/ID.js`. */
  id: string
  name: string
  /** The npm packages, the host itself first. */
  packages: string[]
  /** The name of the installed command; a library has none. */
  bin?: string
  /** Files in the home before Earmark is connected, such as how to reach the model. */
  files(model: ModelAddress): Record<string, string>
  env(model: ModelAddress): Record<string, string>
  args(prompt: string, home: string): string[]
  /** The file into which a person pastes the dashboard's snippet, and how. */
  paste?: { file: string; edit(before: string, text: string): string }
  /** Options of the host's `mcp remove`. */
  removeOptions?: string
  /** Arguments that show the state of its servers. */
  status?: string[]
  /** Arguments that end its background processes. */
  end?: string[]
  /** Checks that are known to fail, and why. */
  misses?: Record<string, string>
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

export const HOST_PROGRAMS: HostProgram[] = [
  {
    id: 'codex',
    name: 'Codex',
    packages: ['@openai/codex@0.169.0'],
    bin: 'codex',
    files: ({ url }) => ({
      '.codex/config.toml': `# how to reach the model\nmodel = "stand-in"\nmodel_provider = "standin"\n\n[model_providers.standin]\nname = "standin"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "STANDIN_KEY"\n`
    }),
    env: () => ({ STANDIN_KEY: 'x' }),
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    paste: {
      file: '.codex/config.toml',
      edit: (before, text) => `${before.replace(/\n\[mcp_servers\.earmark\].*$/s, '')}\n${text}\n`
    }
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    packages: ['@google/gemini-cli@0.61.0'],
    bin: 'gemini',
    files: () => ({ '.gemini/settings.json': json({ security: { auth: { selectedType: 'gemini-api-key' } } }) }),
    env: ({ url }) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '--yolo', '-p', prompt],
    removeOptions: '-s user',
    status: ['mcp', 'list'],
    misses: {
      'http wrong key':
        'the host’s: with `-p` it says nothing of a server that refuses it, and `gemini mcp list` no more than “Disconnected”'
    }
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    bin: 'qwen',
    files: () => ({ '.qwen/settings.json': json({ security: { auth: { selectedType: 'openai' } } }) }),
    env: ({ url }) => ({
      OPENAI_API_KEY: 'x',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: 'stand-in',
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1'
    }),
    args: (prompt) => ['--yolo', '-p', prompt],
    removeOptions: '-s user',
    status: ['mcp', 'list'],
    misses: {
      'http wrong key':
        'the host’s: it says that the server failed to start, not why (that is in its log with `QWEN_CODE_DEBUG=1`), and `qwen mcp list` says “Disconnected”'
    }
  },
  {
    id: 'opencode',
    name: 'opencode',
    packages: ['opencode-ai@1.18.33'],
    bin: 'opencode',
    files: ({ url }) => ({
      '.config/opencode/opencode.json': json({
        provider: {
          standin: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: { 'stand-in': { name: 'stand-in', tool_call: true } }
          }
        },
        model: 'standin/stand-in',
        permission: 'allow',
        autoupdate: false
      })
    }),
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    args: (prompt) => ['run', prompt],
    paste: {
      file: '.config/opencode/opencode.json',
      edit: (before, text) => JSON.stringify({ ...JSON.parse(before), ...JSON.parse(text) })
    },
    status: ['mcp', 'list']
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    packages: ['@github/copilot@1.0.102'],
    bin: 'copilot',
    files: () => ({}),
    env: ({ url }) => ({
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'stand-in',
      COPILOT_OFFLINE: 'true'
    }),
    args: (prompt) => ['--allow-all-tools', '-p', prompt],
    paste: { file: '.copilot/mcp-config.json', edit: (_, text) => text },
    status: ['mcp', 'get', 'earmark'],
    misses: {
      'http wrong key':
        'the host’s: with `-p` it says nothing of a server that refuses it; our sentence is in `~/.copilot/logs` alone, and `copilot mcp get earmark` says “Enabled”'
    }
  },
  {
    id: 'continue',
    name: 'Continue CLI',
    packages: ['@continuedev/cli@1.5.47'],
    bin: 'cn',
    files: ({ url }) => ({
      '.continue/config.yaml': `# mine\nname: Mine\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: standin\n    provider: openai\n    model: gpt-4o\n    apiBase: ${url}/v1\n    apiKey: x\n    roles: [chat]\n    capabilities: [tool_use]\n`
    }),
    env: () => ({}),
    args: (prompt, home) => ['--config', join(home, '.continue/config.yaml'), '--auto', '-p', prompt],
    paste: {
      file: '.continue/config.yaml',
      edit: (before, text) => `${before.replace(/\nmcpServers:.*$/s, '')}\n${text}\n`
    }
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    packages: ['@anthropic-ai/claude-code@2.1.330'],
    bin: 'claude',
    files: () => ({ '.claude.json': json({ hasCompletedOnboarding: true }) }),
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1'
    }),
    args: (prompt) => ['--dangerously-skip-permissions', '--model', 'claude-sonnet-4-5', '-p', prompt],
    removeOptions: '-s user',
    status: ['mcp', 'list'],
    misses: {
      'http wrong key':
        'the host’s: with `-p` it says nothing; `claude mcp list` says “HTTP 404”, the status of the OAuth sign-in (`POST /register`) that it tries after the 401, without our words'
    }
  },
  {
    id: 'cline',
    name: 'Cline CLI',
    packages: ['cline@3.0.65'],
    bin: 'cline',
    files: ({ url }) => ({
      '.cline/data/settings/providers.json': json({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: 'x', model: 'stand-in', baseUrl: `${url}/v1` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual'
          }
        }
      })
    }),
    env: () => ({}),
    args: (prompt) => ['-P', 'openai-compatible', '-m', 'stand-in', prompt],
    paste: { file: '.cline/data/settings/cline_mcp_settings.json', edit: (_, text) => text },
    status: ['config', 'mcp'],
    end: ['hub', 'stop'],
    misses: {
      'http wrong key':
        'the host’s: with a prompt on its command line it says nothing of a server that refuses it, and `cline config mcp` lists it like any other'
    }
  },
  library('ai-sdk', 'AI SDK', ['@ai-sdk/mcp@2.0.99', 'ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92']),
  library('langchain', 'LangChain', [
    '@langchain/mcp-adapters@1.1.4',
    'langchain@1.5.14',
    '@langchain/core@1.4.0',
    '@langchain/openai@1.6.0'
  ]),
  library('openai-agents', 'OpenAI Agents', ['@openai/agents@0.20.0'], {
    'http wrong key':
      'the library’s: it throws “MCP streamable HTTP connect failed” with the address, and takes out status and reason lest they hold a secret'
  }),
  library('mastra', 'Mastra', ['@mastra/mcp@2.0.0', '@mastra/core@1.71.0'])
]

function library(id: string, name: string, packages: string[], misses: HostProgram['misses'] = {}): HostProgram {
  return {
    id,
    name,
    packages,
    files: () => ({}),
    env: ({ url }) => ({ MODEL_URL: `${url}/v1`, OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'x' }),
    args: (prompt) => [prompt],
    misses
  }
}
