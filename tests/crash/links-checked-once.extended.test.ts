import { expect, test } from 'vitest'
import { callTool, startWebService } from '../support/earmark.ts'
import { logIn } from '../support/http.ts'
import { linkCheckIn } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page, startTestWeb } from '../support/test-web.ts'

const LINKS = 32
const HOSTS = 16

test(`a check of ${LINKS} links survives a kill and repeats no finished request`, {
  timeout: 120_000
}, async () => {
  const checks: string[] = []
  const web = await startTestWeb((target) => (request, response) => {
    if (request.method === 'HEAD') checks.push(target)
    const answer = target.startsWith('host0.') ? page('', {}, 404) : page('<title>Here</title>')
    answer(request, response)
  })
  const data = tempFolder()
  const first = await startWebService(data, web.wire.port)
  const urls = Array.from({ length: LINKS }, (_, number) => `http://host${number % HOSTS}.example/${number}`)
  await callTool(first.url, first.key, 'bookmarks.insert', { urls })
  const headers = { ...(await logIn(first)), 'content-type': 'application/json' }
  await fetch(`${first.url}/api/link-checks`, { method: 'POST', headers, body: '{}' })
  await expect.poll(() => checks.length, { timeout: 30_000 }).toBeGreaterThan(LINKS / 4)
  await first.end('SIGKILL')
  const known = linkCheckIn(data)?.checked ?? 0

  const asked = checks.length
  await startWebService(data, web.wire.port)
  await expect.poll(() => linkCheckIn(data)?.endedAt ?? null, { timeout: 60_000 }).not.toBeNull()
  expect(linkCheckIn(data)).toMatchObject({ total: LINKS, checked: LINKS, broken: LINKS / HOSTS, cancelled: false })
  expect(new Set(checks).size).toBe(LINKS)
  expect(checks.length - asked).toBe(LINKS - known)
})
