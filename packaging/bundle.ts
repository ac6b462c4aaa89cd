// `npm run bundle`: writes dist/earmark.mcpb, which Claude Desktop installs with a double click. It holds the bridge to the
// running app and nothing else; @anthropic-ai/mcpb, from the lockfile beside this file, checks and packs it.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installPackagers, root, run } from './run.ts'
import { writeBundle } from './write-bundle.ts'

const folder = join(root, 'out/bundle')
const file = join(root, 'dist/earmark.mcpb')

await writeBundle(folder)
installPackagers()
mkdirSync(join(root, 'dist'), { recursive: true })
rmSync(file, { force: true })
const cli = join(import.meta.dirname, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
run(process.execPath, [cli, 'validate', join(folder, 'manifest.json')])
run(process.execPath, [cli, 'pack', folder, file])
