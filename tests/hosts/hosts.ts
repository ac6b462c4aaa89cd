import { join } from 'node:path'

/** Where a host finds the stand-in for its model. */
interface ModelAddress {
  /** Without a path. */
  url: string
  home: string
}

/** A host as it is installed and asked. */
export interface HostProgram {
  /** As `earmark connect` has it. */
  id: string
  name: string
  /** What npm installs, and what it is called then. */
  package: string
  bin: string
  /** Its own files before anything connects it: how to reach its model, by their paths below the home. */
  files(model: ModelAddress): Record<string, string>
  env(model: ModelAddress): Record<string, string>
  args(prompt: string, home: string): string[]
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

/** Each with the settings it needs to work with no account and nobody at the keyboard. */
export const HOST_PROGRAMS: HostProgram[] = [
  {
    id: 'codex',
    name: 'Codex',
    package: '@openai/codex@0.169.0',
    bin: 'codex',
    files: ({ url }) => ({
      '.codex/config.toml': `# how to reach the model\nmodel = "stand-in"\nmodel_provider = "standin"\n\n[model_providers.standin]\nname = "standin"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "STANDIN_KEY"\n`
    }),
    env: () => ({ STANDIN_KEY: 'x' }),
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt]
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    package: '@google/gemini-cli@0.61.0',
    bin: 'gemini',
    files: () => ({ '.gemini/settings.json': json({ security: { auth: { selectedType: 'gemini-api-key' } } }) }),
    env: ({ url }) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '--yolo', '-p', prompt]
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code@0.24.4',
    bin: 'qwen',
    files: () => ({ '.qwen/settings.json': json({ security: { auth: { selectedType: 'openai' } } }) }),
    env: ({ url }) => ({
      OPENAI_API_KEY: 'x',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: 'stand-in',
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1'
    }),
    args: (prompt) => ['--yolo', '-p', prompt]
  },
  {
    id: 'opencode',
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
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
    args: (prompt) => ['run', prompt]
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    package: '@github/copilot@1.0.102',
    bin: 'copilot',
    files: () => ({}),
    env: ({ url }) => ({
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'stand-in',
      COPILOT_OFFLINE: 'true'
    }),
    args: (prompt) => ['--allow-all-tools', '-p', prompt]
  },
  {
    id: 'continue',
    name: 'Continue CLI',
    package: '@continuedev/cli@1.5.47',
    bin: 'cn',
    files: ({ url }) => ({
      '.continue/config.yaml': `# mine\nname: Mine\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: standin\n    provider: openai\n    model: gpt-4o\n    apiBase: ${url}/v1\n    apiKey: x\n    roles: [chat]\n    capabilities: [tool_use]\n`
    }),
    env: () => ({}),
    args: (prompt, home) => ['--config', join(home, '.continue/config.yaml'), '--auto', '-p', prompt]
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code@2.1.330',
    bin: 'claude',
    files: () => ({ '.claude.json': json({ hasCompletedOnboarding: true }) }),
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1'
    }),
    args: (prompt) => ['--dangerously-skip-permissions', '--model', 'claude-sonnet-4-5', '-p', prompt]
  }
]
