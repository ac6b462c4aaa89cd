import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { createDescribing } from './actions/background/describing.ts'
import { createSyncing } from './actions/background/syncing.ts'
import { createWatching } from './actions/background/watching.ts'
import type { Surroundings } from './actions/doctor.ts'
import { createHousekeeping } from './actions/housekeeping.ts'
import { createOwnTests } from './actions/keys/own-tests.ts'
import { createUseRecorder } from './actions/keys/record-use.ts'
import { beginSession, createOneTimeTokens, identifySession, LOGIN_MS, TICKET_MS } from './actions/keys/session.ts'
import { createLinkChecks } from './actions/link-checks.ts'
import { createRunningImports, createRunningWork } from './actions/long-work.ts'
import { createColoring, createTextPictures } from './actions/pictures.ts'
import type { Ports } from './actions/ports.ts'
import { type OnSlow, timeLibrary } from './actions/ports.ts'
import { createApplyingRules } from './actions/rules.ts'
import { type ChangeEmitter, createChangeEmitter } from './contract/change.ts'
import type { Recovery, RestoreReport } from './contract/doctor.ts'
import { DEFAULT_PORT, ENDPOINT_PATH, originOf, programOrigin } from './contract/endpoint.ts'
import type { OwnProgram } from './contract/own-program.ts'
import type { BookmarkFiles, Keychain, StartProcess, Web } from './contract/ports.ts'
import { lockLibrary } from './database/lock.ts'
import { openBrowsers } from './integrations/browser-hosts.ts'
import { openKeyFiles } from './keychain/key-files.ts'
import { openKeychain } from './keychain/keychain.ts'
import { createDispatch, type Dispatch } from './mcp/dispatch.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import { fetchEndpoint, nodeHandler } from './mcp/endpoint-transport.ts'
import type { Tool } from './mcp/tools/tool.ts'
import { dashboardHostIn } from './server/dashboard-host.ts'
import type { BookmarksAsked, findHere } from './server/found-bookmarks.ts'
import { createIdentification, createWrongKeyBucket } from './server/identify.ts'
import { API_SECURITY_HEADERS, type Listening, listen } from './server/listen.ts'
import { loopbackClient } from './server/loopback-client.ts'
import { readPlaces } from './store/files/read-places.ts'
import { openLibrary } from './store/open-library.ts'
import { createDecoder, type Decoder } from './web/decoder.ts'
import type { TestWire } from './web/guarded-agent.ts'
import { internet } from './web/internet.ts'

/** From listening until all else that a service does begins, in milliseconds. */
const SETTLE_MS = 100

const SOME_PROGRAM: OwnProgram = { command: 'earmark', args: [], packaged: false }

const SOME_SITE = 'https://site.invalid/'

const NOWHERE: Surroundings = {
  lookAtFolder: () => ({ check: 'folder', state: 'unknown', text: 'Nobody looked at the data folder.' }),
  syncedBy: () => undefined,
  asTyped: (advice) => advice
}

