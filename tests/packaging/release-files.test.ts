import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { mcpName } from '../../packaging/release-facts.ts'
import { releaseFiles } from '../../packaging/release-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const { version, homepage } = manifest
const FILES = [`Earmark-${version}-arm64.dmg`, `Earmark-${version}.dmg`, `Earmark-Setup-${version}.exe`, 'earmark.mcpb']
const sumOf = (file: string) => hash('sha256', `content of ${file}`)
const addressOf = (file: string) => `${homepage}releases/download/v${version}/${file}`
const [macArm = '', macIntel = '', windows = '', bundle = ''] = FILES

let folder = ''
let files: Record<string, string> = {}
const read = (path: string) => files[path] ?? ''

beforeEach(() => {
  folder = tempFolder()
  mkdirSync(join(folder, 'ubuntu'))
  for (const file of [...FILES, 'earmark_0.1.0_amd64.deb']) writeFileSync(join(folder, file), `content of ${file}`)
  files = releaseFiles(folder)
})

/** A field whose text has this form. */
const text = (pattern: string, maxLength = 300) => ({ type: 'string', pattern, maxLength })
const address = text('^https://')
const object = (properties: object, ...optional: string[]) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false
})

/**
 * The registry's rules of 2025-12-11 for what we use of them: a name in two parts, a description of at most 100 characters,
 * exact versions, a checksum for a bundle, which has no version.
 */
const transport = object({ type: { const: 'stdio' } })
const variable = object(
  { name: text('^[A-Z_]+$'), description: text('.'), isSecret: { type: 'boolean' }, format: { const: 'filepath' } },
  'isSecret',
  'format'
)
const REGISTRY = object({
  $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
  name: text('^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', 200),
  title: text('.', 100),
  description: text('.', 100),
  version: text('^\\d+\\.\\d+\\.\\d+$'),
  websiteUrl: address,
  packages: {
    type: 'array',
    items: [
      object({
        registryType: { const: 'npm' },
        identifier: { const: 'earmark-mcp' },
        version: { const: version },
        runtimeHint: { const: 'npx' },
        transport,
        environmentVariables: { type: 'array', items: variable }
      }),
      object({
        registryType: { const: 'mcpb' },
        identifier: text('^https://.+\\.mcpb$'),
        fileSha256: text('^[a-f0-9]{64}$'),
        transport
      })
    ],
    additionalItems: false,
    minItems: 2
  }
})

test('the MCP registry’s entry matches its schema', () => {
  const validate = new Ajv({ strict: false }).compile(REGISTRY)
  const entry = JSON.parse(read('server.json'))
  validate(entry)
  expect(validate.errors).toBeNull()
  const [npm, mcpb] = entry.packages
  for (const wrong of [{ description: 'x'.repeat(101) }, { packages: [npm, { ...mcpb, version }] }]) {
    expect(validate({ ...entry, ...wrong })).toBe(false)
  }
  expect(entry.name).toBe(mcpName)
  expect(mcpb).toMatchObject({ identifier: addressOf(bundle), fileSha256: sumOf(bundle) })
})

test('the Homebrew cask has a package and checksum per Mac architecture', () => {
  const cask = read('recipes/homebrew/earmark.rb')
  expect(cask).toContain(`sha256 arm:   "${sumOf(macArm)}",\n         intel: "${sumOf(macIntel)}"`)
  const url = /^ {2}url "(.+)"$/m.exec(cask)?.[1]?.replaceAll('#{version}', version)
  expect(url?.replace('#{arch}', '-arm64')).toBe(addressOf(macArm))
  expect(url?.replace('#{arch}', '')).toBe(addressOf(macIntel))
  expect(/^ {2}desc "(.+)"$/m.exec(cask)?.[1]?.length).toBeLessThanOrEqual(80)
  expect([cask.startsWith('cask "earmark" do\n'), cask.endsWith('\nend\n')]).toEqual([true, true])
})

test('Scoop’s manifest has the unpacked installer and later versions’ address', () => {
  const recipe = JSON.parse(read('recipes/scoop/earmark.json'))
  expect(recipe).toMatchObject({ version, homepage, license: 'MIT', shortcuts: [['Earmark.exe', 'Earmark']] })
  expect(recipe.architecture['64bit']).toEqual({ url: `${addressOf(windows)}#/dl.7z`, hash: sumOf(windows) })
  const later = recipe.autoupdate.architecture['64bit'].url.replaceAll('$version', version)
  expect(later).toBe(recipe.architecture['64bit'].url)
})

test('winget gets its three manifests', () => {
  const [main, installer, locale] = ['', '.installer', '.locale.en-US'].map((suffix) =>
    parse(read(`recipes/winget/Earmark.Earmark${suffix}.yaml`))
  )
  const common = { PackageIdentifier: 'Earmark.Earmark', PackageVersion: version, ManifestVersion: '1.10.0' }
  expect(main).toEqual({ ...common, DefaultLocale: 'en-US', ManifestType: 'version' })
  expect(installer).toMatchObject({ ...common, ManifestType: 'installer', InstallerType: 'nullsoft' })
  expect(installer.Installers).toEqual([
    { Architecture: 'x64', InstallerUrl: addressOf(windows), InstallerSha256: sumOf(windows).toUpperCase() }
  ])
  expect(locale).toMatchObject({ ...common, ManifestType: 'defaultLocale', PackageLocale: 'en-US', License: 'MIT' })
  for (const name of ['Publisher', 'PackageName', 'ShortDescription']) expect(locale[name]).toMatch(/\S/)
})

test('checksums match the release’s files, also on a second run', () => {
  expect(read('SHA256SUMS').trim().split('\n').toSorted()).toEqual(
    [...FILES, 'earmark_0.1.0_amd64.deb'].map((file) => `${sumOf(file)}  ${file}`).toSorted()
  )
  expect(read('latest.txt')).toBe(`${version}\n`)
  writeFileSync(join(folder, 'latest.txt'), read('latest.txt'))
  expect(releaseFiles(folder)).toEqual(files)
})

test('a missing file is named, and nothing is written', () => {
  rmSync(join(folder, macIntel))
  expect(() => releaseFiles(folder)).toThrow(`has no ${macIntel}. Build on each system`)
})

test('electron-builder uses the file names of the recipes', () => {
  const config = JSON.parse(readFileSync(join(import.meta.dirname, '../../electron-builder.json'), 'utf8'))
  expect(config.nsis.artifactName.replace(`\${version}`, version).replace(`\${ext}`, 'exe')).toBe(windows)
  // Its own name for a .dmg: the product, the version, and of other processors than Intel's the architecture.
  expect(config.dmg?.artifactName ?? config.mac.artifactName ?? config.artifactName).toBeUndefined()
  expect(config.productName).toBe('Earmark')
})
