import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Where each part of the build leaves the folders of the packages it took in, as JSON: a list of strings. */
const listsFolder = 'out/packages'

/** The part of a bundler's plugin that is used here, which Rollup, Rolldown and Vite share. */
interface ListingPlugin {
  name: string
  writeBundle(options: unknown, bundle: Record<string, object>): void
}

/**
 * Writes down which packages ended up in what was built: their licenses go with it.
 *
 * @param root the project's folder
 * @param part names the list
 */
export function listPackages(root: string, part: string): ListingPlugin {
  return {
    name: 'list-packages',
    writeBundle(_options, bundle) {
      const folders = new Set<string>()
      for (const output of Object.values(bundle)) {
        const ids = 'moduleIds' in output && Array.isArray(output.moduleIds) ? output.moduleIds : []
        for (const id of ids) {
          const folder = packageFolder(root, String(id))
          if (folder) folders.add(folder)
        }
      }
      mkdirSync(join(root, listsFolder), { recursive: true })
      writeFileSync(join(root, listsFolder, `${part}.json`), JSON.stringify([...folders].sort(), null, 1))
    }
  }
}

/** The folder of the package that a module is in, from the project's folder; `undefined` for our own. */
export function packageFolder(root: string, id: string): string | undefined {
  // Bundlers put a zero byte before what they made up, and a query after what they changed.
  const path = relative(root, id.replace(/^\0/, '').replace(/\?.*$/, '')).replaceAll(sep, '/')
  const at = path.lastIndexOf(FOLDER)
  if (at < 0) return undefined
  const [first = '', second = ''] = path.slice(at + FOLDER.length).split('/')
  return path.slice(0, at) + FOLDER + (first.startsWith('@') ? `${first}/${second}` : first)
}

const FOLDER = 'node_modules/'

/** The lists of every part, without what several of them have. */
export function readLists(root: string, parts: string[]): string[] {
  const lists = parts.map(
    (part) => JSON.parse(readFileSync(join(root, listsFolder, `${part}.json`), 'utf8')) as string[]
  )
  return [...new Set(lists.flat())].sort()
}
