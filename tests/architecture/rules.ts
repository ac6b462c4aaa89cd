import { isBuiltin } from 'node:module'
import { COMPUTED, type Import, type SourceFile } from './import-graph.ts'

/** A rule on who may know whom. Gives what breaks it, as `file -> target`. */
export type Rule = (files: SourceFile[]) => string[]

/** What each room of src-main knows beside itself. A file that is in none of them breaks the rule. */
const KNOWS: Record<string, string[]> = {
  contract: [],
  core: ['contract'],
  search: ['contract', 'core'],
  actions: ['contract', 'core', 'search'],
  formats: ['contract', 'core'],
  store: ['contract', 'core', 'search', 'files'],
  keychain: ['contract', 'core'],
  files: ['contract', 'core'],
  editors: ['contract', 'core', 'files'],
  browsers: ['contract', 'core', 'files'],
  web: ['contract', 'core', 'files'],
  sync: ['contract', 'core', 'files'],
  server: ['contract', 'core', 'actions'],
  mcp: ['contract', 'core', 'actions'],
  'service.ts': [
    'contract',
    'core',
    'files',
    'actions',
    'formats',
    'store',
    'keychain',
    'editors',
    'browsers',
    'web',
    'sync',
    'server',
    'mcp'
  ],
  host: ['contract', 'core', 'files', 'service.ts'],
  desktop: ['contract', 'core', 'files', 'service.ts', 'host'],
  serve: ['contract', 'core', 'search', 'files', 'service.ts', 'host']
}

/** The same in src-renderer, where there are two roofs: the dashboard's, and that of the desktop's small window. */
const DASHBOARD_KNOWS: Record<string, string[]> = {
  strings: [],
  ui: ['strings'],
  shared: ['strings', 'ui'],
  features: ['strings', 'ui', 'shared'],
  app: ['strings', 'ui', 'shared', 'features'],
  capture: ['strings', 'ui', 'shared', 'features'],
  'main.tsx': ['ui', 'app']
}

/** The same in src-extension: each page stands alone, and so does what is put into a page of the web. */
const EXTENSION_KNOWS: Record<string, string[]> = {
  'strings.ts': [],
  shared: ['strings.ts', 'page'],
  page: [],
  background: ['strings.ts', 'shared'],
  popup: ['strings.ts', 'shared', 'page'],
  results: ['strings.ts', 'shared'],
  options: ['strings.ts', 'shared'],
  'manifest.ts': []
}

const SEARCH_SQL = 'src-main/search/sql/'

/** Files of the store that searches run on: the connection, and its prepared statements. */
const STORE_FOR_SEARCH = new Set(['src-main/store/connection.ts', 'src-main/store/statements.ts'])

/** Packages that one room keeps to itself. */
const OWNED: Record<string, string | string[]> = {
  electron: 'src-main/desktop/',
  'better-sqlite3': 'src-main/store/',
  '@napi-rs/keyring': 'src-main/keychain/',
  undici: ['src-main/web/', 'src-main/sync/']
}

/** Rooms know only the rooms towards the contract; neighbours never know each other. */
export const roomsKnowOnlyInnerRooms: Rule = (files) =>
  breaches(files, 'src-main/', ({ path }, { to, typeOnly }) => {
    if (!to.startsWith('src-main/')) return false
    const [from, into] = [roomOf(path), roomOf(to)]
    // The part of search that is SQL belongs to the store, which calls it; all of search besides is pure.
    if (to.startsWith(SEARCH_SQL) && !path.startsWith(SEARCH_SQL)) return from !== 'store'
    if (from === into && from in KNOWS) return false
    if (path.startsWith(SEARCH_SQL) && STORE_FOR_SEARCH.has(to)) return false
    // Actions call the library through its type: what runs on its threads is reached by no other way.
    if (from === 'actions' && into === 'store') return !typeOnly
    // The command line is a client of the server: it knows the types of what it talks to.
    if (from === 'serve' && into === 'server' && typeOnly) return false
    // The bridge answers what the endpoint answers everyone alike, in the same words.
    if (path === 'src-main/serve/bridge/carry.ts' && into === 'mcp') return false
    // The packaged app answers the command line too, and hands it over whole.
    if (path === 'src-main/desktop/main.ts' && to === 'src-main/serve/program.ts') return false
    return !KNOWS[from]?.includes(into)
  })

/** The dashboard's rooms know only those below them: app, features, shared, ui. */
export const dashboardKnowsOnlyBelow: Rule = (files) =>
  breaches(files, 'src-renderer/', ({ path }, { to }) => {
    if (!to.startsWith('src-renderer/')) return false
    const [from, into] = [roomOf(path), roomOf(to)]
    if (from === into && from in DASHBOARD_KNOWS) return false
    return !DASHBOARD_KNOWS[from]?.includes(into)
  })

