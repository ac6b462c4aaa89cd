import type { Hono } from 'hono'
import { createDescribing } from './actions/background/describing.ts'
import { createFolderKeeping } from './actions/background/markdown-folder.ts'
import { createSyncing } from './actions/background/syncing.ts'
import { createWatching } from './actions/background/watching.ts'
import { createHousekeeping } from './actions/housekeeping.ts'
import { createOneTimeTokens, TICKET_MS } from './actions/keys/credentials.ts'
import { createUseRecorder } from './actions/keys/record-use.ts'
import { createLinkChecks } from './actions/link-checks.ts'
import { createRunningImports, createRunningWork } from './actions/long-work.ts'
import { createCopyUploads } from './actions/page-copies.ts'
import { createColoring, createTextPictures } from './actions/pictures.ts'
import type { Ports } from './actions/ports.ts'
import { type Changes, createChangeEmitter } from './contract/change.ts'
import { ENDPOINT_PATH } from './contract/endpoint.ts'
import type { BookmarkFiles } from './contract/ports.ts'
import type { createEndpoint } from './mcp/endpoint.ts'
import type { Tool } from './mcp/tools/tool.ts'
import { closeAll } from './open-ports.ts'
import type { ServerContext } from './server/context.ts'
import { createIdentification, createWrongKeyBucket } from './server/identify.ts'
import { openLibrary } from './store/open-library.ts'

/** Facts that only the host knows. */
export type HostFacts = Pick<ServerContext, 'version' | 'site' | 'dashboard' | 'program' | 'ownFolder' | 'surroundings'>

export interface RoomOptions extends HostFacts {
  /** The data folder. */
  data: string
  onBug: (error: unknown) => void
  /** Starts no threads: for a short command. */
  inPlace?: boolean
  /** The bookmark files of other programs, which can be watched and imported, if any. */
  files?: BookmarkFiles
  /** Replaces the tools, for tests. */
  tools?: Tool[]
  /** Interval in ms at which the use of keys and sessions is recorded, for tests. */
  recordUseEvery?: number
}

/** The parts of the service that stay when a backup replaces the library. */
export interface LastingParts
  extends Pick<ServerContext, 'dashboardHost' | 'loginLinks' | 'loginLink' | 'startedAt' | 'restore'> {
  ports: Omit<Ports, 'library'>
  commandToken: string
}

/**
 * Opens the library, and all that works on it: it answers requests, and works in the background.
 *
 * @throws Problem if the library is damaged, foreign or from a newer Earmark
 */
export async function openRooms(options: RoomOptions, { ports: otherPorts, commandToken, ...parts }: LastingParts) {
  const { version, site, dashboard, program, ownFolder, surroundings, onBug } = options
  const changes = createChangeEmitter()
  const library = await openLibrary(options.data, { inPlace: options.inPlace, emit: changes.emit })
  const ports = { ...otherPorts, library }
  const use = createUseRecorder(ports, onBug, options.recordUseEvery)
  const identification = createIdentification(ports, use, commandToken, parts.dashboardHost)
  const exportTickets = createOneTimeTokens(ports.now, TICKET_MS)
  const { workers, ...called } = createWorkers(ports, changes, options.files, onBug)
  const work = createRunningWork()
  const textPictures = createTextPictures(ports)
  const copyUploads = createCopyUploads(ports)
  const closing = new AbortController()
  const own = {
    ports,
    changes,
    files: options.files,
    use,
    identification,
    exportTickets,
    work,
    textPictures,
    copyUploads,
    closing: closing.signal
  }
  const host = { version, site, dashboard, program, ownFolder, surroundings, onBug }
  const context: ServerContext = { ...parts, ...own, ...called, ...host }
  const wrongKey = createWrongKeyBucket(ports.now)
  let app: Promise<Hono> | undefined
  let endpoint: Promise<ReturnType<typeof createEndpoint>> | undefined
  let closed: Promise<void> | undefined

  function loadEndpoint() {
    const { caller: identify } = identification
    endpoint ??= import('./mcp/endpoint.ts').then(({ createEndpoint }) =>
      createEndpoint({ ports, use, identify, wrongKey, program, version, site, tools: options.tools, onBug })
    )
    return endpoint
  }

  return {
    ports,
    /** The endpoint and the routes are loaded with the first request that needs them, so that the service listens sooner. */
    async fetch(request: Request, env?: object): Promise<Response> {
      if (new URL(request.url).pathname === ENDPOINT_PATH) return (await loadEndpoint())(request)
      app ??= import('./server/app.ts').then(({ createApp }) => createApp(context))
      return (await app).fetch(request, env)
    },
    /** Starts the work in the background. */
    start(): void {
      void Promise.all([library.begin(), loadEndpoint()]).catch(onBug)
      for (const worker of workers) worker.start()
    },
    /** Ends streams and long changes, which would otherwise delay closing. */
    endStreams: () => closing.abort(),
    close(): Promise<void> {
      closing.abort()
      closed ??= closeAll([...workers, textPictures, copyUploads, use, library])
      return closed
    }
  }
}

/**
 * Creates the workers that run while a service serves. The API also calls some of them, which are returned by name.
 *
 * @param files the bookmark files that can be watched, if any
 */
function createWorkers(
  ports: Ports,
  changes: Changes,
  files: BookmarkFiles | undefined,
  onBug: (error: unknown) => void
) {
  const { web } = ports
  const imports = createRunningImports()
  const linkChecks = web && createLinkChecks({ ...ports, web }, changes, onBug)
  const watching = files && createWatching({ ...ports, files }, { imports, changes, onBug })
  const syncing = createSyncing(ports, changes, onBug)
  const folderKeeping = createFolderKeeping(ports, changes, onBug)
  const workers = [
    createHousekeeping(ports, onBug),
    createColoring(ports, changes, onBug),
    web && createDescribing({ ...ports, web }, changes, onBug),
    linkChecks,
    watching,
    syncing,
    folderKeeping
  ].filter((worker) => worker !== undefined)
  return { imports, linkChecks, watching, syncing, folderKeeping, workers }
}
