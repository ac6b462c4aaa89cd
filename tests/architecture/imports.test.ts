/**
 * Which room may import which: see docs/develop/architecture.md. Biome forbids cycles and barrels; this test has the rules that depend on
 * both ends of an import.
 */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** The other rooms of src-main that each room may import. */
const SERVICE_ROOMS: Record<string, string[]> = {
  contract: [],
  core: ['contract'],
  markdown: ['contract', 'core'],
  database: ['contract', 'core', 'integrations'],
  search: ['contract', 'core'],
  'search/sql': ['contract', 'core', 'database', 'search'],
  actions: ['contract', 'core', 'search', 'markdown'],
  formats: ['contract', 'core', 'integrations', 'markdown'],
  integrations: ['contract', 'core'],
  keychain: ['contract', 'core'],
  store: ['contract', 'core', 'database', 'search', 'search/sql', 'integrations'],
  web: ['contract', 'core', 'integrations', 'markdown'],
  sync: ['contract', 'core', 'integrations'],
  server: ['contract', 'core', 'integrations', 'actions'],
  mcp: ['contract', 'core', 'actions'],
  'open-ports.ts': ['contract', 'core', 'integrations', 'actions', 'formats', 'keychain', 'web', 'sync'],
  'open-rooms.ts': ['contract', 'actions', 'store', 'server', 'mcp', 'open-ports.ts'],
  'service.ts': ['contract', 'database', 'actions', 'store', 'server', 'open-ports.ts', 'open-rooms.ts'],
  host: ['contract', 'core', 'database', 'integrations', 'store', 'keychain', 'service.ts'],
  desktop: ['contract', 'core', 'integrations', 'service.ts', 'host'],
  cli: ['contract', 'core', 'search', 'integrations', 'service.ts', 'host']
}

/** The same in src-renderer. The dashboard and the desktop's small window (capture) are both at the top. */
const DASHBOARD_ROOMS: Record<string, string[]> = {
  strings: [],
  lib: ['strings'],
  ui: ['strings', 'lib'],
  api: ['strings', 'lib', 'ui'],
  shared: ['strings', 'lib', 'ui', 'api'],
  features: ['strings', 'lib', 'ui', 'api', 'shared'],
  app: ['strings', 'lib', 'ui', 'api', 'shared', 'features'],
  capture: ['strings', 'lib', 'ui', 'api', 'shared', 'features'],
  'main.tsx': ['lib', 'ui', 'app']
}

/** The same in src-extension. */
const EXTENSION_ROOMS: Record<string, string[]> = {
  'texts.ts': ['_locales'],
  _locales: [],
  page: [],
  shared: ['texts.ts'],
  background: ['texts.ts', 'shared'],
  popup: ['texts.ts', 'shared'],
  results: ['texts.ts', 'shared'],
  options: ['texts.ts', 'shared'],
  'manifest.ts': []
}

const ROOMS: Record<string, Record<string, string[]>> = {
  'src-main': SERVICE_ROOMS,
  'src-renderer': DASHBOARD_ROOMS,
  'src-extension': EXTENSION_ROOMS
}

/** Imports from one path to another that the tables do not have, some of types only. */
const EXCEPTIONS: [from: string, to: string, only?: 'types'][] = [
  ['src-renderer/', 'src-main/contract/'],
  ['src-renderer/', 'src-main/server/api.ts', 'types'],
  ['src-extension/', 'src-main/contract/'],
  // The text of a page is Markdown of one form, whoever reads the page.
  ['src-extension/page/', 'src-main/markdown/from-dom.ts'],
  ['src-extension/page/', 'src-main/core/page-text.ts'],
  ['src-extension/shared/', 'src-extension/page/', 'types'],
  ['src-extension/popup/', 'src-extension/page/', 'types'],
  // The command line is a client of the server.
  ['src-main/cli/', 'src-main/server/', 'types'],
  // Actions call the library through its type: what runs on its threads is reached in no other way.
  ['src-main/actions/', 'src-main/store/', 'types'],
  // Both ends of a connection compute the same proof.
  ['src-main/cli/', 'src-main/actions/keys/credentials.ts'],
  // The bridge answers some requests itself, in the endpoint's words.
  ['src-main/cli/stdio-bridge.ts', 'src-main/mcp/'],
  // The packaged app also is the command line.
  ['src-main/desktop/main.ts', 'src-main/cli/program.ts']
]

