// npm run test:real -- package: packages the app for this Linux with a script in the runtime's place, looks at what was packed,
// and tries it on the stand-in as far as that goes. It needs electron-builder from the registry, and no runtime.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { buildPrograms } from '../support/build-programs.js'
import { installTools } from '../support/tools.ts'

const root = join(import.meta.dirname, '../..')
await installTools()

/** Where the wire of fuses begins in an executable, then its version and its length, and each fuse as it comes (electron/fuses). */
const FUSES = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09010110011`

const glib = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64']
  .map((folder) => join(folder, 'libgobject-2.0.so.0'))
  .find((file) => existsSync(file))

const runtime = mkdtempSync(join(tmpdir(), 'earmark-runtime-'))
const executable = join(runtime, 'electron')
const register = join(root, 'tests/support/electron/register.js')
writeFileSync(
  executable,
  `#!/bin/sh
# Stands where Electron's executable is: Node, with what was packed, the stand-in, and the GLib Electron is linked with.
${glib ? `export LD_PRELOAD='${glib}'` : ''}
STAND_IN_PACKAGED=1 exec '${process.execPath}' --import '${register}' "$(dirname "$(readlink -f "$0")")/resources/app/out/main/desktop.js" "$@"
# ${FUSES}
`
)
chmodSync(executable, 0o755)
for (const name of ['LICENSE', 'LICENSES.chromium.html'])
  writeFileSync(join(runtime, name), 'none: this is no Electron\n')
writeFileSync(join(runtime, 'version'), manifest.devDependencies.electron)

await buildPrograms()
run(process.execPath, ['packaging/package.ts', '--linux', 'dir', `-c.electronDist=${runtime}`])
rmSync(runtime, { recursive: true })
// Node reads no archives.
const resources = join(root, 'dist/linux-unpacked/resources')
const asar = join(root, 'packaging/node_modules/@electron/asar/bin/asar.js')
run(process.execPath, [asar, 'extract', join(resources, 'app.asar'), join(resources, 'app')])
run(process.execPath, ['tests/real/smoke.ts'])

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
