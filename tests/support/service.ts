/** The service in this process, without a socket: most tests need no more. */
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Keychain } from '../../src-main/contract/ports.ts'
import { startNodeProcess } from '../../src-main/host/own-program.ts'
import type { HostFacts } from '../../src-main/open-rooms.ts'
import { openService, type Service, type ServiceOptions } from '../../src-main/service.ts'
import { readToolAnswer, type ToolAnswer, toolRequest } from './earmark.ts'
import { freePort } from './http.ts'
import { putEmptyLibrary } from './library.ts'
import { tempFolder } from './temp-folder.ts'

/** A machine without a keychain. */
export const noKeychain: Keychain = {
  store: async () => false,
  read: async () => undefined,
  remove: async () => {},
  fault: async () => 'there is none',
  close: async () => {}
}

/** What a host knows about itself, for tests that do not depend on it. */
export const testHost: HostFacts = {
  version: '0.0.0-test',
  site: 'https://site.invalid/',
  // Any folder that exists: the built dashboard may be missing, or is being built at the moment.
  dashboard: 'src-renderer',
  program: { command: 'earmark', args: [], packaged: false },
  ownFolder: undefined,
  surroundings: {
    checkFolder: () => ({ check: 'folder', state: 'unknown', text: 'Nobody looked at the data folder.' }),
    syncedBy: () => undefined,
    asTyped: (advice) => advice,
    lastErrors: () => []
  }
}

/** The real service on a real library in an empty folder, closed after the test. A bug it reports fails the test. */
export async function testService(
  options: Partial<ServiceOptions> = {},
  afterwards: (close: () => void | Promise<void>) => void = onTestFinished
): Promise<Service> {
  const bugs: unknown[] = []
  const data = options.data ?? tempFolder(afterwards)
  putEmptyLibrary(data)
  const service = await openService({
    ...testHost,
    startProcess: startNodeProcess,
    keychain: noKeychain,
    onBug: (error) => bugs.push(error),
    // Opens faster than with threads; tests of the built program use the threads.
    inPlace: true,
    recordUseEvery: 50,
    ...options,
    data
  })
  afterwards(async () => {
    await service.close()
    if (bugs.length > 0) throw bugs[0]
  })
  return service
}

/** Prepares a library that no service has open, with a free port in its settings and a key in a file. */
export async function prepareLibrary(data: string): Promise<{ id: string; key: string }> {
  const after: (() => void | Promise<void>)[] = []
  const service = await testService({ data }, (work) => void after.push(work))
  await callApi(service, 'PATCH', '/settings', { port: await freePort() })
  const made = await callApi(service, 'POST', '/keys', { name: 'editor', keyFile: true })
  const { id, key } = (await made.json()) as { id: string; key: string }
  for (const work of after) await work()
  return { id, key }
}

/** Calls the dashboard's API as the command line does. */
export async function callApi(service: Service, method: string, path: string, body?: unknown): Promise<Response> {
  return service.fetch(
    new Request(`http://127.0.0.1/api${path}`, {
      method,
      headers: { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
  )
}

/** Imports a file that arrives in pieces. */
export async function postImport(service: Service, pieces: AsyncIterable<Uint8Array>, name: string): Promise<Response> {
  const body = Readable.toWeb(Readable.from(pieces)) as ReadableStream
  const headers = { authorization: `Bearer ${service.commandToken}` }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  return service.fetch(new Request(`http://127.0.0.1/api/imports?name=${name}&file=${name}`, init))
}

/** Creates an API key as the owner does. @returns the key itself */
export async function makeKey(service: Service, request: object = {}): Promise<string> {
  const response = await callApi(service, 'POST', '/keys', { name: 'test', ...request })
  return ((await response.json()) as { key: string }).key
}

/** Calls a tool of the endpoint. */
export async function callTool(service: Service, key: string, name: string, args: object): Promise<ToolAnswer> {
  const request = new Request('http://127.0.0.1/api/tools/mcp', toolRequest(key, name, args))
  return readToolAnswer(await service.fetch(request))
}