/** Packages that only these rooms import. */
const OWNERS: Record<string, string | string[]> = {
  electron: 'src-main/desktop/',
  'better-sqlite3': ['src-main/database/', 'src-main/store/'],
  '@napi-rs/keyring': 'src-main/keychain/',
  undici: ['src-main/web/', 'src-main/sync/'],
  react: 'src-renderer/',
  'react-dom': 'src-renderer/'
}

/** Folders that import neither Node nor any package but these. */
const PURE: Record<string, Record<string, string>> = {
  'src-main/contract/': { zod: 'src-main/contract/' },
  'src-main/core/': { culori: 'src-main/core/color.ts' },
  'src-main/search/': {
    'stopwords-iso': 'src-main/search/stop-words.ts',
    'opencc-js': 'src-main/search/fold-letters.ts',
    '@orama/stemmers': 'src-main/search/word-forms.ts'
  },
  'src-extension/': { '@mozilla/readability': 'src-extension/page/' }
}

interface Import {
  from: string
  /** A path in the repository, a package, or `undefined` if only the running program knows it. */
  to: string | undefined
  typesOnly: boolean
}

const sourceFiles = globSync('{src-main,src-renderer,src-extension}/**/*.{ts,tsx,js,jsx,mjs,cjs}', {
  cwd: join(import.meta.dirname, '../..')
})
const allImports = sourceFiles.flatMap((path) =>
  readImports(path.replaceAll('\\', '/'), readFileSync(join(import.meta.dirname, '../..', path), 'utf8'))
)

const RULES: Record<string, (imported: Import) => boolean> = {
  'rooms import only inner rooms': breaksRooms,
  'a feature imports no other feature': breaksFeatures,
  'Electron, SQLite, the keychain and undici stay in their rooms': breaksOwners,
  'contract, core, search and the extension import neither Node nor packages': breaksPurity,
  'no import is computed': isComputed
}

test.for(Object.entries(RULES))('%s', ([, isForbidden]) => {
  expect(allImports.filter(isForbidden)).toEqual([])
})

test.for([
  ['src-main/server/x.ts', "import type { A } from '../store/a.ts'"],
  ['src-main/server/x.ts', "export { App } from '../../src-renderer/app/app.tsx'"],
  ['src-renderer/ui/x.ts', "import '../../src-main/core/address.ts'"],
  ['src-renderer/ui/x.ts', "import { a } from '../../src-main/server/api.ts'"],
  ['src-renderer/shared/x.ts', "await import('../features/tags/tags.tsx')"],
  ['src-extension/shared/x.ts', "import { a } from '../popup/popup.ts'"],
  ['src-renderer/features/a/x.ts', "import type { B } from '../b/b.ts'"],
  ['src-main/cli/x.js', "require('electron')"],
  ['src-main/core/x.ts', "import { join } from 'node:path'"],
  ['src-extension/popup/x.ts', "import { z } from 'zod'"],
  ['src-renderer/ui/x.ts', "import { join } from 'path'"],
  ['src-main/server/x.ts', 'await import(name)']
] as const)('%s may not contain %s', ([path, text]) => {
  const imports = readImports(path, text)
  expect(Object.values(RULES).filter((isForbidden) => imports.some(isForbidden))).toHaveLength(1)
})

