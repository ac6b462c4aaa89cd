/** What Claude Desktop installs: its manifest, and the bridge in it beside a service that runs, or does not. */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import packageFacts from '../../package.json' with { type: 'json' }
import schema from '../../packaging/mcpb-manifest.schema.json' with { type: 'json' }
import { writeBundle } from '../../packaging/write-bundle.ts'
import { serving } from '../support/command-line.ts'
import { later } from '../support/later.ts'
import { type Connected, connectStdio } from '../support/mcp-clients.ts'
import { makeKey } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

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

const textOf = (answer: unknown) => JSON.stringify(answer)

test('it has the manifest that hosts take, its program, an icon and the license, and nothing else', () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  validate(manifest())
  expect(validate.errors).toBeNull()
  expect(manifest()).toMatchObject({ name: 'earmark', version: packageFacts.version })
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
    'LICENSE',
    'icon.png',
    'manifest.json',
    'server',
    join('server', 'index.mjs')
  ])
  const { server, tools } = manifest()
  const imports = readFileSync(join(folder, server.entry_point), 'utf8').matchAll(/^import .*from "(.+)";$/gm)
  expect([...imports].map(([, name = '']) => name).filter((name) => !isBuiltin(name))).toEqual([])
  expect(validate({ ...manifest(), server: { ...server, type: 'deno' } })).toBe(false)
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
  expect(textOf(answer)).toContain('No stored API key. Make one in Earmark under Profile, API Keys')
  await client.close()
})

test('beside no service it lists its tools, and says to open Earmark when it is called', async () => {
  const client = await start({ api_key: shared.key, data_folder: tempFolder() })
  expect((await client.listTools()).tools).toHaveLength(2)
  const answer = await client.callTool({ name: 'bookmarks_search', arguments: {} })
  expect(answer).toMatchObject({ isError: true })
  expect(textOf(answer)).toContain('Earmark is not running. Open Earmark, and try again.')
  await client.close()
})
