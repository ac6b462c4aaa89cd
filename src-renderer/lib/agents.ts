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
