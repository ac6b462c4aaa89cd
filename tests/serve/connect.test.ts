import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leaveServiceFile } from '../../src-main/host/service-file.ts'
import { withConnection } from '../../src-main/serve/connect.ts'
import { testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a command goes through the service of its folder, and not of one that it is a copy of', async () => {
  const data = tempFolder()
  const service = await testService({ data })
  const { port } = await service.listen(0)
  leaveServiceFile(data, { url: `http://127.0.0.1:${port}`, token: service.commandToken, pid: process.pid })
  const copy = join(tempFolder(), 'copy')
  cpSync(data, copy, { recursive: true })
  const isServed = (folder: string) => withConnection(folder, async ({ running }) => running)
  expect(await isServed(data)).toBe(true)
  expect(await isServed(copy)).toBe(false)
})
