import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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

test('a valid key passes all checks', async () => {
  const { service, port } = await listening()
  const report = await testKey(service, port, ` ${await makeKey(service)} `)
  expect(report.works).toBe(true)
  expect(report.checks).toEqual([
    { name: 'reach', ok: true, message: `Earmark answers at http://127.0.0.1:${port}/api/tools/mcp.` },
    { name: 'key', ok: true, message: 'The key is valid.' },
    { name: 'save', ok: true, message: 'It can search and save.' }
  ])
})

test('a read-only key passes and is reported as read-only', async () => {
  const { service, port } = await listening()
  const report = await testKey(service, port, await makeKey(service, { readOnly: true }))
  expect(report.works).toBe(true)
  expect(report.checks.at(-1)?.message).toMatch(/read-only/)
})

test('a connection test does not count as use of the key', async () => {
  const { service, port } = await listening({ recordUseEvery: 5 })
  const key = await makeKey(service)
  await testKey(service, port, key)
  const other = await makeKey(service)
  await callTool(service, other, 'bookmarks.search', {})
  const used = async () => (await listKeys(service)).map(({ lastUsedAt }) => lastUsedAt)
  await expect.poll(used).toEqual([null, expect.any(String)])
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

test.each([
  ['a page', 200, '<html>hello</html>'],
  ['a refusal', 401, '{"error":{"code":"unauthorized","message":"Earmark"}}'],
  ['a wrong proof', 200, '{"proof":"wrong"}'],
  ['null', 200, 'null']
])(
  'another program, which answers with %s, is reported as such and does not receive the key',
  async (_, status, body) => {
    const service = await testService()
    const received: string[] = []
    const other = createServer((request, response) => {
      received.push(`${request.url} ${JSON.stringify(request.headers)}`)
      response.writeHead(status).end(body)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      other.closeAllConnections()
      other.close()
    })
    const key = await makeKey(service)
    const report = await testKey(service, (other.address() as AddressInfo).port, key)
    expect(report).toMatchObject({ works: false, checks: [{ name: 'reach', ok: false }] })
    expect(report.checks[0]?.message).toMatch(/Another program answers/)
    expect(received).toHaveLength(1)
    expect(received[0]).not.toContain(key)
  }
)

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
