import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A stand-in for a WebDAV server. */
export interface DavServer {
  port: number
  /** By path. */
  files: Map<string, Buffer>
  asked: string[]
  user: string
  password: string
  makeFolder(path: string): void
  /** Answers all requests in place of the server. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
}

/**
 * Serves the WebDAV methods that Earmark uses, for the user ada with the password secret. `npm run reliability -- webdav` tests
 * with real servers.
 */
export async function davServer(afterwards: (close: () => void) => void = onTestFinished): Promise<DavServer> {
  const folders = new Set(['/dav'])
  const dav: DavServer = {
    port: 0,
    files: new Map(),
    asked: [],
    user: 'ada',
    password: 'secret',
    makeFolder: (path) => void folders.add(path),
    answer: undefined
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const path = (request.url ?? '').replace(/\/$/, '')
    dav.asked.push(`${request.method} ${path}`)
    const end = (status: number, content?: string | Buffer) => response.writeHead(status).end(content)
    if (dav.answer) return dav.answer(request, response)
    const login = Buffer.from(`${dav.user}:${dav.password}`).toString('base64')
    if (request.headers.authorization !== `Basic ${login}`) {
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="dav", charset="UTF-8"' }).end()
    }
    const isThere = folders.has(path) || dav.files.has(path)
    const hasParent = folders.has(path.slice(0, path.lastIndexOf('/')))
    if (request.method === 'MKCOL') return hasParent ? end(201) && folders.add(path) : end(409)
    if (request.method === 'PUT') return hasParent ? end(201) && dav.files.set(path, body) : end(409)
    if (!isThere) return end(404)
    if (request.method === 'GET') return end(200, dav.files.get(path))
    if (request.method === 'DELETE') return end(204) && dav.files.delete(path)
    const inside = [...folders, ...dav.files.keys()].filter((name) => name.slice(0, name.lastIndexOf('/')) === path)
    const all = request.headers.depth === '0' ? [path] : [path, ...inside]
    const answers = all.map(
      (href) => `<D:response><D:href>${href}</D:href><D:propstat><D:prop><D:resourcetype>
        ${folders.has(href) ? '<D:collection/>' : ''}</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status>
        </D:propstat></D:response>`
    )
    return end(207, `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">${answers.join('')}</D:multistatus>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(() => void server.close())
  return Object.assign(dav, { port: (server.address() as AddressInfo).port })
}
