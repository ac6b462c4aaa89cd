/**
 * `npm run package`: packages the app for this system into dist/. Its arguments go on to electron-builder, as in
 * `npm run package -- --linux dir`. Three names package something else: `-- extension`, `-- bundle`, and, in a folder
 * that has the packages of all systems, `-- release FOLDER`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { extensionNotices, writeNotices } from './notices.ts'
import { readPackedApps, whatIsWrong } from './packed.ts'
import { releaseFiles } from './release-files.ts'
import { installPackagers, root, run } from './run.ts'
import { writeBundle } from './write-bundle.ts'
import { writeNpmPackage } from './write-npm-package.ts'

const dist = join(root, 'dist')
const [what, folder = dist] = process.argv.slice(2)
if (what === 'extension') packageExtension()
else if (what === 'bundle') await packageBundle()
else if (what === 'release') writeRelease(folder)
else packageApp(process.argv.slice(2))

function packageApp(options: string[]): void {
  run('npm', ['run', '-s', 'build'])
  writeNotices()
  installPackagers()
  const builder = join(import.meta.dirname, 'node_modules/electron-builder/cli.js')
  run(process.execPath, [builder, '--publish', 'never', ...options])
  const apps = readPackedApps(dist)
  const faults = apps.flatMap(whatIsWrong)
  for (const app of apps) console.log(`${app.folder}: ${app.files.length} files`)
  for (const fault of faults) console.error(fault)
  if (apps.length === 0) console.error('Nothing was packaged.')
  process.exit(faults.length > 0 || apps.length === 0 ? 1 : 0)
}

/** Zip files know no earlier time; with a fixed one, the same files give the same bytes. */
const MTIME = new Date(1980, 0, 1)

/** Builds the browser extension, and writes a .zip of it for each kind of browser, as their stores take it. */
function packageExtension(): void {
  run(process.execPath, [join(import.meta.dirname, 'build-extension.ts')])
  mkdirSync(dist, { recursive: true })
  for (const kind of ['chromium', 'firefox']) {
    const built = join(root, 'out/extension', kind)
    const { version } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as { version: string }
    const licenses: Zippable = {
      LICENSE: readFileSync(join(root, 'LICENSE')),
      'THIRD-PARTY-NOTICES.txt': Buffer.from(extensionNotices())
    }
    const file = join(dist, `earmark-extension-${kind}-${version}.zip`)
    writeFileSync(file, zipSync({ ...filesIn(built), ...licenses }, { level: 9, mtime: MTIME }))
    console.log(`${file}: ${statSync(file).size} bytes`)
  }
}

function filesIn(built: string): Zippable {
  const paths = readdirSync(built, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const files = paths.filter((path) => statSync(join(built, path)).isFile()).toSorted()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(built, path))]))
}

/**
 * Writes what connects other programs to the running app, and holds nothing else of it: earmark.mcpb, which Claude Desktop
 * installs with a double click, and the npm package earmark-mcp. @anthropic-ai/mcpb checks and packs the first.
 */
async function packageBundle(): Promise<void> {
  const bundle = join(root, 'out/bundle')
  const file = join(dist, 'earmark.mcpb')
  await writeBundle(bundle)
  installPackagers()
  mkdirSync(dist, { recursive: true })
  rmSync(file, { force: true })
  const cli = join(import.meta.dirname, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
  run(process.execPath, [cli, 'validate', join(bundle, 'manifest.json')])
  run(process.execPath, [cli, 'pack', bundle, file])
  const npmFolder = join(root, 'out/npm')
  await writeNpmPackage(npmFolder)
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', dist], npmFolder)
}

/**
 * Writes the other files of a release beside its packages: SHA256SUMS, server.json for the MCP registry, latest.txt, which
 * Settings asks for, and recipes for Homebrew, winget and Scoop. Nothing is sent anywhere.
 */
function writeRelease(packages: string): void {
  for (const [path, text] of Object.entries(releaseFiles(packages))) {
    const file = join(packages, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(file)
  }
}
