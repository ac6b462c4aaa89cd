import { EDITORS, type Editor } from './editors.ts'

/**
 * The editor that a key's name names: `cursor at work`, `VSCode (laptop)`. Of several the first; of those
 * that begin at the same place the one whose name is longest.
 */
export function editorNamedIn(text: string): Editor | undefined {
  const words = ` ${wordsOf(text)} `
  const found = EDITORS.flatMap((editor) => [editor.name, ...(editor.also ?? [])].map((name) => ({ editor, name })))
    .map(({ editor, name }) => ({ editor, length: name.length, at: words.indexOf(` ${wordsOf(name)} `) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.length - one.length)
  return found[0]?.editor
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
