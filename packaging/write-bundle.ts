import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { earmarkTools } from '../src-main/mcp/tools/tools.ts'
import { NODE, writeBridge } from './write-bridge.ts'

const root = join(import.meta.dirname, '..')

/** Writes what the bundle for Claude Desktop holds into a folder: its manifest, the bridge, an icon. */
export async function writeBundle(folder: string): Promise<void> {
  await writeBridge(folder, 'server/index.mjs')
  copyFileSync(join(root, 'resources/icon.png'), join(folder, 'icon.png'))
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(bundleManifest(), null, 2)}\n`)
}

/** As MCPB's manifest, version 0.3, has it. */
function bundleManifest() {
  const { version, description, license, author } = manifest
  return {
    manifest_version: '0.3',
    name: 'earmark',
    display_name: 'Earmark',
    version,
    description,
    long_description:
      'Searches your bookmarks and saves pages to them. The Earmark app has to be open: the library, and what each key ' +
      'may do, stay with it on this computer.',
    author: { name: author },
    license,
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: {
        command: 'node',
        args: [`${filledIn('__dirname')}/server/index.mjs`],
        env: { EARMARK_KEY: filledIn('user_config.api_key'), EARMARK_DATA: filledIn('user_config.data_folder') }
      }
    },
    tools: earmarkTools.map(({ name, title }) => ({ name: name.replace('.', '_'), description: title })),
    keywords: ['bookmarks', 'search', 'links'],
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: `>=${NODE}` } },
    user_config: {
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'From Earmark, under Profile, API Keys. Empty: the one key that is stored in the keychain.',
        sensitive: true,
        required: false
      },
      data_folder: {
        type: 'directory',
        title: 'Data folder',
        description: 'Only where Earmark keeps its library in another folder than usual.',
        required: false
      }
    }
  }
}

/** What the host puts in its place. */
function filledIn(name: string): string {
  return `\${${name}}`
}
