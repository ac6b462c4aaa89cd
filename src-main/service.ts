import { randomBytes } from 'node:crypto'
import { beginSession, createOneTimeTokens, identifySession, LOGIN_MS } from './actions/keys/credentials.ts'
import type { RestoreReport } from './contract/doctor.ts'
import { DEFAULT_PORT, originOf, PROOF_PATH, programOrigin } from './contract/endpoint.ts'
import { errorBody, Problem } from './contract/problem.ts'
import { lockLibrary } from './database/lock.ts'
import { closeAll, openPorts, type PortOptions } from './open-ports.ts'
import { openRooms, type RoomOptions } from './open-rooms.ts'
import { dashboardHostIn } from './server/identify.ts'
import { type Listening, listen } from './server/listen.ts'
import { prepareRestore } from './store/open-library.ts'

/** Time from the start of listening until background work starts, in ms: the first request goes first. */
const SETTLE_MS = 100

/** How long a restore waits for requests in progress, in ms. New requests are refused meanwhile. */
const MAX_WAIT_MS = 5000

export interface ServiceOptions extends RoomOptions, PortOptions {
  /** Called as soon as no other process can have the library open. */
  onLocked?: () => void
}

export type Service = Awaited<ReturnType<typeof openService>>

/**
 * Opens the library and joins the rooms into one service. A restored backup replaces the library and all that works on it,
 * behind the same sockets and command token.
 *
 * @throws Problem if the library is in use, damaged, foreign or from a newer Earmark
 */
export async function openService(options: ServiceOptions) {
  const { data, inPlace, onBug } = options
  const unlock = lockLibrary(data)
  options.onLocked?.()
  const { ports, close: closePorts } = openPorts(options)
  const dashboardHost = await dashboardHostIn(data)
  const commandToken = randomBytes(32).toString('base64url')
  const loginLinks = createOneTimeTokens(ports.now, LOGIN_MS)
  const startedAt = ports.now()
  const parts = { ports, commandToken, dashboardHost, loginLinks, loginLink, startedAt, restore }
  let rooms = await openRooms(options, parts).catch(async (error) => {
    await closePorts().finally(unlock)
    throw error
  })

  let inProgress = 0
  let onAnswered = () => {}
  /** Answers requests while the library is replaced, or could not be opened again. */
  let refuse: (() => Response) | undefined
  let replacing: Promise<unknown> | undefined
  let listening: Listening | undefined
  let settling: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined

  async function fetch(request: Request, env?: object): Promise<Response> {
    if (refuse && needsLibrary(request)) return refuse()
    inProgress += 1
    try {
      return await rooms.fetch(request, env)
    } finally {
      inProgress -= 1
      onAnswered()
    }
  }

  /** A one-time link to the dashboard, on 127.0.0.1 if another program may answer under the dashboard's name. */
  function loginLink(): string {
    const { port = DEFAULT_PORT, neighbour = false } = listening ?? {}
    const origin = neighbour ? programOrigin(port) : originOf(dashboardHost, port)
    return `${origin}/login#${loginLinks.mint()}`
  }

  /** See `ServerContext`. It is called by a request. */
  async function restore(backup: string, session?: Uint8Array): Promise<RestoreReport> {
    const { check, replace } = prepareRestore(data, backup, inPlace)
    await check() // before anything is interrupted
    if (refuse || closing) throw new Problem('taken', 'A backup is already being restored. Wait until it is finished.')
    refuse = refuseDuringRestore
    const replaced = otherRequestsEnd().then(
      () => replaceLibrary(() => replace(ports.now(), session)),
      (error) => {
        refuse = undefined
        throw error
      }
    )
    replacing = replaced
    return replaced
  }

  /** @throws Problem `taken` if requests are still in progress after `MAX_WAIT_MS` */
  async function otherRequestsEnd(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const limit = setTimeout(() => reject(new Problem('taken', BUSY)), MAX_WAIT_MS)
    onAnswered = () => inProgress <= 1 && resolve()
    onAnswered()
    await promise.finally(() => {
      clearTimeout(limit)
      onAnswered = () => {}
    })
  }

  async function replaceLibrary(replace: () => Promise<RestoreReport>): Promise<RestoreReport> {
    clearTimeout(settling)
    await rooms.close().catch(onBug)
    try {
      return await replace()
    } finally {
      await openAgain()
    }
  }

  /** Opens the library that is there after a restore, also if the restore failed. */
  async function openAgain(): Promise<void> {
    try {
      rooms = await openRooms(options, parts)
      if (listening) rooms.start()
      refuse = undefined
    } catch (error) {
      refuse = () => refuseUnopened(error)
      throw error
    }
  }

  /** Returns the rooms, after a restore that is under way. */
  async function currentRooms() {
    await replacing?.catch(() => {}) // the request reports errors
    return rooms
  }

  return {
    /** The name of this machine under which browsers find the dashboard. The session cookie is accepted only there. */
    dashboardHost,
    loginLink,
    /** The token that the command line presents as `Authorization: Bearer`. */
    commandToken,
    /** Answers a request that did not come through a socket. */
    fetch: (request: Request) => fetch(request),
    /** See `Library`. */
    begin: () => rooms.ports.library.begin(),
    lostLog: () => rooms.ports.library.lostLog(),
    /** Serves on 127.0.0.1, by default on the port in the settings. Port 0 takes any free port. */
    async listen(port?: number): Promise<Listening> {
      const chosen = port ?? (await rooms.ports.library.readSettings()).port ?? DEFAULT_PORT
      listening = await listen(chosen, { dashboardHost, fetch, onBug })
      settling = setTimeout(() => rooms.start(), SETTLE_MS)
      return listening
    },
    /** Begins a session for a window of this process. @returns its secret */
    beginSession: async () => beginSession((await currentRooms()).ports),
    hasSession: async (secret: string) => (await identifySession((await currentRooms()).ports, secret)) !== undefined,
    close(): Promise<void> {
      closing ??= closeService()
      return closing
    }
  }

  async function closeService(): Promise<void> {
    clearTimeout(settling)
    rooms.endStreams()
    await closeAll([listening, { close: async () => (await currentRooms()).close() }, { close: closePorts }]).finally(
      unlock
    )
  }
}

const BUSY = 'Earmark is still at work on something else. Restore the backup once that is done.'

/** The dashboard's files, and the proof that this is the service, need no library. */
function needsLibrary({ url }: Request): boolean {
  const { pathname } = new URL(url)
  return pathname.startsWith('/api/') && pathname !== PROOF_PATH
}

function refuseDuringRestore(): Response {
  const body = errorBody('taken', 'A backup is being restored. Try again in a few seconds.')
  return Response.json(body, { status: 503, headers: { 'retry-after': '2' } })
}

/** Answers for a library that could not be opened after a restore. */
function refuseUnopened(error: unknown): Response {
  const body = error instanceof Problem ? errorBody(error.code, error.message) : errorBody('internal', UNOPENED)
  return Response.json(body, { status: 503 })
}

const UNOPENED = 'Earmark could not open the library after a restore. Start Earmark again.'
