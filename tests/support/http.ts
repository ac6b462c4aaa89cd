/** HTTP and ports, for what `fetch` does not offer. */
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'

/** A response as it was on the wire: header names in lower case. */
export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends exactly these headers, repeated ones too, which `fetch` would change or refuse. Node adds Host if it is missing. */
export function rawRequest(
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {}
): Promise<RawAnswer> {
  const { body: content, method = 'GET', path, headers } = options
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, ...(path && { path }) }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject).end(content)
  })
}

/**
 * Uses a login link as the dashboard does when a cookie would reach other programs: Node's own lookup has no names below
 * `localhost`.
 *
 * @returns the headers of every later request
 */
export async function logIn({ url, login }: { url: string; login: string }): Promise<Record<string, string>> {
  const token = new URL(login).hash.slice(1)
  const headers = { origin: url, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ token }) })
  const { session } = (await answer.json()) as { session: string }
  return { origin: url, 'x-earmark-session': session }
}

/** Below the ports that systems give to outgoing connections, which come and go. */
const [FIRST_PORT, PORT_COUNT] = [20_000, 10_000]

/** Returns a port that is free on both loopback addresses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT)
    if ((await isFree('127.0.0.1', port)) && (await isFree('::1', port))) return port
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EADDRINUSE'
  } finally {
    server.close()
  }
}
