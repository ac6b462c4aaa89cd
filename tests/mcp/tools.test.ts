import { describe, expect, test } from 'vitest'
import { PROFILE } from '../../src-main/contract/caller.ts'
import { createReception } from '../../src-main/mcp/protocol.ts'
import { insert } from '../../src-main/mcp/tools/insert.ts'
import { search } from '../../src-main/mcp/tools/search.ts'
import type { Manner } from '../../src-main/mcp/tools/tool.ts'
import { earmarkTools } from '../../src-main/mcp/tools/tools.ts'
import { link, quickPorts, sharedPorts } from '../actions/ports.ts'

/** How both tools are listed and read their arguments. */
const TOOLS = { search, insert }
type ToolName = keyof typeof TOOLS

const GENTIAN = link('https://shelf.example/gentian', { title: 'Gentian', tags: ['alps', 'botany'] })
const PINE = link('https://docs.shelf.example/pine', { title: 'Pine 1865', tags: ['alps'] })
const shared = sharedPorts([GENTIAN, PINE])

describe('the argument table', () => {
  test.each<[ToolName, input: object, fault: RegExp]>([
    ...invalid('search', 'search', [['a'], true, 7, null]),
    ['search', { search: ['a', 'b'] }, /^search: search must be one string, for example/],
    ['search', { search: 'x'.repeat(1001) }, /1000/],
    ...invalid('search', 'tags', [5, ['a', 5], { a: 1 }, null, Array(33).fill('a'), 'x'.repeat(513)]),
    ...invalid('search', 'domain', [['a.example']]),
    ...invalid('search', 'page', [0, -1, 1.5, '1', 1_000_001]),
    ...invalid('search', 'limit', [0, -1, 101, 2.5, '5']),
    ...invalid('search', 'type', ['video', 'LINK', ''], /type.*link.*image.*color.*text/),
    ...invalid('search', 'visibility', ['secret', 'Private', ''], /visibility.*private.*organization.*public/),
    ['search', { page: 0, limit: 0 }, /page.*limit/],
    [
      'search',
      { query: 'x' },
      /^Unknown argument “query”\. Did you mean “search”\? Valid: search, tags, domain, type, visibility, page, limit$/
    ],
    ['search', { limits: 3 }, /“limits”\. Did you mean “limit”\?/],
    ['search', { zebra: 1, lion: 2 }, /^Unknown arguments “zebra”, “lion”\. Valid: search,/],
    ...invalid('insert', 'urls', [undefined, 5, null, [], ['https://good.example/', 5]]),
    ['insert', { urls: Array(501).fill('https://good.example/') }, /1 to 500/],
    ['insert', { url: 'https://good.example/' }, /Did you mean “urls”\?/],
    ['insert', { urls: 'https://good.example/', tags: ['x'] }, /^Unknown argument “tags”\. Valid: urls$/],
    ['insert', { urls: 'https://good.example/', title: 'x', description: 'y' }, /“title”, “description”\. Valid: urls$/]
  ])('of bookmarks.%s refuses %j from a plain caller and names the fault', (tool, input, fault) => {
    expect(TOOLS[tool].prepare(input)).toEqual({ fault: expect.stringMatching(fault) })
  })

  test.each<[input: object, read: object]>([
    [{ search: null, tags: null, page: null }, {}],
    [{ type: '', visibility: ' ', page: '', limit: '' }, {}],
    [
      { page: ' 2 ', limit: '1' },
      { page: 2, limit: 1 }
    ],
    [{ limit: '1.0' }, { limit: 1 }],
    [{ tags: '["botany", "alps"]' }, { tags: ['botany', 'alps'] }],
    [{ tags: '[]', search: 'pine' }, { search: 'pine' }],
    [{ search: 1865 }, { search: '1865' }],
    [
      { type: 'LINK', visibility: ' Private ' },
      { type: 'link', visibility: 'private' }
    ]
  ])('of bookmarks.search reads %j from a client of MCP as %j', async (input, read) => {
    expect(await run('search', input, 'mcp')).toEqual(await run('search', read, 'mcp'))
  })

  test('of bookmarks.insert reads a list in JSON text from a client of MCP', async () => {
    const urls = JSON.stringify([GENTIAN.url, PINE.url])
    expect(await run('insert', { urls }, 'mcp')).toMatchObject({ existing: 2, bookmarks: [{}, {}] })
    await expect(run('insert', { urls })).rejects.toThrow(/urls.*send a list/)
  })

  test.each<[tags: unknown, saved: string[]]>([
    [
      ['work', 'To read'],
      ['To read', 'work']
    ],
    ['work', ['work']],
    ['#work, to read', ['to read', 'work']],
    ['["work","#to read"]', ['to read', 'work']],
    ['', []],
    [null, []]
  ])('of bookmarks.insert saves a page with the tags %j for a client of MCP', async (tags, saved) => {
    const ports = quickPorts()
    const input = { urls: 'https://good.example/', tags, title: ' A  title ', description: 'Two\nlines' }
    expect(await run('insert', input, 'mcp', ports)).toMatchObject({ saved: 1 })
    const { bookmarks } = await run('search', {}, 'plain', ports)
    expect(bookmarks).toMatchObject([{ title: 'A title', description: 'Two\nlines', tags: saved }])
  })

  test('of bookmarks.insert leaves a page that was saved before as it was, and says so', async () => {
    const input = { urls: [GENTIAN.url], tags: ['new'], title: 'Other' }
    expect(await run('insert', input, 'mcp')).toMatchObject({
      existing: 1,
      bookmarks: [{ status: 'existing', note: 'was saved before, and stays as it was' }]
    })
    expect((await run('search', { search: 'gentian' })).bookmarks).toMatchObject([
      { title: 'Gentian', tags: ['alps', 'botany'] }
    ])
  })

  test.each([{ title: 'One' }, { description: 'One' }])(
    'of bookmarks.insert refuses %j for two pages, and saves neither',
    async (details) => {
      const urls = ['https://good.example/1', 'https://good.example/2']
      await expect(run('insert', { urls, ...details }, 'mcp')).rejects.toThrow(/about one page.*in a call/)
      expect((await run('search', { domain: 'good.example' })).total).toBe(0)
    }
  )

  test.each<[ToolName, input: object, fault: RegExp]>([
    ['search', { page: '1.5', limit: 'all' }, /page.*limit/],
    ['search', { type: 'links' }, /type/],
    ['insert', { urls: '' }, /urls.*empty/],
    ['insert', { urls: 'https://good.example/', tags: 5 }, /tags must be/],
    ['insert', { urls: 'https://good.example/', title: 'x'.repeat(513) }, /title.*512/],
    [
      'insert',
      { urls: 'https://good.example/', notes: 'x' },
      /“notes”\. Did you mean “description”\? Valid: urls, tags,/
    ],
    ['insert', { urls: null }, /urls/]
  ])('of bookmarks.%s refuses %j from a client of MCP too', async (tool, input, fault) => {
    await expect(run(tool, input, 'mcp')).rejects.toThrow(fault)
  })

  test.each([
    { search: '', tags: 'botany' },
    { search: '   ', tags: 'botany' },
    { domain: ' ', tags: ['botany', ''] },
    { tags: '', search: 'gentian' },
    { tags: [], search: 'gentian' }
  ])('ignores the empty text in %j', async (input) => {
    for (const manner of ['plain', 'mcp'] as const) {
      expect(await run('search', input, manner)).toMatchObject({ total: 1, bookmarks: [{ title: 'Gentian' }] })
    }
  })
})

