import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { serving } from '../support/command-line.ts'
import { runs } from '../support/runs.ts'
import { makeKey } from '../support/service.ts'

const INSPECTOR = join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
)

test.each(runs(['auto'], ['legacy', 'auto', 'modern']))(
  'the Inspector, era %s, lists, saves and finds',
  async (era) => {
    const { service, mcp } = await serving()
    const key = await makeKey(service)
    const inspect = async (...args: string[]) => {
      const address = ['--cli', mcp, '--transport', 'http', '--header', `x-api-key: ${key}`, '--protocol-era', era]
      const { stdout } = await promisify(execFile)(process.execPath, [INSPECTOR, ...address, '--method', ...args])
      return JSON.parse(stdout)
    }
    const call = async (name: string, argument: string) => {
      const { content } = await inspect('tools/call', '--tool-name', name, '--tool-arg', argument)
      return JSON.parse(content[0].text)
    }
    const { tools } = (await inspect('tools/list')) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(['bookmarks.search', 'bookmarks.insert'])
    const url = 'https://a.example/inspected'
    expect(await call('bookmarks.insert', `urls=${url}`)).toMatchObject({ saved: 1 })
    expect(await call('bookmarks.search', 'search=inspected')).toMatchObject({ total: 1, bookmarks: [{ url }] })
  }
)
