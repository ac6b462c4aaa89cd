import { expect, test } from 'vitest'
import { builtForTests, launchEarmark } from '../support/earmark.ts'
import { logIn } from '../support/http.ts'
import { roundIn } from '../support/library.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page, startTestWeb } from '../support/test-web.ts'

const LINKS = 32
const HOSTS = 16

async function start(data: string, port: number) {
  const file = builtForTests('web-service')
  const program = launchEarmark([data, String(port)], { file })
  const line = await program.firstLine
  if (line === undefined) throw new Error(program.stderr)
  const { url, key, login } = JSON.parse(line) as { url: string; key: string; login: string }
  return {
    url,
    key,
    login,
    kill: () => {
      program.child.kill('SIGKILL')
      return program.ended
    }
  }
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}

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
  const first = await start(data, web.wire.port)
  const urls = Array.from({ length: LINKS }, (_, number) => `http://host${number % HOSTS}.example/${number}`)
  const call = { name: 'bookmarks.insert', arguments: { urls } }
  await post(
    `${first.url}/api/tools/mcp`,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    { 'x-api-key': first.key }
  )
  await post(`${first.url}/api/link-checks`, {}, await logIn(first))
  await expect.poll(() => checks.length, { timeout: 30_000 }).toBeGreaterThan(LINKS / 4)
  await first.kill()
  const known = roundIn(data)?.checked ?? 0

  const asked = checks.length
  await start(data, web.wire.port)
  await expect.poll(() => roundIn(data)?.endedAt ?? null, { timeout: 60_000 }).not.toBeNull()
  expect(roundIn(data)).toMatchObject({ total: LINKS, checked: LINKS, broken: LINKS / HOSTS, cancelled: false })
  expect(new Set(checks).size).toBe(LINKS)
  expect(checks.length - asked).toBe(LINKS - known)
})
