// `npm run test:hosts`: builds tests/hosts/run.ts from the sources as they are, and the program it tries, and runs it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.js'

const root = join(import.meta.dirname, '../..')

const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(1)
await buildPrograms(['tests/hosts/run.ts'])
await import(join(root, 'out/tests/run.js'))
