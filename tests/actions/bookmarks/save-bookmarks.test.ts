import { expect, test } from 'vitest'
import { saveAddresses } from '../../../src-main/actions/bookmarks/save-bookmarks.ts'
import { PROFILE } from '../../../src-main/contract/caller.ts'
import { insert } from '../../../src-main/mcp/tools/insert.ts'
import { countTurns } from '../../support/measure.ts'
import { callTool, makeKey, testService } from '../../support/service.ts'
import { everything, link, PRIVATE, quickPorts, START, sharedPorts } from '../ports.ts'

const PAGE = 'https://a.example/page'

const shared = sharedPorts()

test('a page is saved as a private link without a title, dated now', async () => {
  const ports = quickPorts()
  const report = await saveAddresses(ports, PROFILE, [PAGE])
  const [row] = await everything(ports)
  expect(report).toEqual({
    saved: 1,
    existing: 0,
    invalid: 0,
    bookmarks: [{ url: PAGE, id: row?.id, status: 'saved' }]
  })
  expect(row).toMatchObject({
    type: 'link',
    url: PAGE,
    domain: 'a.example',
    title: '',
    visibility: 'private',
    tags: []
  })
  expect(row).toMatchObject({ createdAt: START, updatedAt: START, organization: null })
})

test('a page saved again is existing, under the same id', async () => {
  const ports = quickPorts()
  const first = await saveAddresses(ports, PROFILE, [PAGE])
  const second = await saveAddresses(ports, PROFILE, [PAGE])
  expect(second).toEqual({
    saved: 0,
    existing: 1,
    invalid: 0,
    bookmarks: [{ ...first.bookmarks[0], status: 'existing' }]
  })
  expect(await everything(ports)).toHaveLength(1)
})

test('the user name and password in an address are removed, and the report says so', async () => {
  const ports = quickPorts()
  const { bookmarks } = await saveAddresses(ports, PROFILE, ['https://ann:pass@a.example/page', PAGE])
  const note = 'kept without the user name and password in it'
  expect(bookmarks).toMatchObject([{ status: 'saved', note }, { status: 'existing' }])
  expect(bookmarks[1]).not.toHaveProperty('note')
  expect(await everything(ports)).toMatchObject([{ url: PAGE }])
})

test('an existing page keeps its title, tags and date', async () => {
  const ports = quickPorts()
  await ports.library.saveBookmarks(PRIVATE, [link(PAGE, { title: 'Mine', tags: ['read'] })])
  ports.clock.time += 1000
  await saveAddresses(ports, PROFILE, [PAGE])
  expect(await everything(ports)).toMatchObject([{ title: 'Mine', tags: ['read'], createdAt: START, updatedAt: START }])
})

test('the same page twice in one call, with another address, becomes one bookmark', async () => {
  const ports = quickPorts()
  const again = '  HTTPS://A.EXAMPLE:443/page?utm_source=mail#part\n'
  const report = await saveAddresses(ports, PROFILE, [PAGE, again])
  expect(report).toMatchObject({ saved: 1, existing: 1, bookmarks: [{ status: 'saved' }, { status: 'existing' }] })
  expect(report.bookmarks[1]).toMatchObject({ url: again, id: (await everything(ports))[0]?.id })
  expect(await everything(ports)).toHaveLength(1)
})

test('a new page gets the tags of the key, an existing page keeps its own', async () => {
  const service = await testService()
  const key = await makeKey(service, { tags: ['#agent', 'to read', 'Agent'] })
  await callTool(service, await makeKey(service), 'bookmarks.insert', { urls: [PAGE] })
  await callTool(service, key, 'bookmarks.insert', { urls: [PAGE, 'https://b.example/'] })
  const { payload } = await callTool(service, key, 'bookmarks.search', {})
  const bookmarks = [
    { url: 'https://b.example/', tags: ['agent', 'to read'] },
    { url: PAGE, tags: [] }
  ]
  expect(payload).toMatchObject({ bookmarks })
})

test('an invalid address does not fail the others, and the report keeps their order', async () => {
  const ports = quickPorts()
  const urls = ['https://a.example/1', 'nonsense', 'https://a.example/2', 'ftp://a.example/3']
  const report = await saveAddresses(ports, PROFILE, urls)
  expect(report).toMatchObject({ saved: 2, existing: 0, invalid: 2 })
  expect(report.bookmarks.map(({ url, status }) => [url, status])).toEqual([
    [urls[0], 'saved'],
    [urls[1], 'invalid'],
    [urls[2], 'saved'],
    [urls[3], 'invalid']
  ])
})

// `tests/core/address.test.ts` tests each way in which an address is invalid.
test.each([
  ['JavaScript:alert(1)', 'javascript:'],
  ['localhost:3000', 'http'],
  ['https://', 'valid'],
  [' ', 'empty'],
  ['https://a.example/1 https://a.example/2', 'several URLs in one string: send a list'],
  [`https://a.example/${'x'.repeat(8192)}`, '8192']
])('%s is invalid, and the reason names "%s"', async (address, word) => {
  const { bookmarks } = await saveAddresses(shared(), PROFILE, [PAGE, address])
  expect(bookmarks[1]).toEqual({ url: address, status: 'invalid', reason: expect.stringContaining(word) })
  expect((await everything(shared())).map(({ url }) => url)).toEqual([PAGE])
})

test('if every address is invalid, the call fails with all reasons and saves nothing', async () => {
  const ports = quickPorts()
  await expect(saveAddresses(ports, PROFILE, ['ftp://a.example/', 'nonsense'])).rejects.toMatchObject({
    name: 'Problem',
    code: 'invalid',
    message: expect.stringMatching(/urls\[0\]: ftp:.*urls\[1\]: not a URL/)
  })
  expect(await everything(ports)).toEqual([])
})

test('a read-only caller is refused before its addresses are checked', async () => {
  const ports = quickPorts()
  const save = saveAddresses(ports, { owner: null, readOnly: true }, ['nonsense'])
  await expect(save).rejects.toMatchObject({ code: 'forbidden' })
})

test('the tool saves 500 long addresses, and tells a model of the invalid ones first, in 30,000 characters', async () => {
  const urls = [...pages(499).map((page) => `${page}?${'x'.repeat(500)}`), 'ftp://a.example/']
  const save = insert.prepare({ urls }, 'mcp')
  if ('fault' in save) throw new Error(save.fault)
  const { text } = await save.run(quickPorts(), PROFILE)
  const report = JSON.parse(text)
  expect(report).toMatchObject({ saved: 499, existing: 0, invalid: 1, truncated: true })
  expect(text.length).toBeLessThanOrEqual(30_000)
  expect(report.bookmarks[0]).toMatchObject({ status: 'invalid', url: 'ftp://a.example/' })
  expect(report.bookmarks[1].url).toBe(`${urls[0]?.slice(0, 119)}…`)
  expect(report.bookmarks.length).toBeGreaterThan(100)
})

test('many long addresses are read in several turns of the event loop', async () => {
  const ports = quickPorts()
  const parameters = Array.from({ length: 1000 }, (_, at) => `p${at}=`).join('&')
  const turns = countTurns()
  const { saved } = await saveAddresses(
    ports,
    PROFILE,
    pages(125).map((page) => `${page}?${parameters}`)
  )
  expect(saved).toBe(125)
  expect(turns()).toBeGreaterThanOrEqual(3)
})

function pages(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://a.example/${index}`)
}
