/**
 * Has an agent save pages at every spelling of an address of this machine or of a private network, and counts who connects to
 * this machine's ports 80 and 443.
 *
 * The planted fault is one connection.
 */
import { connect, createServer, type Server } from 'node:net'
import { callTool, makeKey } from '../support/earmark.ts'
import { PRIVATE_PAGES } from '../web/private-addresses.ts'
import { askAsOwner, figure, options, report, skip, start, tempFolder, until } from './harness.ts'

const pages = PRIVATE_PAGES.slice(0, options.n(PRIVATE_PAGES.length))
let connections = 0
const listeners = await Promise.all([80, 443].map(listen)).catch((error: NodeJS.ErrnoException) => error)
if (listeners instanceof Error) skip(`ports 80 and 443 cannot be listened on here (${listeners.code})`)

const data = tempFolder()
const key = await makeKey(data)
const service = await start(data, {}, true)
const ask = await askAsOwner(service)
const { payload } = await callTool(service.url, key, 'bookmarks.insert', { urls: pages })
if (options.plant) connect(80, '127.0.0.1')
const countUnread = async () => ((await ask('/status')) as { unread: number }).unread
await until(async () => (await countUnread()) === 0, 60_000)
const unread = await countUnread()
await service.end('SIGTERM')

report([
  figure.atLeast('addresses saved', payload.saved + payload.existing, Math.floor(pages.length * 0.8)),
  figure.zero('yet to be read', unread),
  figure.zero('connections inward', connections)
])

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
