/** Display names of agents, by the prefix of their client name. */
const KNOWN: [string, string][] = [
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

/** A client's name for people: as they know it, and without its version. */
export function agentName(client: string): string {
  const name = client.replace(/[ /]v?\d[\w.+-]*$/, '')
  const known = KNOWN.find(([beginning]) => name.toLowerCase().startsWith(beginning))
  return known?.[1] ?? name
}

/** How long a bookmark that an agent saved is marked, in ms; cell.module.css removes its color after the same time. */
export const MARKED_MS = 8000

interface Saved {
  createdAt: string
  savedBy: { key: string; client: string | null } | null
}

/** Returns the agent that saved this a moment ago, if one did. */
export function justSavedBy({ createdAt, savedBy }: Saved, now = Date.now()): string | undefined {
  if (!savedBy || now - Date.parse(createdAt) > MARKED_MS) return undefined
  return savedBy.client === null ? savedBy.key : agentName(savedBy.client)
}
