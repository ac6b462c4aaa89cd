import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to connections of their own, which come and go. */
const [FIRST, COUNT] = [20_000, 10_000]

/** A port that nobody has, on neither loopback address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
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
