import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { serving } from '../support/command-line.ts'
import { runs } from '../support/runs.ts'
import { makeKey } from '../support/service.ts'
import { later } from '../support/temp-folder.ts'

const INSPECTOR = join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
)

const atEnd = later()
const shared = { mcp: '', key: '' }

beforeAll(async () => {
  const { service, mcp } = await serving(undefined, atEnd)
  Object.assign(shared, { mcp, key: await makeKey(service) })
})

describe.each(runs(['auto'], ['legacy', 'auto', 'modern']))('the Inspector, era %s', (era) => {
  test('lists the tools', async () => {
    const { tools } = (await inspect(era, ['--method', 'tools/list'])) as { tools: { name: string }[] }
    expect(tools.map((tool) => tool.name)).toEqual(['bookmarks.search', 'bookmarks.insert'])
  })

  test('saves a page and finds it', async () => {
    const url = `https://a.example/inspected-${era}`
    const saved = await inspect(era, [
      '--method',
      'tools/call',
      '--tool-name',
      'bookmarks.insert',
      '--tool-arg',
      `urls=${url}`
    ])
    expect(payload(saved)).toMatchObject({ saved: 1 })
    const words = `search=inspected ${era}`
    const found = await inspect(era, ['--method', 'tools/call', '--tool-name', 'bookmarks.search', '--tool-arg', words])
    expect(payload(found)).toMatchObject({ total: 1, bookmarks: [{ url }] })
  })
})

async function inspect(era: string, args: string[]): Promise<unknown> {
  const address = ['--cli', shared.mcp, '--transport', 'http', '--header', `x-api-key: ${shared.key}`]
  const { stdout } = await promisify(execFile)(process.execPath, [
    INSPECTOR,
    ...address,
    '--protocol-era',
    era,
    ...args
  ])
  return JSON.parse(stdout)
}

function payload(answer: unknown): unknown {
  return JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? '')
}
