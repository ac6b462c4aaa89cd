import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createOwnTests } from '../../../src-main/actions/keys/own-tests.ts'
import type { ConnectionReport } from '../../../src-main/contract/editor.ts'
import type { Service } from '../../../src-main/service.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'

/** Tests a key against the endpoint at a port, as the dashboard does. */
async function testKey(service: Service, port: number, key: string): Promise<ConnectionReport> {
  const response = await service.fetch(
    new Request(`http://127.0.0.1:${port}/api/connection-tests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key })
    })
  )
  return (await response.json()) as ConnectionReport
}

async function listening(options: Parameters<typeof testService>[0] = {}) {
  const service = await testService(options)
  return { service, port: (await service.listen(0)).port }
}

async function listKeys(service: Service) {
  return (await (await callApi(service, 'GET', '/keys')).json()) as {
    id: string
    lastUsedAt: string | null
    lastClient: string | null
  }[]
}

test('a valid key passes all checks with both handshakes', async () => {
  const { service, port } = await listening()
  const report = await testKey(service, port, ` ${await makeKey(service)} `)
  expect(report.works).toBe(true)
  expect(report.checks.map((check) => check.name)).toEqual(['reach', 'key', 'handshake', 'tools', 'save'])
  expect(report.checks[2]?.message).toMatch(/2025-11-25 and of 2026-07-28/)
  expect(report.checks[4]?.message).toBe('It can search and save.')
})

test('a read-only key passes and is reported as read-only', async () => {
  const { service, port } = await listening()
  const report = await testKey(service, port, await makeKey(service, { readOnly: true }))
  expect(report.works).toBe(true)
  expect(report.checks.at(-1)?.message).toMatch(/read-only/)
})

test.each(['', 'AAAAAAAAAAAAAAAAAAAAAA'])(
  'a connection test does not count as use of the key; a call with the test header %j does',
  async (header) => {
    const { service, port } = await listening()
    const key = await makeKey(service)
    const used = async () => (await listKeys(service)).map(({ lastUsedAt }) => lastUsedAt)
    await testKey(service, port, key)
    const call = fetch(`http://127.0.0.1:${port}/api/tools/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-earmark-test': header },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    })
    expect(await used()).toEqual([null])
    expect((await call).status).toBe(200)
    await expect.poll(used, { timeout: 5000 }).toEqual([expect.any(String)])
  }
)

test('a test leaves no client name for later calls with the key', async () => {
  const { service, port } = await listening()
  const key = await makeKey(service)
  await testKey(service, port, key)
  await callTool(service, key, 'bookmarks.search', {})
  await expect
    .poll(() => listKeys(service), { timeout: 5000 })
    .toMatchObject([{ lastUsedAt: expect.any(String), lastClient: null }])
})

test('a revoked key is reported with the day of its revocation', async () => {
  const { service, port } = await listening()
  const key = await makeKey(service)
  const [listed] = await listKeys(service)
  await callApi(service, 'DELETE', `/keys/${listed?.id}`)
  const report = await testKey(service, port, key)
  expect(report.works).toBe(false)
  expect(report.checks.at(-1)).toMatchObject({ name: 'key', ok: false })
  expect(report.checks.at(-1)?.message).toMatch(/^This key was revoked on \d{4}-\d\d-\d\d\. Create a new key/)
})

test('an expired key is reported with its last day', async () => {
  let now = Date.UTC(2026, 0, 1)
  const { service, port } = await listening({ now: () => now })
  const key = await makeKey(service, { expires: 1 })
  now += 2 * 86_400_000
  expect((await testKey(service, port, key)).checks.at(-1)?.message).toMatch(/^This key expired on 2026-01-02\./)
})

test('an incomplete key and a key of another library are told apart', async () => {
  const { service, port } = await listening()
  const messageFor = async (key: string) => (await testKey(service, port, key)).checks.at(-1)?.message
  for (const key of ['emk_short', `emk_${'0'.repeat(49)}`, `emk_${'0'.repeat(43)}`]) {
    expect(await messageFor(key)).toMatch(/key is incomplete/)
  }
  expect(await messageFor(await makeKey(await testService()))).toMatch(/This library does not know this key/)
})

test('a port that nothing listens at is reported as Earmark not running there', async () => {
  const service = await testService()
  const report = await testKey(service, await closedPort(), await makeKey(service))
  expect(report).toMatchObject({ works: false, checks: [{ name: 'reach', ok: false }] })
  expect(report.checks[0]?.message).toMatch(/Earmark is not running there/)
})

test.each([200, 401, 404])('another program, which answers %i, is reported as such', async (status) => {
  const service = await testService()
  const other = createServer((_, response) => response.writeHead(status).end('<html>hello</html>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    other.closeAllConnections()
    other.close()
  })
  const report = await testKey(service, (other.address() as AddressInfo).port, await makeKey(service))
  expect(report).toMatchObject({ works: false, checks: [{ name: 'reach', ok: false }] })
  expect(report.checks[0]?.message).toMatch(/Another program answers/)
})

const testHeader = (value: string | undefined) => (name: string) => (name === 'x-earmark-test' ? value : undefined)

test('a request counts as a test’s by its token only, until the test ends', () => {
  const tests = createOwnTests()
  expect(tests.isOne(testHeader(''))).toBe(false)
  const [first, second] = [tests.begin(), tests.begin()]
  expect(second).not.toBe(first)
  expect([first, second].map((token) => tests.isOne(testHeader(token)))).toEqual([true, true])
  for (const token of [undefined, '', 'AAAAAAAAAAAAAAAAAAAAAA', `${first},${second}`]) {
    expect(tests.isOne(testHeader(token))).toBe(false)
  }
  tests.end(first)
  expect(tests.isOne(testHeader(first))).toBe(false)
  expect(tests.isOne(testHeader(second))).toBe(true)
  tests.end(second)
  expect(tests.isOne(testHeader(second))).toBe(false)
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
