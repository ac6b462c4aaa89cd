// `npm run bench -- NAME`: builds tests/bench/NAME.ts and what it starts from the sources as they are, and runs it.
// With `--check` it ends with 1 where a target was missed by more than a tenth.
import { join } from 'node:path'
import { ensureBuilt } from '../../src-main/cli/prepare.js'
import { buildPrograms } from './build-programs.js'

const root = join(import.meta.dirname, '../..')
const NAMES = ['dashboard', 'endpoint', 'idle', 'import', 'search', 'start']
const [name = ''] = process.argv.splice(2, 1)
if (!NAMES.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is ${NAMES.join(', ')}`)
  process.exit(2)
}

ensureBuilt()
await buildPrograms([...NAMES, 'server'].map((file) => `tests/bench/${file}.ts`))
await import(join(root, 'out/tests', `${name}.js`))
