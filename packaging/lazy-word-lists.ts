import { readFileSync } from 'node:fs'

/**
 * Bundles the lists of stop words as strings that are taken apart when a list is asked for: 200 kB of lists in the source
 * make each start and each thread 15 ms later.
 */
export function lazyWordLists() {
  return {
    name: 'lazy-word-lists',
    enforce: 'pre' as const,
    load: (id: string) => (/stopwords-iso\.json$/.test(id) ? { code: gettersFor(id), moduleType: 'js' as const } : null)
  }
}

function gettersFor(file: string): string {
  const lists: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'))
  const getters = Object.entries(lists).map(
    ([language, words]) => `get ${language}() { return ${JSON.stringify(words.join('\n'))}.split('\\n') }`
  )
  return `export default { ${getters.join(', ')} }`
}