/**
 * The extension's rooms know only those below them and, of all else, the contract; of what is put into pages, types
 * alone. No package is in what may speak to the program on this machine.
 */
export const extensionStandsAlone: Rule = (files) =>
  breaches(files, 'src-extension/', ({ path }, { to, typeOnly }) => {
    const [from, into] = [roomOf(path), roomOf(to)]
    if (to.startsWith('src-main/')) return !to.startsWith('src-main/contract/')
    if (!to.startsWith('src-extension/')) return !(from === 'page' && to === '@mozilla/readability')
    if (from === into && from in EXTENSION_KNOWS) return false
    if (into === 'page' && !typeOnly) return true
    return !EXTENSION_KNOWS[from]?.includes(into)
  })

/** Electron, SQLite, the keychain and the web each have one room. */
export const packagesStayInTheirRoom: Rule = (files) =>
  breaches(files, '', ({ path }, { to }) => {
    const rooms = OWNED[packageOf(to)]
    return rooms !== undefined && ![rooms].flat().some((room) => path.startsWith(room))
  })

/** Contract, core and search see neither Node nor a package; contract has zod, core/color.ts what parses CSS colors, and search what languages are like. */
export const innermostRoomsArePure: Rule = (files) => [
  ...breaches(files, 'src-main/contract/', (_, { to }) => isOutside(to) && to !== 'zod'),
  ...breaches(
    files,
    'src-main/core/',
    ({ path }, { to }) => isOutside(to) && !(to === 'culori' && path === 'src-main/core/color.ts')
  ),
  ...breaches(files, 'src-main/search/', ({ path }, { to }) => isOutside(to) && LANGUAGE_DATA[path] !== packageOf(to))
]

/** What is known of languages, without I/O. */
const LANGUAGE_DATA: Record<string, string> = {
  'src-main/search/empty-words.ts': 'stopwords-iso',
  'src-main/search/fold-letters.ts': 'opencc-js',
  'src-main/search/word-forms.ts': '@orama/stemmers'
}

/** The dashboard knows contract, and the types of the API. */
export const dashboardKnowsOnlyTheContract: Rule = (files) =>
  breaches(files, 'src-renderer/', (_, { to, typeOnly }) => {
    if (!to.startsWith('src-main/')) return isBuiltin(to)
    return !(to.startsWith('src-main/contract/') || (to === 'src-main/server/api.ts' && typeOnly))
  })

/** Nothing of the service knows the dashboard, or the extension. */
export const serviceDoesNotKnowTheDashboard: Rule = (files) =>
  breaches(
    files,
    'src-main/',
    (_, { to }) => /^src-(renderer|extension)\//.test(to) || packageOf(to).startsWith('react')
  )

/** A feature never imports another feature. */
export const featuresStandAlone: Rule = (files) =>
  breaches(files, 'src-renderer/features/', ({ path }, { to }) => {
    const other = featureOf(to)
    return other !== undefined && other !== featureOf(path)
  })

/** Only the scripts that load the built program, or a tool that may be missing, may compute what they import. */
export const importsAreWritten: Rule = (files) =>
  breaches(files, '', ({ path }, { to }) => to === COMPUTED && !/^src-main\/serve\/[a-z-]+\.js$/.test(path))

export const noBarrels: Rule = (files) => files.filter((file) => file.barrel).map((file) => file.path)

/** No file imports itself on any way round. Types are gone before the program runs and may look back. */
export const noCycles: Rule = (files) => {
  const next = new Map(
    files.map((file) => [file.path, file.imports.filter((one) => !one.typeOnly).map((one) => one.to)])
  )
  const done = new Set<string>()
  const cycles: string[] = []
  function walk(path: string, way: string[]): void {
    const at = way.indexOf(path)
    if (at >= 0) cycles.push([...way.slice(at), path].join(' -> '))
    if (at >= 0 || done.has(path)) return
    for (const to of next.get(path) ?? []) walk(to, [...way, path])
    done.add(path)
  }
  for (const path of next.keys()) walk(path, [])
  return cycles
}

function breaches(
  files: SourceFile[],
  folder: string,
  breaks: (file: SourceFile, imported: Import) => boolean
): string[] {
  return files
    .filter((file) => file.path.startsWith(folder))
    .flatMap((file) => file.imports.filter((one) => breaks(file, one)).map((one) => `${file.path} -> ${one.to}`))
}

/** `src-main/core/page-key.ts` is in the room `core`; a file beside the rooms is one of its own. */
function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function featureOf(path: string): string | undefined {
  return /^src-renderer\/features\/([^/]+)/.exec(path)?.[1]
}

/** `electron/main` and `electron` are one package. */
function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

function isOutside(to: string): boolean {
  return !to.startsWith('src-main/')
}
