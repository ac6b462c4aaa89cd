import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { createWorkers } from './actions/background/workers.ts'
import { beginSession, createOneTimeTokens, identifySession, LOGIN_MS, TICKET_MS } from './actions/keys/credentials.ts'
import { createUseRecorder } from './actions/keys/record-use.ts'
import { createRunningWork } from './actions/long-work.ts'
import { createTextPictures } from './actions/pictures.ts'
import { createChangeEmitter } from './contract/change.ts'
import { DEFAULT_PORT, ENDPOINT_PATH, originOf, programOrigin } from './contract/endpoint.ts'
import type { BookmarkFiles } from './contract/ports.ts'
import type { createEndpoint } from './mcp/endpoint.ts'
import type { Tool } from './mcp/tools/tool.ts'
import { openPorts, type PortOptions } from './open-ports.ts'
import type { ServerContext } from './server/context.ts'
import { createIdentification, createWrongKeyBucket, dashboardHostIn } from './server/identify.ts'
import { type Listening, listen } from './server/listen.ts'

/** Time from the start of listening until background work starts, in ms: the first request goes first. */
const SETTLE_MS = 100

/** Facts that only the host knows. */
export type HostFacts = Pick<ServerContext, 'version' | 'site' | 'dashboard' | 'program' | 'ownFolder' | 'surroundings'>

export interface ServiceOptions extends HostFacts, PortOptions {
  onBug: (error: unknown) => void
  /** The bookmark files that can be watched, if any. */
  files?: BookmarkFiles
  /** Replaces the tools, for tests. */
  tools?: Tool[]
  /** Interval in ms at which the use of keys and sessions is recorded, for tests. */
  recordUseEvery?: number
}

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * Opens the library and joins the rooms into one service.
 *
 * @throws Problem if the library is in use, damaged, foreign or from a newer Earmark
 */
export async function openService(options: ServiceOptions) {
  const { version, site, dashboard, program, ownFolder, surroundings, onBug } = options
  const changes = createChangeEmitter()
  const { ports, close: closePorts } = await openPorts(options, changes)
  const { library, now } = ports
  const use = createUseRecorder(ports, onBug, options.recordUseEvery)
  const loginLinks = createOneTimeTokens(now, LOGIN_MS)
  const exportTickets = createOneTimeTokens(now, TICKET_MS)
  const commandToken = randomBytes(32).toString('base64url')
  const dashboardHost = await dashboardHostIn(options.data)
  const identification = createIdentification(ports, use, commandToken, dashboardHost)
  const { workers, ...called } = createWorkers(ports, changes, options.files, onBug)
  const textPictures = createTextPictures(ports)

  const closeHooks: (() => void)[] = []
  const onClose = (hook: () => void) => void closeHooks.push(hook)
  const work = createRunningWork()
  const tokens = { loginLinks, exportTickets, identification, use }
  const host = { version, site, dashboard, dashboardHost, program, ownFolder, surroundings, onBug, onClose }
  const context = { ports, changes, ...called, ...tokens, ...host, work, textPictures, loginLink }
  const wrongKey = createWrongKeyBucket(now)
  let app: Promise<Hono> | undefined
  let endpoint: Promise<ReturnType<typeof createEndpoint>> | undefined

  /** The endpoint and the routes are loaded with the first request that needs them, so that the service listens sooner. */
  async function fetch(request: Request, env?: object): Promise<Response> {
    if (new URL(request.url).pathname === ENDPOINT_PATH) return (await loadEndpoint())(request)
    app ??= import('./server/app.ts').then(({ createApp }) => createApp(context))
    return (await app).fetch(request, env)
  }

  function loadEndpoint() {
    const { caller: identify } = identification
    endpoint ??= import('./mcp/endpoint.ts').then(({ createEndpoint }) =>
      createEndpoint({ ports, use, identify, wrongKey, program, version, tools: options.tools, onBug })
    )
    return endpoint
  }

  let listening: Listening | undefined
  let settling: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined

  /** A one-time link to the dashboard, on 127.0.0.1 if another program may answer under the dashboard's name. */
  function loginLink(): string {
    const { port = DEFAULT_PORT, neighbour = false } = listening ?? {}
    const origin = neighbour ? programOrigin(port) : originOf(dashboardHost, port)
    return `${origin}/login#${loginLinks.mint()}`
  }

  return {
    library,
    /** The name of this machine under which browsers find the dashboard. The session cookie is accepted only there. */
    dashboardHost,
    loginLink,
    /** The token that the command line presents as `Authorization: Bearer`. */
    commandToken,
    /** Answers a request that did not come through a socket. */
    fetch: (request: Request) => fetch(request),
    /** Serves on 127.0.0.1, by default on the port in the settings. Port 0 takes any free port. */
    async listen(port?: number): Promise<Listening> {
      const chosen = port ?? (await library.readSettings()).port ?? DEFAULT_PORT
      listening = await listen(chosen, { dashboardHost, fetch, onBug })
      settling = setTimeout(() => {
        void Promise.all([library.begin(), loadEndpoint()]).catch(onBug)
        for (const worker of workers) worker.start()
      }, SETTLE_MS)
      return listening
    },
    /** Begins a session for a window of this process. @returns its secret */
    beginSession: () => beginSession(ports),
    hasSession: async (secret: string) => (await identifySession(ports, secret)) !== undefined,
    close(): Promise<void> {
      clearTimeout(settling)
      for (const hook of closeHooks.splice(0)) hook()
      closing ??= closePorts([listening, ...workers, textPictures, use])
      return closing
    }
  }
}
