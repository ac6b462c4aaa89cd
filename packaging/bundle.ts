// `npm run bundle`: writes into dist/ what connects other programs to the running app and holds nothing else of it:
// earmark.mcpb, which Claude Desktop installs with a double click, and the npm package earmark-mcp, which is published from
// there. @anthropic-ai/mcpb, from the lockfile beside this file, checks and packs the first.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installPackagers, root, run } from './run.ts'
import { writeBundle } from './write-bundle.ts'
import { writeNpmPackage } from './write-npm-package.ts'

const folder = join(root, 'out/bundle')
const file = join(root, 'dist/earmark.mcpb')

await writeBundle(folder)
installPackagers()
mkdirSync(join(root, 'dist'), { recursive: true })
rmSync(file, { force: true })
const cli = join(import.meta.dirname, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
run(process.execPath, [cli, 'validate', join(folder, 'manifest.json')])
run(process.execPath, [cli, 'pack', folder, file])

const npmFolder = join(root, 'out/npm')
await writeNpmPackage(npmFolder)
run('npm', ['pack', '--ignore-scripts', '--pack-destination', join(root, 'dist')], npmFolder)
