import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A proxy that adds an API key to every call, for programs that cannot send a header. It says Host and Origin as the
 * service expects them where they were right for the proxy, and passes on wrong ones as they are.
 *
 * @param target the service's port
 */
export async function startKeyProxy(target: number, key: string): Promise<{ port: number; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const { port } = server.address() as AddressInfo
    const retarget = (value: string) => value.replace(`:${port}`, `:${target}`)
    const headers = incoming.rawHeaders.map((value, index) =>
      index % 2 === 1 && /^(host|origin)$/i.test(incoming.rawHeaders[index - 1] ?? '') ? retarget(value) : value
    )
    const forwarded = request({
      host: '127.0.0.1',
      port: target,
      method: incoming.method,
      path: incoming.url,
      headers: [...headers, 'x-api-key', key],
      agent: false
    })
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
