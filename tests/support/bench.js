// `npm run bench:NAME`: builds tests/bench/NAME.ts and what it starts from the sources as they are, and runs it.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.js'

const root = join(import.meta.dirname, '../..')
const [name = ''] = process.argv.splice(2, 1)

await buildPrograms(
  globSync('tests/bench/{dashboard,endpoint,find,import,pages,search}{,-server,-peer}.ts', { cwd: root })
)
await import(join(root, 'out/tests', `${name}.js`))
