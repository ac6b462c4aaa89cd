/**
 * What connects other programs to a service that runs, or does not: the bundle that Claude Desktop installs, and the npm
 * package as npx runs it.
 */
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageFacts from '../../package.json' with { type: 'json' }
import { mcpName } from '../../packaging/release-facts.ts'
import { writeBundle } from '../../packaging/write-bundle.ts'
import { writeNpmPackage } from '../../packaging/write-npm-package.ts'
import { serving } from '../support/command-line.ts'
import { type Connected, connectStdio } from '../support/mcp-clients.ts'
import { makeKey } from '../support/service.ts'
import { later, tempFolder } from '../support/temp-folder.ts'

const atEnd = later()
const folder = tempFolder(atEnd)
const shared = { data: '', key: '' }

beforeAll(async () => {
  const { service, data } = await serving(undefined, atEnd)
  Object.assign(shared, { data, key: await makeKey(service) })
  await writeBundle(folder)
})

const manifest = () => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

/** Starts it as the manifest says, with the settings filled in as the host does. */
function start(settings: Record<'api_key' | 'data_folder', string>): Promise<Connected> {
  const filled = (text: string) =>
    text
      .replace(/\$\{__dirname\}/, folder)
      .replace(/\$\{user_config\.(\w+)\}/, (_, name) => settings[name as keyof typeof settings])
  const { args, env } = manifest().server.mcp_config as { args: string[]; env: Record<string, string> }
  const filledEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]))
  return connectStdio(process.execPath, args.map(filled), filledEnv)
}

const NOT_RUNNING = `Earmark is not running. Open Earmark, or install it from ${packageFacts.homepage}, and try again.`

const textOf = (answer: unknown) => JSON.stringify(answer)

test('it has the manifest that hosts take, its program, the skill, an icon and licenses, and nothing else', () => {
  expect(manifest()).toMatchObject({ name: 'earmark', version: packageFacts.version })
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
    'LICENSE',
    'THIRD-PARTY-NOTICES.txt',
    'icon.png',
    'manifest.json',
    'server',
    join('server', 'index.mjs'),
    'skills',
    join('skills', 'earmark'),
    join('skills', 'earmark', 'SKILL.md')
  ])
  const { server, tools } = manifest()
  const imports = readFileSync(join(folder, server.entry_point), 'utf8').matchAll(/^import .*from "(.+)";$/gm)
  expect([...imports].map(([, name = '']) => name).filter((name) => !isBuiltin(name))).toEqual([])
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['bookmarks_search', 'bookmarks_insert'])
})

test('with a key it saves and finds, by the names that its manifest lists', async () => {
  const client = await start({ api_key: shared.key, data_folder: shared.data })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(manifest().tools.map(({ name }: { name: string }) => name))
  const urls = ['https://a.example/bundled']
  expect(textOf(await client.callTool({ name: 'bookmarks_insert', arguments: { urls } }))).toContain('saved')
  const found = await client.callTool({ name: 'bookmarks_search', arguments: { search: 'bundled' } })
  expect(textOf(found)).toContain(urls[0])
  await client.close()
})

test.each(['', `\${user_config.api_key}`])('without a key (%j) it says where to make one', async (empty) => {
  const client = await start({ api_key: empty, data_folder: shared.data })
  const answer = await client.callTool({ name: 'bookmarks_search', arguments: {} })
  expect(answer).toMatchObject({ isError: true })
  expect(textOf(answer)).toContain('No stored API key. Create one in Earmark under Profile, API Keys')
  await client.close()
})

test('beside no service it lists its tools, and says to open Earmark when it is called', async () => {
  const client = await start({ api_key: shared.key, data_folder: tempFolder() })
  expect((await client.listTools()).tools).toHaveLength(2)
  const answer = await client.callTool({ name: 'bookmarks_search', arguments: {} })
  expect(answer).toMatchObject({ isError: true })
  expect(textOf(answer)).toContain(NOT_RUNNING)
  await client.close()
})

describe('the npm package', () => {
  const place = tempFolder(atEnd)
  const installed = join(place, 'node_modules/earmark-mcp')
  const program = join(installed, 'earmark-mcp.mjs')

  /** Packs it and installs its tarball, as npx does: without a registry, because it needs no other package. */
  beforeAll(async () => {
    const source = tempFolder(atEnd)
    await writeNpmPackage(source)
    const npm = (...args: string[]) =>
      execFileSync('npm', [...args, '--ignore-scripts', '--silent'], {
        cwd: place,
        shell: process.platform === 'win32'
      })
    npm('pack', source)
    npm('install', '--offline', '--no-audit', '--no-fund', `./earmark-mcp-${packageFacts.version}.tgz`)
  })

  test('has its program, the skill and licenses, and names its owner as the registry asks', () => {
    expect(readdirSync(installed, { recursive: true }).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.txt',
      'earmark-mcp.mjs',
      'package.json',
      'skills',
      join('skills', 'earmark'),
      join('skills', 'earmark', 'SKILL.md')
    ])
    const facts = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(facts).toMatchObject({ version: packageFacts.version, mcpName, bin: { 'earmark-mcp': 'earmark-mcp.mjs' } })
    expect(facts.dependencies).toBeUndefined()
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain(packageFacts.homepage)
    expect(readFileSync(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/^zod 4/m)
  })

  test('has a skill that agents take, which names the tools and the command as they are', () => {
    const [, front = '', text = ''] = readFileSync(join(installed, 'skills/earmark/SKILL.md'), 'utf8').split(/^---$/m)
    const { name, description } = parse(front)
    expect(name).toBe('earmark')
    expect(description.length).toBeLessThanOrEqual(1024)
    const { tools } = manifest()
    for (const tool of tools) expect(text).toContain(`\`${tool.name}\``)
    expect(text).toContain('--json')
  })

  test('saves and finds through the service that runs', async () => {
    const client = await connectStdio(process.execPath, [program], {
      EARMARK_KEY: shared.key,
      EARMARK_DATA: shared.data
    })
    const urls = ['https://a.example/by-npx']
    expect(textOf(await client.callTool({ name: 'bookmarks_insert', arguments: { urls } }))).toContain('saved')
    const found = await client.callTool({ name: 'bookmarks_search', arguments: { search: 'npx' } })
    expect(textOf(found)).toContain(urls[0])
    await client.close()
  })

  test('tells a person what it is for, and whether it finds Earmark', async () => {
    const help = (folder: string, key: string) =>
      new Promise<{ code: unknown; printed: string }>((resolve) => {
        const env = { ...process.env, EARMARK_KEY: key, EARMARK_DATA: folder }
        execFile(process.execPath, [program, '--help'], { env }, (error, printed) =>
          resolve({ code: error?.code ?? 0, printed })
        )
      })
    const found = await help(shared.data, shared.key)
    expect(found.printed).toContain('{"command": "npx", "args": ["-y", "earmark-mcp"]}')
    expect(found.printed).toMatch(/\nEarmark was found at http:\/\/127\.0\.0\.1:\d+, with an API key\.\n$/)
    expect(found.code).toBe(0)
    expect(await help(tempFolder(), shared.key)).toEqual({ code: 1, printed: expect.stringContaining(NOT_RUNNING) })
    expect(await help(shared.data, '')).toEqual({ code: 1, printed: expect.stringContaining('No stored API key.') })
  })
})
