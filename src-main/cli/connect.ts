import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { resolve } from 'node:path'
import { hc } from 'hono/client'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { prepareDataFolder } from '../host/data-folder.ts'
import { openOrFind } from '../host/open-or-find.ts'
import { readServiceFile } from '../host/service-file.ts'
import type { Api } from '../server/api.ts'
import type { Service } from '../service.ts'
import { assertWell, clientOf, type ServiceClient } from './service-client.ts'

/** Whether anybody listens shows in milliseconds. */
const TIMEOUT_MS = 3000

/** The API as a command uses it, wherever the library is open. */
export interface Connection {
  /** Whether this goes through a running service. */
  running: boolean
  api: ReturnType<typeof hc<Api>>
  findBookmarks: Service['findBookmarks']
  /** Begins what was left to the background, where no service runs that is at it already. */
  catchUp(): Promise<void>
  /** For bodies that stream. `path` is below `/api`. */
  send(path: string, init: RequestInit): Promise<Response>
  close(): Promise<void>
}

interface Needs {
  /** It asks sites. */
  fetches?: boolean
  /** It saves something: a folder that is not there yet becomes a new library. Anything else says that it is not there. */
  makes?: boolean
  /** It takes so long that it starts threads to share the work. */
  long?: boolean
}

/** Goes through the running service, or opens the library itself where none runs. */
async function connect(
  data: string | undefined,
  { fetches = false, makes = false, long = false }: Needs
): Promise<Connection> {
  if (!makes) assertThere(data)
  const folder = prepareDataFolder(data)
  const running = await runningIn(folder)
  const found = running ? { running } : await openOrFind(folder, { fetches, inPlace: !long })
  const { base, token, fetch, close } =
    'service' in found
      ? {
          base: 'http://127.0.0.1/api',
          token: found.service.commandToken,
          fetch: (request: Request) => found.service.fetch(request),
          close: () => found.service.close()
        }
      : overHttp(running ?? clientOf(found.running))
  const call = (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    request.headers.set('authorization', `Bearer ${token}`)
    return fetch(request)
  }
  const api = hc<Api>(base, { fetch: call })
  return {
    running: 'running' in found,
    api,
    findBookmarks: 'service' in found ? found.service.findBookmarks : (query) => fetchBookmarks(api, query),
    catchUp: async () => ('service' in found ? found.service.catchUp() : undefined),
    send: (path, init) => call(base + path, init),
    close
  }
}

/**
 * Refuses a folder that `--data` names and that is not there: a mistyped name is no empty library.
 *
 * @throws Problem `not-found`
 */
export function assertThere(data: string | undefined): void {
  if (!data || existsSync(data)) return
  throw new Problem('not-found', `There is no folder ${resolve(data)}. Check --data.`)
}

/**
 * Runs one command's work on a connection and closes it whatever happens.
 *
 * @param needs what the work needs where no service runs
 */
export async function withConnection<T>(
  data: string | undefined,
  work: (connection: Connection) => Promise<T>,
  needs: Needs = {}
): Promise<T> {
  const connection = await connect(data, needs)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function fetchBookmarks(api: Connection['api'], query: Parameters<Service['findBookmarks']>[0]) {
  return read(await api.bookmarks.$get({ query }))
}

/** The service that has the library, where it is well. */
export async function runningIn(folder: string): Promise<ServiceClient | undefined> {
  const facts = readServiceFile(folder)
  if (facts?.folder !== realpathSync(folder)) return undefined
  const client = clientOf(facts)
  return assertWell(client).then(
    () => client,
    () => undefined
  )
}

/**
 * Whether nobody listens at the address any more. The process with the service's number is then another one, or what is
 * left of it until its parent asks how it ended.
 */
export async function isGone({ url }: { url: string }): Promise<boolean> {
  const { port, hostname } = new URL(url)
  const socket = connectTo({ port: Number(port), host: hostname, timeout: TIMEOUT_MS })
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout')])
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
  } finally {
    socket.destroy()
  }
}

/** The answer's JSON, or its Problem. */
export async function read<T>(response: { ok: boolean; status: number; json(): Promise<T> }): Promise<T> {
  if (response.status === 204) return undefined as T
  if (response.ok) return response.json()
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code: ProblemCode; message: string } }
  throw error ? new Problem(error.code, error.message) : new Error(`The service answered ${response.status}.`)
}

function overHttp({ url, token, fetch }: ServiceClient) {
  const send = (request: Request) =>
    fetch(request).catch((error) => {
      if (error instanceof Problem) throw error
      throw new Problem('service-unreachable', 'Earmark stopped before it answered. Start it and try again.')
    })
  return { base: `${url}/api`, token, fetch: send, close: async () => {} }
}
