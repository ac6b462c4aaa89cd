import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionReport } from '../../../src-main/contract/editor.ts'
import type { Service } from '../../../src-main/service.ts'
import { callApi, callTool, makeKey, testService } from '../../support/service.ts'

/** Asks a listening service to try a key against itself, as the dashboard does. */
async function tryKey(service: Service, port: number, key: string): Promise<ConnectionReport> {
  const response = await service.fetch(
    new Request(`http://127.0.0.1:${port}/api/connection-tests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key })
    })
  )
  return (await response.json()) as ConnectionReport
}

test('a good key works with both handshakes, and may save', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const report = await tryKey(service, port, ` ${await makeKey(service)} `)
  expect(report.works).toBe(true)
  expect(report.checks.map((check) => check.name)).toEqual(['reach', 'key', 'handshake', 'tools', 'save'])
  expect(report.checks[2]?.message).toMatch(/2025-11-25 and of 2026-07-28/)
  expect(report.checks[4]?.message).toBe('It can search and save.')
})

test.each(['', 'AAAAAAAAAAAAAAAAAAAAAA'])('is no use of the key, and nobody passes for it with %j', async (header) => {
  const service = await testService()
  const { port } = await service.listen(0)
  const key = await makeKey(service)
  const used = async () => {
    const keys = (await (await callApi(service, 'GET', '/keys')).json()) as { lastUsedAt: string | null }[]
    return keys.map(({ lastUsedAt }) => lastUsedAt)
  }
  await tryKey(service, port, key)
  const call = fetch(`http://127.0.0.1:${port}/api/tools/mcp`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-earmark-test': header },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  })
  expect(await used()).toEqual([null])
  expect((await call).status).toBe(200)
  await expect.poll(used, { timeout: 5000 }).toEqual([expect.any(String)])
})

test('a read-only key works, and is said to be read-only', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const report = await tryKey(service, port, await makeKey(service, { readOnly: true }))
  expect(report.works).toBe(true)
  expect(report.checks.at(-1)?.message).toMatch(/read-only/)
})

test('leaves no name for the clients that do use the key', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const key = await makeKey(service)
  await tryKey(service, port, key)
  await callTool(service, key, 'bookmarks.search', {})
  const keys = async () =>
    (await (await callApi(service, 'GET', '/keys')).json()) as {
      lastUsedAt: string | null
      lastClient: string | null
    }[]
  await expect.poll(keys, { timeout: 5000 }).toMatchObject([{ lastUsedAt: expect.any(String), lastClient: null }])
})

test('a revoked key is said to be revoked, and when', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const key = await makeKey(service)
  const [listed] = (await (await callApi(service, 'GET', '/keys')).json()) as { id: string }[]
  await callApi(service, 'DELETE', `/keys/${listed?.id}`)
  const report = await tryKey(service, port, key)
  expect(report.works).toBe(false)
  expect(report.checks.at(-1)).toMatchObject({ name: 'key', ok: false })
  expect(report.checks.at(-1)?.message).toMatch(/^This key was revoked on \d{4}-\d\d-\d\d\. Create a new key/)
})

test('an expired key is said to have expired', async () => {
  let now = Date.UTC(2026, 0, 1)
  const service = await testService({ now: () => now })
  const { port } = await service.listen(0)
  const key = await makeKey(service, { expires: 1 })
  now += 2 * 86_400_000
  const report = await tryKey(service, port, key)
  expect(report.checks.at(-1)?.message).toMatch(/^This key expired on 2026-01-02\./)
})

test.each([
  ['emk_short', /key is incomplete/],
  [`emk_${'0'.repeat(49)}`, /key is incomplete/],
  ['emk_0000000000000000000000000000000000000000000', /key is incomplete/]
])('the key %s is said to be no whole key', async (key, message) => {
  const service = await testService()
  const { port } = await service.listen(0)
  expect((await tryKey(service, port, key)).checks.at(-1)?.message).toMatch(message)
})

test('a key of another library is said to be unknown', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const foreign = await makeKey(await testService())
  expect((await tryKey(service, port, foreign)).checks.at(-1)?.message).toMatch(/This library does not know this key/)
})

test('nothing at the address means that Earmark is not running there', async () => {
  const service = await testService()
  const report = await tryKey(service, await closedPort(), await makeKey(service))
  expect(report).toMatchObject({ works: false, checks: [{ name: 'reach', ok: false }] })
  expect(report.checks[0]?.message).toMatch(/Earmark is not running there/)
})

test.each([200, 401, 404])('another program at the address, which answers %i, is told apart', async (status) => {
  const service = await testService()
  const other = createServer((_, response) => response.writeHead(status).end('<html>hello</html>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    other.closeAllConnections()
    other.close()
  })
  const report = await tryKey(service, (other.address() as AddressInfo).port, await makeKey(service))
  expect(report).toMatchObject({ works: false, checks: [{ name: 'reach', ok: false }] })
  expect(report.checks[0]?.message).toMatch(/Another program answers/)
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
