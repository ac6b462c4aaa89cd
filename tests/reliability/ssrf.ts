/**
 * Has an agent save pages at every way to write an address of this machine or of a private network, and counts who
 * connects to this machine's ports 80 and 443, on which a listener waits.
 *
 * The planted fault is one connection.
 */
import { connect, createServer, type Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { logIn } from '../support/log-in.ts'
import { PRIVATE_PAGES } from '../web/private-addresses.ts'
import { call, makeKey, options, report, skip, start, tempFolder, tried } from './support.ts'

const pages = PRIVATE_PAGES.slice(0, options.n(PRIVATE_PAGES.length))
let connections = 0
const listeners = await Promise.all([80, 443].map(listen)).catch((error: NodeJS.ErrnoException) => error)
if (listeners instanceof Error) skip('ssrf', `ports 80 and 443 cannot be listened on here (${listeners.code})`)

const data = tempFolder()
const key = makeKey(data)
const service = await start(data, { fetches: true })
const headers = await logIn(service)
const saved = await call(service.url, key, 'bookmarks.insert', { urls: pages })
if (options.plant) connect(80, '127.0.0.1')
for (let tries = 0; tries < 600 && (await unread()) > 0; tries++) await setTimeout(100)
const left = await unread()
await service.end('SIGTERM')

report('ssrf', [
  tried(
    'addresses saved',
    Number(saved.payload.saved) + Number(saved.payload.existing),
    Math.floor(pages.length * 0.8)
  ),
  { what: 'yet to be read', value: String(left), target: '0', met: left === 0 },
  { what: 'connections inward', value: String(connections), target: '0', met: connections === 0 }
])

async function unread(): Promise<number> {
  const answer = await fetch(`${service.url}/api/status`, { headers })
  return ((await answer.json()) as { unread: number }).unread
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      connections += 1
      socket.on('error', () => {})
      socket.destroy()
    })
    server.once('error', reject)
    server.listen(port, '::', () => resolve(server))
  })
}
