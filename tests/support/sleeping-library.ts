import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService } from '../../src-main/service.ts'
import { putEmptyLibrary } from './empty-library.ts'
import { freePort } from './free-port.ts'
import { noKeychain } from './no-keychain.ts'
import { callApi } from './service.ts'

/** Prepares a library that nobody serves, with a port of its own in settings and a key in a file. */
export async function prepareLibrary(data: string): Promise<{ id: string; key: string }> {
  putEmptyLibrary(data)
  const service = await openService({
    data,
    version: '0.0.0-test',
    dashboard: 'out/renderer',
    startProcess: startNodeProcess,
    keychain: noKeychain,
    inPlace: true,
    onBug: (error) => {
      throw error
    }
  })
  await callApi(service, 'PATCH', '/settings', { port: await freePort() })
  const made = await callApi(service, 'POST', '/keys', { name: 'editor', keyFile: true })
  const { id, key } = (await made.json()) as { id: string; key: string }
  await service.close()
  return { id, key }
}
