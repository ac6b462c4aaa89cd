import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService, type Service, type ServiceOptions } from '../../src-main/service.ts'
import { putEmptyLibrary } from './empty-library.ts'
import { noKeychain } from './no-keychain.ts'
import { tempFolder } from './temp-folder.ts'

/** The real service on a real library in an empty folder, closed after the test. A bug it reports fails the test. */
export async function testService(
  options: Partial<ServiceOptions> = {},
  afterwards: (close: () => void | Promise<void>) => void = onTestFinished
): Promise<Service> {
  const bugs: unknown[] = []
  const data = options.data ?? tempFolder(afterwards)
  putEmptyLibrary(data)
  const service = await openService({
    version: '0.0.0-test',
    // A folder there always is: what is built lies elsewhere, or is being built just now.
    dashboard: 'src-renderer',
    startProcess: startNodeProcess,
    keychain: noKeychain,
    onBug: (error) => bugs.push(error),
    // In place it opens at once; the built program, which other tests start, always has its threads.
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

/** Calls the dashboard's API as the command line does, without a socket. */
export async function callApi(service: Service, method: string, path: string, body?: unknown): Promise<Response> {
  return service.fetch(
    new Request(`http://127.0.0.1/api${path}`, {
      method,
      headers: { authorization: `Bearer ${service.commandToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
  )
}

/** Imports over the API what comes in pieces. */
export async function postImport(service: Service, pieces: AsyncIterable<Uint8Array>, name: string): Promise<Response> {
  const body = Readable.toWeb(Readable.from(pieces)) as ReadableStream
  const headers = { authorization: `Bearer ${service.commandToken}` }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  return service.fetch(new Request(`http://127.0.0.1/api/imports?name=${name}`, init))
}

/** Makes a key as the owner would and gives its secret. */
export async function makeKey(service: Service, request: object = {}): Promise<string> {
  const response = await callApi(service, 'POST', '/keys', { name: 'test', ...request })
  return ((await response.json()) as { key: string }).key
}

/** What a tool answered. */
export interface ToolAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  payload: any
  isError: boolean
}

/** Calls a tool of the endpoint with a key, without a socket. */
export async function callTool(service: Service, key: string, name: string, args: object): Promise<ToolAnswer> {
  const response = await service.fetch(
    new Request('http://127.0.0.1/api/tools/mcp', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    })
  )
  const body = (await response.json()) as {
    result?: { content: { text: string }[]; isError?: boolean }
    error?: unknown
  }
  const text = body.result?.content[0]?.text
  return {
    status: response.status,
    payload: text === undefined ? body.error : JSON.parse(text),
    isError: body.result?.isError ?? text === undefined
  }
}
