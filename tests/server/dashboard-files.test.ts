import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PAGE = '<!doctype html>\n<html lang="en"></html>'

test.for([
  ['a person, who is shown the dashboard', '/linkz', 'text/html,application/xhtml+xml', PAGE],
  ['a person, at any depth', '/profile/keys/old', 'text/html', PAGE],
  ['a program, which is told in JSON', '/linkz', 'application/json', 'not-found'],
  ['whoever says nothing of types', '/linkz', undefined, 'not-found'],
  ['whoever misses a file', '/assets/gone.js', '*/*', 'not-found']
] as const)('an address that is none is answered with 404 to %s', async ([, path, accept, answer]) => {
  const dashboard = tempFolder()
  writeFileSync(join(dashboard, 'index.html'), PAGE)
  const service = await testService({ dashboard })
  const headers = accept === undefined ? undefined : { accept }
  const response = await service.fetch(new Request(`http://127.0.0.1${path}`, { headers }))
  expect(response.status).toBe(404)
  expect(await response.text()).toContain(answer)
})
