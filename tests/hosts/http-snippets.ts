import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EDITORS } from '../../src-renderer/features/keys/editors.ts'
import type { HostProgram } from './hosts.ts'
import { run } from './run-host.ts'

/** Does what the dashboard says for a host that calls the address: runs the command, or puts the text into the file. */
export async function connectOverHttp(
  host: HostProgram,
  { home, env }: { home: string; env: NodeJS.ProcessEnv },
  { url, key }: { url: string; key: string }
): Promise<void> {
  const editor = EDITORS.find(({ id }) => id === (host.snippet ?? host.id))
  if (!editor) throw new Error(`The dashboard has no snippet for ${host.name}.`)
  const program = { command: 'earmark', args: [] }
  const steps = editor.steps({ url, key, keyId: '', kept: false, program, ownFolder: null, system: 'linux' })
  for (const { text } of steps) {
    const variable = /^(?:export )?(EARMARK_KEY)=(.*)$/.exec(text)
    if (variable) env.EARMARK_KEY = variable[2]
  }
  const command = steps.find(({ text }) => text.startsWith(`${host.bin} `))
  if (command) {
    await run('sh', ['-c', `${host.bin} mcp remove ${REMOVE[host.id] ?? ''} earmark`], env)
    const { code, output } = await run('sh', ['-c', command.text], env, join(home, 'project'))
    if (code !== 0) throw new Error(output)
    return
  }
  const [file, write] = FILES[host.id] ?? []
  const step = steps.find(({ text }) => !/^(export )?EARMARK_KEY=/.test(text))
  if (!file || !write || !step) throw new Error(`It is not known where ${host.name} wants its snippet.`)
  const path = join(home, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, write(read(path), step.text))
}

const REMOVE: Record<string, string> = { 'claude-code': '-s user', gemini: '-s user', qwen: '-s user' }

/** Where a person pastes it, beside what is there. */
const FILES: Record<string, [string, (before: string, text: string) => string]> = {
  codex: ['.codex/config.toml', (before, text) => `${before.replace(/\n\[mcp_servers\.earmark\].*$/s, '')}\n${text}\n`],
  opencode: [
    '.config/opencode/opencode.json',
    (before, text) => JSON.stringify({ ...JSON.parse(before), ...JSON.parse(text) })
  ],
  copilot: ['.copilot/mcp-config.json', (_, text) => text],
  'cline-cli': ['.cline/data/settings/cline_mcp_settings.json', (_, text) => text],
  continue: ['.continue/config.yaml', (before, text) => `${before.replace(/\nmcpServers:.*$/s, '')}\n${text}\n`]
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
