import { resolve } from 'node:path'

/** The part of a bundler's module graph that is used here. */
interface Graph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

/** The part of a bundler's group of modules that is used here: those for which `name` gives a name become one file. */
interface Group {
  name(id: string, graph: Graph): string | null
  debugName: string
  priority: number
}

/**
 * Puts what is always loaded together into one file each. Left to itself, the bundler makes a file of every set of
 * modules that several programs share; to find, read and link those seventy takes a third of a start.
 */
export function fewChunks(root: string): Group[] {
  const reached = new Map<string, Set<string>>()
  const reach = (name: keyof typeof ROOTS, graph: Graph): Set<string> => {
    const known = reached.get(name)
    if (known) return known
    const found = reachedFrom(
      ROOTS[name].map((file) => resolve(root, file)),
      graph
    )
    reached.set(name, found)
    return found
  }
  /** Of the modules that all parts of one of these sets need. */
  const group = (name: string, priority: number, ...sets: (keyof typeof ROOTS)[][]): Group => ({
    name: (id, graph) => (sets.some((parts) => parts.every((part) => reach(part, graph).has(id))) ? name : null),
    debugName: name,
    priority
  })
  return [
    group('base', 6, ['store', 'program'], ['pages', 'service'], ['pages', 'store']),
    group('store', 5, ['store']),
    group('schemas', 4, ['schemas']),
    group('colors', 3, ['colors']),
    group('program', 2, ['program']),
    group('service', 1, ['service'])
  ]
}

const ROOTS = {
  /** What the process that decodes pages needs. */
  pages: ['src-main/web/read-page.ts'],
  /** What the library's threads need. */
  store: ['src-main/store/thread-work.ts'],
  /** What they load late, and others need too. */
  schemas: ['src-main/contract/settings.ts'],
  colors: ['src-main/core/color.ts'],
  /** What every command needs. */
  program: ['src-main/cli/program.ts', 'src-main/host/open-library.ts'],
  /** What a service needs besides. */
  service: ['src-main/cli/commands/serve.ts', 'src-main/service.ts', 'src-main/host/log.ts']
}

/** These files and all they import, and so on; what is loaded only when it is asked for left out. */
function reachedFrom(files: string[], graph: Graph): Set<string> {
  const found = new Set(files)
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
