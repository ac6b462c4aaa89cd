// `npm run package`: builds, installs electron-builder from the lockfile beside this file, and packages the app for this
// system into dist/. What is given to it goes on to electron-builder, as in `npm run package -- --linux dir`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeNotices } from './notices.ts'
import { readPackedApps, whatIsWrong } from './packed.ts'
import { installPackagers, root, run } from './run.ts'

run('npm', ['run', '-s', 'build'])
writeNotices()
installPackagers()
requireSameSchema()
const builder = join(import.meta.dirname, 'node_modules/electron-builder/cli.js')
run(process.execPath, [builder, '--publish', 'never', ...process.argv.slice(2)])
const apps = readPackedApps(join(root, 'dist'))
const faults = apps.flatMap(whatIsWrong)
for (const { folder, files } of apps) console.log(`${folder}: ${files.length} files`)
for (const fault of faults) console.error(fault)
if (apps.length === 0) console.error('Nothing was packaged.')
process.exit(faults.length > 0 || apps.length === 0 ? 1 : 0)

/** The tests hold the configuration against the copy of electron-builder's schema that lies beside this file. */
function requireSameSchema(): void {
  const [own, theirs] = ['electron-builder.schema.json', 'node_modules/app-builder-lib/scheme.json'].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8')
  )
  if (own === theirs) return
  console.error('packaging/electron-builder.schema.json is not that of the installed electron-builder: copy it anew.')
  process.exit(1)
}
