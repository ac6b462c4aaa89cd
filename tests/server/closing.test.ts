import { expect, test } from 'vitest'
import { startNodeProcess } from '../../src-main/host/child-process.ts'
import { openService } from '../../src-main/service.ts'
import { callApi, noKeychain, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a service that cannot end all it does says so, and still lets go of its library', async () => {
  const data = tempFolder()
  const keychain = {
    ...noKeychain,
    close: async () => {
      throw new Error('the keychain hangs')
    }
  }
  const service = await openService({
    data,
    version: '0.0.0',
    dashboard: 'out/renderer',
    startProcess: startNodeProcess,
    keychain,
    onBug: () => {}
  })
  await expect(service.close()).rejects.toThrow('the keychain hangs')
  expect((await callApi(await testService({ data }), 'GET', '/status')).status).toBe(200)
})
