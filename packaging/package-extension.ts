// `npm run package:extension`: builds the browser extension and writes a .zip of it for each kind of browser into dist/, as
// their stores take it. The same files give the same bytes.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { extensionNotices } from './notices.ts'
import { root, run } from './run.ts'

/** Zip files know no earlier time. */
const mtime = new Date(1980, 0, 1)

run('npm', ['run', '-s', 'build:extension'])
mkdirSync(join(root, 'dist'), { recursive: true })
for (const kind of ['chromium', 'firefox']) {
  const folder = join(root, 'out/extension', kind)
  const { version } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { version: string }
  const licenses: Zippable = {
    LICENSE: readFileSync(join(root, 'LICENSE')),
    'THIRD-PARTY-NOTICES.txt': Buffer.from(extensionNotices())
  }
  const file = join(root, 'dist', `earmark-extension-${kind}-${version}.zip`)
  writeFileSync(file, zipSync({ ...filesIn(folder), ...licenses }, { level: 9, mtime }))
  console.log(`${file}: ${statSync(file).size} bytes`)
}

function filesIn(folder: string): Zippable {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const files = paths.filter((path) => statSync(join(folder, path)).isFile()).toSorted()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path))]))
}
