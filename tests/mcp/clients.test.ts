import { beforeAll, describe, expect, test } from 'vitest'
import { serving } from '../support/command-line.ts'
import { httpClients } from '../support/mcp-clients.ts'
import { makeKey } from '../support/service.ts'
import { later } from '../support/temp-folder.ts'

const atEnd = later()
const shared = { mcp: '', key: '' }

beforeAll(async () => {
  const { service, mcp } = await serving(undefined, atEnd)
  Object.assign(shared, { mcp, key: await makeKey(service) })
})

describe.each(httpClients)('$name', ({ name, connect }) => {
  test('lists the tools, saves a page and finds it', async () => {
    const client = await connect(shared.mcp, shared.key)
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['bookmarks.search', 'bookmarks.insert'])
    const word = `w${name.replace(/\W/g, '').toLowerCase()}`
    const saved = await client.callTool({
      name: 'bookmarks.insert',
      arguments: { urls: [`https://a.example/${word}`] }
    })
    expect(payload(saved)).toMatchObject({ saved: 1, existing: 0, invalid: 0 })
    const found = await client.callTool({ name: 'bookmarks.search', arguments: { search: word } })
    expect(payload(found)).toMatchObject({ total: 1, bookmarks: [{ url: `https://a.example/${word}` }] })
    await client.close()
  })

  test('shows its model the reason for refused arguments', async () => {
    const client = await connect(shared.mcp, shared.key)
    const content = [{ type: 'text', text: expect.stringMatching(/^Invalid params: limit: /) }]
    const answer = client.callTool({ name: 'bookmarks.search', arguments: { limit: 1000 } })
    // Clients before 2025-06-18 do not send their revision: they get the error of a plain caller.
    if (/ 1\.1[02]$/.test(name)) await expect(answer).rejects.toThrow(/Invalid params.*limit: /)
    else expect(await answer).toMatchObject({ isError: true, content })
    await client.close()
  })

  test('gets an error for an unknown tool', async () => {
    const client = await connect(shared.mcp, shared.key)
    await expect(client.callTool({ name: 'bookmarks.delete', arguments: {} })).rejects.toThrow(
      /Unknown tool: bookmarks\.delete/
    )
    await client.close()
  })

  test('fails to connect with a wrong key and reports it', async () => {
    const wrong = `${shared.key.slice(0, -1)}${shared.key.endsWith('a') ? 'b' : 'a'}`
    await expect(connect(shared.mcp, wrong)).rejects.toThrow(/401|unauthorized|authoriz/i)
  })
})

function payload(answer: unknown): unknown {
  const { content } = answer as { content: { text: string }[] }
  return JSON.parse(content[0]?.text ?? '')
}
