import { randomBytes } from 'node:crypto'
import { createLoginLinks } from './actions/login-links.ts'
import { createUseRecorder } from './actions/record-use.ts'
import { beginSession } from './actions/session.ts'
import type { Keychain, Ports } from './contract/ports.ts'
import { netscapeHtml } from './formats/netscape-html.ts'
import { openKeyFiles } from './keychain/key-files.ts'
import { openKeychain } from './keychain/keychain.ts'
import { createDispatch } from './mcp/dispatch.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import { fetchEndpoint, nodeHandler } from './mcp/endpoint-transport.ts'
import { insert } from './mcp/tools/insert.ts'
import { search } from './mcp/tools/search.ts'
import type { Tool } from './mcp/tools/tool.ts'
import { createApp } from './server/app.ts'
import { createIdentification } from './server/identify.ts'
import { API_SECURITY_HEADERS, type Listening, listen } from './server/listen.ts'
import { loopbackClient } from './server/loopback-client.ts'
import { createWrongKeyBucket } from './server/wrong-key-bucket.ts'
import { lockLibrary } from './store/lock.ts'
import { openLibrary } from './store/open-library.ts'

const ENDPOINT_PATH = '/api/tools/mcp'

/** Where editors expect the service. */
export const DEFAULT_PORT = 20727

export interface ServiceOptions {
  /** The data folder; it exists and is ours alone. */
  data: string
  version: string
  /** The folder of the built dashboard. */
  dashboard: string
  onBug: (error: unknown) => void
  /** Called as soon as no other process can hold the library. */
  onLocked?: () => void
  keychain?: Keychain
  /** Offered instead of Earmark's own; for tests of the endpoint itself. */
  tools?: Tool[]
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The one process that owns a library, before and while it serves. */
export interface Service {
  /** Answers a request that did not come through a socket. */
  fetch(request: Request): Promise<Response>
  /** Serves on 127.0.0.1. Port 0 takes any free one. */
  listen(port: number): Promise<Listening>
  /** A one-time token for `/login#TOKEN`. */
  mintLogin(): string
  /** Begins a session and gives what its cookie holds, for a window this process opens itself. */
  beginSession(): Promise<string>
  /** What the command line presents as `Authorization: Bearer`. */
  commandToken: string
  close(): Promise<void>
}

/**
 * Joins the rooms: locks and opens the library, hands the ports to the actions, puts the endpoint and the dashboard's
 * routes in front.
 *
 * @throws Problem when the library is in use, damaged, foreign or from a newer Earmark
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { data, version, dashboard, onBug } = options
  const unlock = lockLibrary(data)
  options.onLocked?.()
  const library = await openLibrary(data).catch((error) => {
    unlock()
    throw error
  })
  const ports: Ports = {
    library,
    keychain: options.keychain ?? openKeychain(),
    keyFiles: openKeyFiles(data),
    formats: [netscapeHtml],
    loopback: loopbackClient,
    now: options.now ?? Date.now
  }
  const use = createUseRecorder(ports, onBug)
  const loginLinks = createLoginLinks(ports.now)
  const commandToken = randomBytes(32).toString('base64url')
  const identification = createIdentification(ports, use, commandToken)
  const dispatch = createDispatch(ports, options.tools ?? [search, insert], { version, use, onBug })
  const endpoint = createEndpoint(dispatch, identification.caller, createWrongKeyBucket(ports.now))
  const app = createApp({ ports, identification, loginLinks, version, dashboard, onBug }, (request) =>
    fetchEndpoint(endpoint, request)
  )
  const direct = {
    path: ENDPOINT_PATH,
    handle: nodeHandler(endpoint, Object.entries(API_SECURITY_HEADERS).flat(), onBug)
  }
  let listening: Listening | undefined
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await listening?.close()
    await use.close()
    await ports.keychain.close()
    await library.close()
    unlock()
  }

  return {
    fetch: async (request) => app.fetch(request),
    async listen(port) {
      listening = await listen(port, { fetch: app.fetch, direct, onBug })
      return listening
    },
    mintLogin: () => loginLinks.mint(),
    beginSession: () => beginSession(ports),
    commandToken,
    close: () => {
      closing ??= close()
      return closing
    }
  }
}
