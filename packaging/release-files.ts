import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { mcpName, npmName, releaseAddress } from './release-facts.ts'

const { version, homepage, license, author, description } = manifest

/** What electron-builder and `bundle.ts` call the files that the texts below name. */
const FILES = {
  macArm: `Earmark-${version}-arm64.dmg`,
  macIntel: `Earmark-${version}.dmg`,
  windows: `Earmark-Setup-${version}.exe`,
  bundle: 'earmark.mcpb'
}

type Checksums = Record<keyof typeof FILES, string>

/**
 * Returns what is published beside the files of a release, by path: checksums, the newest version, the entry of the MCP
 * registry, recipes of package managers.
 *
 * @param folder holds the release's files
 * @throws Error if one of them is missing
 */
export function releaseFiles(folder: string): Record<string, string> {
  const missing = Object.values(FILES).filter((file) => !existsSync(join(folder, file)))
  if (missing.length > 0) {
    throw new Error(
      `${folder} has no ${missing.join(', ')}. Build on each system: npm run package, npm run package -- bundle.`
    )
  }
  const sha = (file: string) => hash('sha256', readFileSync(join(folder, file)))
  const sums = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, sha(file)])) as Checksums
  const all = readdirSync(folder).filter((file) => statSync(join(folder, file)).isFile() && !OURS.includes(file))
  return {
    SHA256SUMS: all.map((file) => `${sha(file)}  ${file}\n`).join(''),
    'latest.txt': `${version}\n`,
    'server.json': json(serverJson(sums)),
    'recipes/homebrew/earmark.rb': cask(sums),
    'recipes/scoop/earmark.json': json(scoop(sums)),
    ...winget(sums)
  }
}

const OURS = ['SHA256SUMS', 'latest.txt', 'server.json']

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The registry’s entry. A bundle is named by its address, and neither has a version nor a registry of its own. */
function serverJson({ bundle }: Checksums): object {
  const environmentVariables = [
    {
      name: 'EARMARK_KEY',
      description: 'API key, from Profile, API Keys in Earmark. Empty: the only key in the system’s keychain.',
      isSecret: true
    },
    { name: 'EARMARK_DATA', description: 'Data folder of Earmark, if you moved it.', format: 'filepath' }
  ]
  const transport = { type: 'stdio' }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Earmark',
    description: 'Searches your own bookmarks and saves pages to them, on your computer.',
    version,
    websiteUrl: homepage,
    packages: [
      { registryType: 'npm', identifier: npmName, version, runtimeHint: 'npx', transport, environmentVariables },
      { registryType: 'mcpb', identifier: releaseAddress(FILES.bundle), fileSha256: bundle, transport }
    ]
  }
}

function cask({ macArm, macIntel }: Checksums): string {
  const address = releaseAddress(FILES.macIntel).replaceAll(version, '#{version}').replace('.dmg', '#{arch}.dmg')
  return `cask "earmark" do
  arch arm: "-arm64", intel: ""

  version "${version}"
  sha256 arm:   "${macArm}",
         intel: "${macIntel}"

  url "${address}"
  name "Earmark"
  desc "Local-first bookmark manager with an MCP endpoint for agents"
  homepage "${homepage}"

  app "Earmark.app"

  caveats <<~EOS
    Earmark is not signed. Open it once, then allow it in
    System Settings, Privacy & Security, Open Anyway.
  EOS
end
`
}

/** Scoop unpacks the installer, which holds the program in an archive of its own. */
function scoop({ windows }: Checksums): object {
  const address = releaseAddress(FILES.windows)
  return {
    version,
    description,
    homepage,
    license,
    architecture: { '64bit': { url: `${address}#/dl.7z`, hash: windows } },
    pre_install: [
      'Expand-7zipArchive "$dir\\`$PLUGINSDIR\\app-64.7z" "$dir"',
      'Remove-Item "$dir\\`$PLUGINSDIR", "$dir\\Uninstall*" -Recurse -ErrorAction SilentlyContinue'
    ],
    bin: 'bin\\earmark.cmd',
    shortcuts: [['Earmark.exe', 'Earmark']],
    checkver: { url: new URL('latest.txt', homepage).href, regex: '([\\d.]+)' },
    autoupdate: { architecture: { '64bit': { url: `${address.replaceAll(version, '$version')}#/dl.7z` } } }
  }
}

/** The three manifests that winget’s repository asks for. */
function winget({ windows }: Checksums): Record<string, string> {
  const common = { PackageIdentifier: 'Earmark.Earmark', PackageVersion: version }
  const file = (kind: string, suffix: string, facts: object) => [
    `recipes/winget/${common.PackageIdentifier}${suffix}.yaml`,
    stringify({ ...common, ...facts, ManifestType: kind, ManifestVersion: '1.10.0' })
  ]
  return Object.fromEntries([
    file('version', '', { DefaultLocale: 'en-US' }),
    file('installer', '.installer', {
      InstallerType: 'nullsoft',
      Scope: 'user',
      Installers: [
        { Architecture: 'x64', InstallerUrl: releaseAddress(FILES.windows), InstallerSha256: windows.toUpperCase() }
      ]
    }),
    file('defaultLocale', '.locale.en-US', {
      PackageLocale: 'en-US',
      Publisher: author,
      PackageName: 'Earmark',
      PackageUrl: homepage,
      License: license,
      ShortDescription: description
    })
  ])
}
