import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectProblem, json, serving } from '../../support/command-line.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('login gives a new link to the running service each time', async () => {
  const { data, url } = await serving()
  const first = await json(['login', '--data', data])
  expect(first).toStrictEqual({
    login: expect.stringMatching(new RegExp(`^http://[\\da-f]{32}\\.localhost:${new URL(url).port}/login#[\\w-]{20,}$`))
  })
  expect((await json(['login', '--data', data])).login).not.toBe(first.login)
})

test('login says so when no service runs, and when the one that did was killed', async () => {
  const data = tempFolder()
  putEmptyLibrary(data)
  await expectProblem(['login', '--data', data], 'service-unreachable', /not running/)
  const { pid } = spawnSync(process.execPath, ['--version'])
  const facts = { url: 'http://127.0.0.1:1', token: 'its own', pid, folder: data }
  writeFileSync(join(data, 'service.json'), JSON.stringify(facts))
  await expectProblem(['login', '--data', data], 'service-unreachable', /not running/)
})