export interface ServiceOptions {
  /** The data folder; it exists and is ours alone. */
  data: string
  version: string
  /** The project’s site, which is asked for the newest version. */
  site?: string
  /** The folder of the built dashboard. */
  dashboard: string
  startProcess: StartProcess
  /** How this host's commands are started, for what tells others to. */
  program?: OwnProgram
  /** The data folder, where programs that are started by others must be told of it. */
  ownFolder?: string | undefined
  /** Where it runs, as far as only the host knows. */
  surroundings?: Surroundings
  onBug: (error: unknown) => void
  /** Told of each call of the library that takes longer, for who looks for what is slow. */
  slow?: { most: number; onSlow: OnSlow } | undefined
  /** Called as soon as no other process can hold the library. */
  onLocked?: () => void
  /** The bookmark files that can be watched; absent: none. */
  files?: BookmarkFiles | undefined
  keychain?: Keychain
  /** Where the pages of bookmarks are read from while it serves; absent: nothing is ever fetched. */
  web?: Web | 'internet' | undefined
  /** For tests: where the internet is. */
  wire?: TestWire | undefined
  /** Works in this thread alone: for a command that nobody else waits for. */
  inPlace?: boolean
  /** Offered instead of Earmark's own; for tests of the endpoint itself. */
  tools?: Tool[]
  /** How often it is written down which keys and sessions were used, in milliseconds. */
  recordUseEvery?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The one process that owns a library, before and while it serves. */
export interface Service {
  /** Answers a request that did not come through a socket. */
  fetch(request: Request): Promise<Response>
  /**
   * Answers as `GET /api/bookmarks` does, without a request: code that reads one takes longer to load than a search.
   */
  findBookmarks(query: BookmarksAsked): ReturnType<typeof findHere>
  /** Serves on 127.0.0.1. Port 0 takes any free one. */
  listen(port: number): Promise<Listening>
  /** Goes on with what earlier writes left to the background, as a service that listens does by itself. */
  catchUp(): Promise<void>
  /** The name of this machine under which browsers find the dashboard; the session's cookie is taken there only. */
  dashboardHost: string
  /** A new link that opens the dashboard in a browser and logs in, once. For a service that listens. */
  loginLink(): string
  /** Begins a session for a window this process opens itself. @returns its secret */
  beginSession(): Promise<string>
  /** Whether a session with this secret has begun and not ended. */
  hasSession(secret: string): Promise<boolean>
  /** Where the owner wants it to listen: the port in settings, else the usual one. */
  preferredPort(): Promise<number>
  /** Whether what was saved last may be gone: the log it was in was missing when the library was opened. */
  lostLog(): Promise<boolean>
  /** The token the command line presents as `Authorization: Bearer`. */
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
  const { data, version, dashboard, program = SOME_PROGRAM, site = SOME_SITE, surroundings = NOWHERE, onBug } = options
  const unlock = lockLibrary(data)
  options.onLocked?.()
  const changes = createChangeEmitter()
  const decoder = createDecoder(options.startProcess, join(data, 'decoding'))
  const ports = await openPorts(options, decoder, changes).catch((error) => {
    unlock()
    throw error
  })
  const { library, web, now } = ports
  const use = createUseRecorder(ports, onBug, options.recordUseEvery)
  const housekeeping = createHousekeeping(ports, onBug)
  const loginLinks = createOneTimeTokens(now, LOGIN_MS)
  const exportTickets = createOneTimeTokens(now, TICKET_MS)
  const commandToken = randomBytes(32).toString('base64url')
  const dashboardHost = await dashboardHostIn(data)
  const ownTests = createOwnTests()
  const identification = createIdentification(ports, use, ownTests, commandToken, dashboardHost)
  const dispatch = dispatchLate(async () => {
    const tools = options.tools ?? (await import('./mcp/tools/own-tools.ts')).ownTools
    return createDispatch(ports, tools, { version, use, ownTests, onBug })
  })
  const endpoint = createEndpoint(dispatch.answer, identification.caller, createWrongKeyBucket(now), program, library)
  const closeHooks: (() => void)[] = []
  const onClose = (work: () => void) => closeHooks.push(work)
  const linkChecks = web && createLinkChecks({ ...ports, web }, changes, onBug)
  const describing = web && createDescribing({ ...ports, web }, changes, onBug)
  const imports = createRunningImports()
  const work = createRunningWork()
  const textPictures = createTextPictures(ports)
  const watching = options.files && createWatching({ ...ports, files: options.files }, { imports, changes, onBug })
  // Not for a command that opens the library for a moment.
  const applyingRules = createApplyingRules(ports, changes, onBug)
  const syncing = createSyncing(ports, changes, onBug)
  const coloring = createColoring(ports, changes, onBug)
  const whileServing = [housekeeping, applyingRules, coloring, describing, linkChecks, watching, syncing].filter(
    (one) => one !== undefined
  )
  const own = {
    identification,
    ownTests,
    loginLinks,
    exportTickets,
    use,
    imports,
    work,
    textPictures,
    linkChecks,
    watching,
    syncing
  }
  const context = {
    ports,
    changes,
    ...own,
    version,
    site,
    dashboard,
    dashboardHost,
    loginLink,
    program,
    ownFolder: options.ownFolder,
    surroundings,
    onBug,
    onClose
  }
  // Loaded with the first request that needs it: an editor's calls are answered without.
  let app: Promise<Hono> | undefined
  const fetch = async (request: Request, env?: object) => {
    app ??= import('./server/app.ts').then(({ createApp }) =>
      createApp(context, (asked) => fetchEndpoint(endpoint, asked))
    )
    return (await app).fetch(request, env)
  }
  const handle = nodeHandler(endpoint, Object.entries(API_SECURITY_HEADERS).flat(), onBug)
  let listening: Listening | undefined
  let settling: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined

  /** Where another program may be under the dashboard's name, it leads to the address that is ours for certain. */
  function loginLink(): string {
    const { port = DEFAULT_PORT, neighbour = false } = listening ?? {}
    const origin = neighbour ? programOrigin(port) : originOf(dashboardHost, port)
    return `${origin}/login#${loginLinks.mint()}`
  }

