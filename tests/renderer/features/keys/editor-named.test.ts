import { expect, test } from 'vitest'
import { editorNamedIn } from '../../../../src-renderer/features/keys/editor-named.ts'
import { EDITORS } from '../../../../src-renderer/features/keys/editors.ts'

test.for([
  ['Cursor', 'cursor'],
  ['cursor at work', 'cursor'],
  ['My CURSOR', 'cursor'],
  ['Claude', 'claude-code'],
  ['claude-code 2', 'claude-code'],
  ['Claude Desktop, laptop', 'claude-desktop'],
  ['vscode', 'vscode'],
  ['Visual Studio Code', 'vscode'],
  ['Cursor, not VS Code', 'cursor'],
  ['codex_laptop', 'codex'],
  ['PyCharm (work)', 'jetbrains']
] as const)('%s names an editor', ([text, id]) => {
  expect(editorNamedIn(text)?.id).toBe(id)
})

test.for(['', 'My editor', 'recursor', 'analyzed', 'Agent 7'])('“%s” names none', (text) => {
  expect(editorNamedIn(text)).toBeUndefined()
})

test('every editor is named by its own name', () => {
  for (const editor of EDITORS) expect(editorNamedIn(editor.name), editor.name).toBe(editor)
})
