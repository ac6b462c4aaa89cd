import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { mcpName, npmName } from './release-facts.ts'
import { NODE, writeBridge } from './write-bridge.ts'

/** Writes the npm package into a folder, from which `npm pack` takes it as it is. */
export async function writeNpmPackage(folder: string): Promise<void> {
  await writeBridge(folder, 'earmark-mcp.mjs')
  const { version, license, author, homepage, repository, bugs } = manifest
  const readme = readFileSync(join(import.meta.dirname, 'npm-readme.md'), 'utf8')
  writeFileSync(join(folder, 'README.md'), readme.replace('HOMEPAGE', homepage))
  const facts = {
    name: npmName,
    version,
    description: 'Connects agents to Earmark, the bookmark manager on your computer',
    license,
    author,
    homepage,
    repository,
    bugs,
    /** The registry compares it with the name in server.json, as proof that both have one owner. */
    mcpName,
    type: 'module',
    bin: { [npmName]: 'earmark-mcp.mjs' },
    engines: { node: `>=${NODE}` },
    keywords: ['mcp', 'mcp-server', 'bookmarks', 'agent-skills']
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(facts, null, 2)}\n`)
}
