import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anySize } from '../../src-main/server/body.ts'
import { createWrongKeyBucket } from '../../src-main/server/identify.ts'
import { rawRequest } from '../support/http.ts'
import { callApi, callTool, makeKey, testService } from '../support/service.ts'

test('50 requests with wrong keys are answered at once, then ten a second', () => {
  let now = 0
  const wrongKey = createWrongKeyBucket(() => now)
  const countAnswered = (count: number) => Array.from({ length: count }, wrongKey).filter((wait) => wait === 0).length
  expect(countAnswered(60)).toBe(50)
  now += 1000
  expect(countAnswered(60)).toBe(10)
  now += 3_600_000
  expect(countAnswered(60)).toBe(50)
})

test('a clock that goes back allows no more requests', () => {
  let now = 1_000_000
  const wrongKey = createWrongKeyBucket(() => now)
  while (wrongKey() === 0);
  now -= 500_000
  expect(wrongKey()).toBeGreaterThan(0)
})

test('among 10,000 wrong keys the valid key is always answered, and wrong keys get 429', async () => {
  const service = await testService()
  const key = await makeKey(service)
  const bodies = new Map<number, Set<string>>()
  for (let round = 0; round < 10_000; round++) {
    const response = await service.fetch(
      new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers: { 'x-api-key': `emk_${round}` } })
    )
    if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    bodies.set(response.status, (bodies.get(response.status) ?? new Set()).add(await response.text()))
    if (round % 100 === 0) expect((await callTool(service, key, 'bookmarks.search', {})).status).toBe(200)
  }
  expect([...bodies.keys()].sort()).toEqual([401, 429])
  expect([...bodies.values()].map((texts) => texts.size)).toEqual([1, 1])
})

test('a JSON body of over 1 MiB is refused with 413', async () => {
  const service = await testService()
  const response = await callApi(service, 'PATCH', '/settings', { theme: 'x'.repeat(1024 * 1024) })
  expect(response.status).toBe(413)
})

test('a JSON body without Content-Length is refused with 411', async () => {
  const service = await testService()
  const { port } = await service.listen(0)
  const answer = await rawRequest(`http://127.0.0.1:${port}`, {
    method: 'PATCH',
    path: '/api/settings',
    headers: { authorization: `Bearer ${service.commandToken}`, 'transfer-encoding': 'chunked' },
    body: '{"theme":"dark"}'
  })
  expect(answer).toMatchObject({ status: 411, body: expect.stringContaining('Content-Length') })
})

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'

/** Sends the beginning of a request whose body may have any size over a real socket, with fake timers. */
async function receive(sent: string): Promise<{ incoming: IncomingMessage; send: (text: string) => Promise<void> }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  socket.write(HEAD + sent)
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  await anySize({ env: { incoming } } as unknown as Context, async () => {})
  server.close()
  const send = async (text: string) => {
    const before = incoming.socket.bytesRead
    socket.write(text)
    while (incoming.socket.bytesRead === before) await setImmediate()
  }
  return { incoming, send }
}

const pass = () => vi.advanceTimersByTime(60_000)

test('a body of any size ends after a minute without bytes', async () => {
  const { incoming, send } = await receive('12')
  incoming.resume().on('error', () => {})
  await send('34')
  vi.advanceTimersByTime(30_000)
  expect(incoming.socket.destroyed).toBe(false)
  pass()
  expect(incoming.socket.destroyed).toBe(true)
})

test.each([
  ['received bytes are not read', '12', false],
  ['the answer to a complete body takes long', '1234567890', true]
])('its connection stays open while %s', async (_, sent, isRead) => {
  const { incoming } = await receive(sent)
  if (isRead) await once(incoming.resume(), 'end')
  pass()
  expect(incoming.socket.destroyed).toBe(false)
  incoming.socket.destroy()
})
