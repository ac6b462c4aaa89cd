/** Display names of agents, by the prefix of their client name. */
const AGENT_NAMES: [string, string][] = [
  ['claude-code', 'Claude Code'],
  ['claude-ai', 'Claude Desktop'],
  ['claude-desktop', 'Claude Desktop'],
  ['cursor', 'Cursor'],
  ['visual studio code', 'VS Code'],
  ['codex', 'Codex'],
  ['gemini-cli', 'Gemini CLI'],
  ['qwen', 'Qwen Code'],
  ['github-copilot', 'Copilot CLI'],
  ['copilot', 'Copilot CLI'],
  ['windsurf', 'Windsurf'],
  ['zed', 'Zed'],
  ['cline', 'Cline'],
  ['continue', 'Continue'],
  ['opencode', 'opencode'],
  ['jetbrains', 'JetBrains']
]

/** Returns the display name of a client, without its version. */
export function agentName(client: string): string {
  const name = client.replace(/[ /]v?\d[\w.+-]*$/, '')
  const agent = AGENT_NAMES.find(([prefix]) => name.toLowerCase().startsWith(prefix))
  return agent?.[1] ?? name
}

/** How long a bookmark that an agent saved is marked, in ms; cell.module.css removes its color after the same time. */
export const MARKED_MS = 8000

interface Saved {
  createdAt: string
  savedBy: { key: string; client: string | null } | null
}

/** Returns the name of the agent that saved a bookmark a moment ago; `undefined` for other bookmarks. */
export function justSavedBy({ createdAt, savedBy }: Saved, now = Date.now()): string | undefined {
  if (!savedBy || now - Date.parse(createdAt) > MARKED_MS) return undefined
  return savedBy.client === null ? savedBy.key : agentName(savedBy.client)
}