describe('the list of tools', () => {
  const receive = createReception(earmarkTools, { version: '0', site: 'https://earmark.example/' })
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const list = (underscoreNames: boolean, version?: string, readOnly = false) => {
    const header = (name: string) => (name === 'mcp-protocol-version' ? version : undefined)
    const received = receive({ text, header, underscoreNames, readOnly })
    return 'answer' in received ? (received.answer.body ?? '') : ''
  }
  const listed = (...asked: Parameters<typeof list>) => JSON.parse(list(...asked)).result.tools
  const tools = listed(false)
  const REVISION = '2025-11-25'

  test('describes the arguments as they are read', () => {
    expect(tools[0].inputSchema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: {
        search: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        domain: { type: 'string' },
        type: { type: 'string', enum: ['link', 'image', 'color', 'text'] },
        visibility: { type: 'string', enum: ['private', 'organization', 'public'] },
        page: { type: 'integer', default: 1, minimum: 1, maximum: 1_000_000 },
        limit: { type: 'integer', default: 5, minimum: 1, maximum: 100 }
      }
    })
    expect(tools[0].inputSchema.required ?? []).toEqual([])
    expect(tools[1].inputSchema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['urls'],
      properties: { urls: { type: 'array', items: { type: 'string' }, maxItems: 500 } }
    })
  })

  test('shows the tags, the title and the description of what is saved to clients of MCP alone', () => {
    const argumentsOf = (version?: string) => Object.keys(listed(false, version)[1].inputSchema.properties)
    expect(argumentsOf()).toEqual(['urls'])
    expect(argumentsOf(REVISION)).toEqual(['urls', 'tags', 'title', 'description'])
  })

  test('leaves out what saves if the key of a client of MCP may only read', () => {
    const names = (version?: string) => listed(false, version, true).map(({ name }: { name: string }) => name)
    expect(names(REVISION)).toEqual(['bookmarks.search'])
    expect(names()).toEqual(['bookmarks.search', 'bookmarks.insert'])
  })

  test('gives every argument one type, because some hosts refuse a tool with anyOf', () => {
    expect(list(false, REVISION)).not.toMatch(/anyOf|oneOf|allOf/)
  })

  test('has titles and annotations, asks Claude Code to load the search at once, and has no output schema', () => {
    expect(tools).toMatchObject([
      { title: 'Search bookmarks', annotations: { readOnlyHint: true }, _meta: { 'anthropic/alwaysLoad': true } },
      { title: 'Save bookmarks', annotations: { destructiveHint: false, idempotentHint: true } }
    ])
    expect(list(false)).not.toContain('outputSchema')
  })

  // Each model that connects pays for these bytes.
  test('has less than 3,000 bytes', () => {
    expect(Buffer.byteLength(list(false))).toBeLessThan(3000)
    expect(Buffer.byteLength(list(false, REVISION))).toBeLessThan(3000)
  })

  test('differs only in the names if they are asked for with an underscore', () => {
    const withoutName = ({ name: _, ...facts }: { name: string }) => facts
    expect(JSON.parse(list(true)).result.tools.map(withoutName)).toEqual(tools.map(withoutName))
  })
})

/** Several values of an argument that are refused with the same fault. */
function invalid(
  tool: ToolName,
  name: string,
  values: unknown[],
  fault = new RegExp(name)
): [ToolName, object, RegExp][] {
  return values.map((value) => [tool, { [name]: value }, fault])
}

async function run(tool: ToolName, input: object, manner?: Manner, ports = shared()) {
  const prepared = TOOLS[tool].prepare(input, manner)
  if ('fault' in prepared) throw new Error(prepared.fault)
  return JSON.parse((await prepared.run(ports, PROFILE)).text)
}
