import { expect, test } from 'vitest'
import { agentName } from '../../../src-renderer/shared/agents.ts'

test.for([
  ['claude-code 2.1.14', 'Claude Code'],
  ['Visual Studio Code 1.108.0', 'VS Code'],
  ['cursor-vscode 1.0.0', 'Cursor'],
  ['Zed 9', 'Zed'],
  ['my-script/1.2.3-beta', 'my-script'],
  ['agent v2', 'agent'],
  ['Agent 007 of many words', 'Agent 007 of many words'],
  ['', '']
] as const)('%j is called %j', ([client, name]) => {
  expect(agentName(client)).toBe(name)
})