test('every form of import in every source file is checked', () => {
  const forms = `
    import a, { type B } from './b.ts'
    import type { C } from './c.ts'
    export { d } from '../d.ts'
    export type { E } from './e.ts'
    const f = await import('./f.ts')
    type G = import('./g.ts').G
    // import h from './h.ts'
    const i = "import i from './i.ts'"`
  const found = readImports('src-renderer/ui/x.ts', forms).map(({ to, typesOnly }) => [to, typesOnly])
  expect(Object.fromEntries(found)).toEqual({
    'src-renderer/ui/b.ts': false,
    'src-renderer/ui/c.ts': true,
    'src-renderer/d.ts': false,
    'src-renderer/ui/e.ts': true,
    'src-renderer/ui/f.ts': false,
    'src-renderer/ui/g.ts': false
  })
  expect(sourceFiles.length).toBeGreaterThan(100)
  expect(allImports.length).toBeGreaterThan(350)
})

/** Reads static imports and exports from the parsed file, and `import()`, also in types, and `require()` from its text. */
function readImports(from: string, text: string): Import[] {
  const { module, errors } = parseSync(from, text)
  if (errors.length > 0) throw new Error(`${from} cannot be parsed: ${errors[0]?.message}`)
  const exported = module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [{ start, moduleRequest }] : []))
  )
  const statics = [...module.staticImports, ...exported].map(({ start, moduleRequest }) => ({
    from,
    to: resolve(from, moduleRequest.value),
    typesOnly: /^(import|export) type\b/.test(text.slice(start))
  }))
  const calls = [...text.matchAll(/(?<![\w.'`])(?:import|require)\((?:'([^']*)'|[^)\s])/g)]
  return [...statics, ...calls.map(([, to]) => ({ from, to: to && resolve(from, to), typesOnly: false }))]
}

function resolve(from: string, to: string): string {
  return to.startsWith('.') ? posix.join(posix.dirname(from), to) : to
}

function breaksRooms({ from, to, typesOnly }: Import): boolean {
  if (!to?.startsWith('src-')) return false
  const isException = EXCEPTIONS.some(
    ([start, end, only]) => from.startsWith(start) && to.startsWith(end) && (only === undefined || typesOnly)
  )
  if (isException) return false
  const [program, room] = roomOf(from)
  const [otherProgram, otherRoom] = roomOf(to)
  const allowed = ROOMS[program]?.[room]
  return program !== otherProgram || !allowed || (room !== otherRoom && !allowed.includes(otherRoom))
}

/** `src-main/core/page-key.ts` is in the room `core`; a file beside the rooms is a room of its own. */
function roomOf(path: string): [program: string, room: string] {
  const [program = '', room = '', folder = ''] = path.split('/')
  return [program, room === 'search' && folder === 'sql' ? 'search/sql' : room]
}

function breaksFeatures({ from, to }: Import): boolean {
  const [feature, other] = [from, to ?? ''].map((path) => /^src-renderer\/features\/([^/]+)/.exec(path)?.[1])
  return feature !== undefined && other !== undefined && feature !== other
}

function breaksOwners({ from, to = '' }: Import): boolean {
  const owners = OWNERS[packageOf(to)]
  return owners !== undefined && ![owners].flat().some((owner) => from.startsWith(owner))
}

function breaksPurity({ from, to = '' }: Import): boolean {
  if (to === '' || to.startsWith('src-')) return false
  if (from.startsWith('src-renderer/')) return isBuiltin(to)
  const allowed = Object.entries(PURE).find(([folder]) => from.startsWith(folder))?.[1]
  return allowed !== undefined && !from.startsWith(allowed[packageOf(to)] ?? 'nowhere')
}

/** Scripts that load the built program, or a tool that may be missing, compute what they import. */
function isComputed({ from, to }: Import): boolean {
  return to === undefined && !/^src-main\/cli\/[a-z-]+\.js$/.test(from)
}

/** `electron/main` and `electron` are one package. */
function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
