import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { anySize } from '../../src-main/server/body.ts'

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'

afterEach(() => {
  vi.useRealTimers()
})

/** Sends the beginning of a request whose body may be of any size, over a real socket; time passes when told to. */
async function receive(sent: string): Promise<{ incoming: IncomingMessage; send: (text: string) => Promise<void> }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
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

test('a body that may be of any size ends where nothing of it comes', async () => {
  const { incoming, send } = await receive('12')
  incoming.resume().on('error', () => {})
  await send('34')
  vi.advanceTimersByTime(30_000)
  expect(incoming.socket.destroyed).toBe(false)
  pass()
  expect(incoming.socket.destroyed).toBe(true)
})

test.each([
  ['what came has not been read', '12', false],
  ['all has come and the answer takes long', '1234567890', true]
])('its sender is waited for while %s', async (_, sent, isRead) => {
  const { incoming } = await receive(sent)
  if (isRead) await once(incoming.resume(), 'end')
  pass()
  expect(incoming.socket.destroyed).toBe(false)
  incoming.socket.destroy()
})