  return {
    fetch: (request) => fetch(request),
    findBookmarks: async (query) => (await import('./server/found-bookmarks.ts')).findHere(ports, query),
    async listen(port) {
      listening = await listen(port, { dashboardHost, fetch, direct: { path: ENDPOINT_PATH, handle }, onBug })
      // Whoever waits for the first answer has it first.
      settling = setTimeout(() => {
        void Promise.all([library.begin(), dispatch.load()]).catch(onBug)
        for (const work of whileServing) work.start()
      }, SETTLE_MS)
      return listening
    },
    catchUp: () => library.begin(),
    dashboardHost,
    loginLink,
    beginSession: () => beginSession(ports),
    hasSession: async (secret) => (await identifySession(ports, secret)) !== undefined,
    preferredPort: async () => (await library.readSettings()).port ?? DEFAULT_PORT,
    lostLog: () => library.lostLog(),
    commandToken,
    close() {
      clearTimeout(settling)
      for (const work of closeHooks.splice(0)) work()
      const parts = [listening, ...whileServing, textPictures, web, decoder, use, ports.keychain, library]
      closing ??= closeAll(parts).finally(unlock)
      return closing
    }
  }
}

/** Answers the endpoint's messages by tools whose schemas are loaded when they are first needed, or told to. */
function dispatchLate(create: () => Promise<Dispatch>): { answer: Dispatch; load(): Promise<void> } {
  let dispatch: Dispatch | undefined
  let creating: Promise<Dispatch> | undefined

  async function load(): Promise<Dispatch> {
    creating ??= create()
    dispatch = await creating
    return dispatch
  }

  return {
    answer: async (post) => (dispatch ?? (await load()))(post),
    load: async () => void (await load())
  }
}

async function openPorts(options: ServiceOptions, decoder: Decoder, changes: ChangeEmitter): Promise<Ports> {
  const { data, version, slow, startProcess, inPlace = false } = options
  const opened = await openLibrary(data, { inPlace, emit: changes.emit })
  return {
    library: slow ? timeLibrary(opened, slow.most, slow.onSlow) : opened,
    keychain: options.keychain ?? openKeychain(startProcess),
    keyFiles: openKeyFiles(data),
    editors: async () => (await import('./integrations/editor-files.ts')).openEditors(data),
    browsers: openBrowsers(data),
    formats: async () => (await import('./formats/import-process.ts')).openFormats(startProcess),
    syncFolders: async () => (await import('./sync/sync-folders.ts')).syncFolders,
    loopback: loopbackClient,
    pictures: decoder,
    web: options.web === 'internet' ? internet({ version, decoder, wire: options.wire }) : options.web,
    now: options.now ?? Date.now
  }
}

/** Closes one after the other. Whatever fails, the last is closed. */
async function closeAll(parts: ({ close(): unknown } | undefined)[]): Promise<void> {
  const faults: unknown[] = []
  for (const part of parts) {
    try {
      await part?.close()
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
}

/**
 * Puts a backup in the place of the library in a data folder that no service serves.
 *
 * @throws Problem `library-in-use`, or what is wrong with the backup; the library is untouched then
 */
export async function restoreBackup(data: string, backup: string): Promise<RestoreReport> {
  const { restoreLibraryFile } = await import('./database/restore.ts')
  return withLock(data, () => restoreLibraryFile(join(data, 'library.sqlite'), backup, Date.now()))
}

/** Finds the backup that can replace a library that cannot be opened. */
export async function recoveryIn(data: string): Promise<Recovery> {
  const { findRecovery } = await import('./database/restore.ts')
  return withLock(data, async () => findRecovery(data))
}

/**
 * Puts an empty library in the place of one that cannot be opened.
 *
 * @returns the folder with what was there; `null` where there was nothing
 * @throws Problem `library-in-use`, or `invalid` when the library is whole
 */
export async function startEmptyLibrary(data: string): Promise<string | null> {
  const { startEmpty } = await import('./database/restore.ts')
  return withLock(data, async () => startEmpty(data, Date.now()))
}

/**
 * Looks through the library in a data folder, and with `repair` mends it.
 *
 * @param shared a service has it open, and it is only looked at
 * @throws Problem `library-in-use` when another process has it and `shared` does not say so
 */
export async function examineLibrary(data: string, { repair, shared }: { repair: boolean; shared: boolean }) {
  const { doctorLibrary } = await import('./store/doctor/doctor-library.ts')
  const work = async () => doctorLibrary(data, repair, Date.now(), shared)
  return shared ? work() : withLock(data, work)
}

/** The bookmarks in a Firefox profile's database, as a file that can be imported. */
export function readFirefoxPlaces(file: string, start: StartProcess): Promise<string> {
  return readPlaces(file, start)
}

/** Why the keychain keeps no secret; `undefined` where it does. */
export async function keychainFault(start: StartProcess): Promise<string | undefined> {
  const keychain = openKeychain(start)
  return keychain.fault().finally(keychain.close)
}

async function withLock<T>(data: string, work: () => Promise<T>): Promise<T> {
  const unlock = lockLibrary(data)
  try {
    return await work()
  } finally {
    unlock()
  }
}
