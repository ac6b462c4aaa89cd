/**
 * The bundle that Claude Desktop installs, and the npm package that npx runs. Both connect a host to a service that may or
 * may not run.
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

/** Starts the command of the manifest with these settings, as a host does. */
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

/** Saves a page and searches for it. */
async function expectRoundTrip(client: Connected, word: string): Promise<void> {
  const url = `https://a.example/${word}`
  const saved = await client.callTool({ name: 'bookmarks_insert', arguments: { urls: [url] } })
  expect(JSON.stringify(saved)).toContain('saved')
  const results = await client.callTool({ name: 'bookmarks_search', arguments: { search: word } })
  expect(JSON.stringify(results)).toContain(url)
  await client.close()
}

/** Searches, which must fail with this message. */
async function expectRefusal(client: Connected, message: string): Promise<void> {
  const answer = await client.callTool({ name: 'bookmarks_search', arguments: {} })
  expect(answer).toMatchObject({ isError: true })
  expect(JSON.stringify(answer)).toContain(message)
  await client.close()
}

test('the bundle contains its manifest, program, skill, icon and licenses, and nothing else', () => {
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

test('the bundle saves and searches with a key, by the tool names in its manifest', async () => {
  const client = await start({ api_key: shared.key, data_folder: shared.data })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(manifest().tools.map(({ name }: { name: string }) => name))
  await expectRoundTrip(client, 'bundled')
})

test.each(['', `\${user_config.api_key}`])(
  'the bundle without a key (%j) explains where to create one',
  async (empty) => {
    const client = await start({ api_key: empty, data_folder: shared.data })
    await expectRefusal(client, 'No stored API key. Create one in Earmark under Profile, API Keys')
  }
)

test('the bundle without a service lists its tools, and a call asks to open Earmark', async () => {
  const client = await start({ api_key: shared.key, data_folder: tempFolder() })
  expect((await client.listTools()).tools).toHaveLength(2)
  await expectRefusal(client, NOT_RUNNING)
})

describe('the npm package', () => {
  const place = tempFolder(atEnd)
  const installed = join(place, 'node_modules/earmark-mcp')
  const program = join(installed, 'earmark-mcp.mjs')

  /** Packs and installs it, as npx does. No registry is needed, because it has no dependencies. */
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

  test('contains its program, skill and licenses, and the name that the registry requires', () => {
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

  test('has a skill with valid metadata, which names the tools', () => {
    const [, front = '', text = ''] = readFileSync(join(installed, 'skills/earmark/SKILL.md'), 'utf8').split(/^---$/m)
    const { name, description } = parse(front)
    expect(name).toBe('earmark')
    expect(description.length).toBeLessThanOrEqual(1024)
    const { tools } = manifest()
    for (const tool of tools) expect(text).toContain(`\`${tool.name}\``)
    expect(text).toContain('--json')
  })

  test('saves and searches through a running service', async () => {
    const env = { EARMARK_KEY: shared.key, EARMARK_DATA: shared.data }
    await expectRoundTrip(await connectStdio(process.execPath, [program], env), 'by-npx')
  })

  test('--help explains the setup, and reports whether Earmark was found', async () => {
    const help = (folder: string, key: string) =>
      new Promise<{ code: unknown; printed: string }>((resolve) => {
        const env = { ...process.env, EARMARK_KEY: key, EARMARK_DATA: folder }
        execFile(process.execPath, [program, '--help'], { env }, (error, printed) =>
          resolve({ code: error?.code ?? 0, printed })
        )
      })
    const running = await help(shared.data, shared.key)
    expect(running.printed).toContain('{"command": "npx", "args": ["-y", "earmark-mcp"]}')
    expect(running.printed).toMatch(/\nEarmark was found at http:\/\/127\.0\.0\.1:\d+, with an API key\.\n$/)
    expect(running.code).toBe(0)
    expect(await help(tempFolder(), shared.key)).toEqual({ code: 1, printed: expect.stringContaining(NOT_RUNNING) })
    expect(await help(shared.data, '')).toEqual({ code: 1, printed: expect.stringContaining('No stored API key.') })
  })
})
