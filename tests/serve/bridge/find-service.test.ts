import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { programOrigin } from '../../../src-main/contract/endpoint.ts'
import { leaveServiceFile } from '../../../src-main/host/service-file.ts'
import { createFindService } from '../../../src-main/serve/bridge/find-service.ts'
import { testService } from '../../support/service.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a service that took the place of one whose end took long is found', async () => {
  const data = tempFolder()
  const service = await testService({ data })
  const { port } = await service.listen(0)
  // The killed one takes a connection, and answers nothing while the next one leaves its file.
  const killed = createServer((socket) => {
    setTimeout(() => {
      leaveServiceFile(data, { url: programOrigin(port), token: service.commandToken, pid: process.pid })
      socket.destroy()
    }, 1100)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void killed.close())
  await once(killed, 'listening')
  const { port: old } = killed.address() as AddressInfo
  leaveServiceFile(data, { url: programOrigin(old), token: 'of the killed one', pid: process.pid })
  const find = createFindService({ data, start: undefined, howToStart: '' })
  expect((await find(false)).url).toBe(programOrigin(port))
})
