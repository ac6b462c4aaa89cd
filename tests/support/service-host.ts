/**
 * Serves the libraries of browser tests, each on a port of its own, in one process: starting the program for each test would take
 * most of the time. Messages over IPC open and close libraries.
 */
import { join } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { bookmarkFiles } from '../../src-main/host/bookmark-files.ts'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import { openService, type Service } from '../../src-main/service.ts'
import { noKeychain, testHost } from './service.ts'

/** A request to serve the library in a folder, or to end that. */
export interface HostRequest {
  work: 'open' | 'close'
  data: string
  port: number
}

/** The answer; `bugs` are those that the service reported until it was closed. */
export interface HostAnswer {
  data: string
  url: string
  token: string
  login: string
  bugs: string[]
}

const served = new Map<string, { service: Service; bugs: string[] }>()

process.on('message', async ({ work, data, port }: HostRequest) => {
  const answer: HostAnswer = { data, url: '', token: '', login: '', bugs: [] }
  if (work === 'open') Object.assign(answer, await open(data, port))
  else answer.bugs = await close(data)
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())

async function open(data: string, port: number): Promise<Omit<HostAnswer, 'data' | 'bugs'>> {
  const bugs: string[] = []
  // Keeps away from the editors of the person who runs the tests.
  process.env.HOME = join(data, 'home')
  delete process.env.XDG_CONFIG_HOME
  const service = await openService({
    ...testHost,
    data,
    version,
    dashboard: join(import.meta.dirname, '../renderer'),
    startProcess: startNodeProcess,
    keychain: noKeychain,
    inPlace: true,
    files: bookmarkFiles,
    onBug: (error) => bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  })
  served.set(data, { service, bugs })
  const url = `http://127.0.0.1:${(await service.listen(port)).port}`
  return { url, token: service.commandToken, login: service.loginLink() }
}

async function close(data: string): Promise<string[]> {
  const { service, bugs } = served.get(data) ?? { bugs: ['the library was not open'] }
  served.delete(data)
  await service?.close()
  return bugs
}
