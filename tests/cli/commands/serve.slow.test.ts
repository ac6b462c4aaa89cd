import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { earmark, expectProblem, json, startCommand } from '../../support/command-line.ts'
import { freePort, rawRequest } from '../../support/http.ts'
import { putEmptyLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Some machines and containers have no IPv6. */
const ipv6 = await canListenOn('::1')

/** `earmark serve` in this process until the test is over. */
async function serve(options: string[] = ['--port', '0'], data = tempFolder()) {
  putEmptyLibrary(data)
  const { tell, ended, written, firstLine } = startCommand([
    'serve',
    '--json',
    '--no-fetch',
    '--data',
    data,
    ...options
  ])
  const end = () => {
    tell('SIGTERM')
    return ended
  }
  onTestFinished(async () => void (await end()))
  const first = JSON.parse(await Promise.race([firstLine(), ended.then(({ stdout }) => stdout)]))
  return { ...(first as Record<'url' | 'mcp' | 'login' | 'data', string>), pid: first.pid, first, written, ended, end }
}

test('prints one line with its addresses and a link that logs in', async () => {
  const { first, url, mcp, login, pid, data, end } = await serve()
  expect(first).toStrictEqual({ url, mcp, login, pid, data })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(mcp).toBe(`${url}/api/tools/mcp`)
  const { port } = new URL(url)
  expect(login).toMatch(new RegExp(`^http://[\\da-f]{32}\\.localhost:${port}/login#[\\w-]{20,}$`))
  expect(pid).toBe(process.pid)
  expect((await json(['login', '--data', data])).login).not.toBe(login)
  expect((await rawRequest(mcp)).status).toBe(401)
  const headers = { 'content-type': 'application/json', origin: url }
  const body = JSON.stringify({ token: new URL(login).hash.slice(1) })
  expect((await fetch(`${url}/api/session`, { method: 'POST', headers, body })).status).toBe(200)
  const { code, stdout, stderr } = await end()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('with --idle-exit ends after that time without a request, and reports it', async () => {
  const { url, ended } = await serve(['--port', '0', '--idle-exit', '0.02'])
  for (const begun = performance.now(); performance.now() - begun < 1800; await sleep(100)) {
    expect((await fetch(`${url}/api/proof?nonce=x`)).status).toBe(200)
  }
  expect(await ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/No request for 0\.02 minutes: the service stopped\./)
  })
})

describe('the port', () => {
  test('is the one of --port, or else of the settings', async () => {
    const [option, chosen] = [await freePort(), await freePort()]
    const before = await serve(['--port', `${option}`])
    expect(before.url).toBe(`http://127.0.0.1:${option}`)
    await choosePort(before, chosen)
    await before.end()
    expect((await serve([], before.data)).url).toBe(`http://127.0.0.1:${chosen}`)
  })

  test('is never replaced by another if it is taken, and the error warns about keys', async () => {
    const data = tempFolder()
    putEmptyLibrary(data)
    const port = await listenOn('127.0.0.1')
    const message = new RegExp(`Port ${port} is taken.*keys.*received`)
    await expectProblem(['serve', '--port', `${port}`, '--data', data], 'port-taken', message)
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    expect((await serve(['--port', '0'], data)).url).toMatch(/^http/)
  })

  test.runIf(ipv6)('is used with a warning if another program has the same port of [::1]', async () => {
    const port = await listenOn('::1')
    const { mcp, login, written } = await serve(['--port', `${port}`])
    await expect.poll(() => written.stderr).toMatch(new RegExp(`\\[::1\\]:${port}.*127\\.0\\.0\\.1.*keys`))
    expect(written.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect((await rawRequest(mcp)).status).toBe(401)
    // A browser might connect to that program under the dashboard's name.
    expect(login).toMatch(/^http:\/\/127\.0\.0\.1:/)
  })
})

test('a second service for the library fails at once, every time', async () => {
  const { data, url, pid, mcp } = await serve()
  for (let round = 1; round <= 5; round++) {
    const begun = performance.now()
    const { error } = await json(['serve', '--port', '0', '--data', data], 1)
    expect(performance.now() - begun).toBeLessThan(1000)
    expect(error).toStrictEqual({ code: 'library-in-use', message: expect.stringContaining(url) })
    expect(error.message).toContain(`${pid}`)
  }
  expect((await rawRequest(mcp)).status).toBe(401)
})

test('a service that cannot write its service file exits with one line and releases the library', async () => {
  const data = tempFolder()
  putEmptyLibrary(data)
  rmSync(join(data, 'earmark.lock'), { force: true })
  const starting = startCommand(['serve', '--port', '0', '--data', data])
  // The file of an earlier service is removed with the lock; the new one is written much later.
  await expect.poll(() => existsSync(join(data, 'earmark.lock')), { interval: 1 }).toBe(true)
  mkdirSync(join(data, 'service.json/in-the-way'), { recursive: true })
  const { code, stderr } = await starting.ended
  expect(code).toBe(1)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect((await earmark(['keys', 'list', '--data', data])).code).toBe(0)
})

test('secrets are in no output, answer or log', async () => {
  const { data, url, mcp, end } = await serve()
  const { key } = await json(['keys', 'create', '--name', 'x', '--data', data])
  const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8'))
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const params = { name: 'bookmarks.insert', arguments: { urls: 'https://a.example/' } }
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answers = [
    await rawRequest(mcp, { method: 'POST', headers, body: call }),
    await rawRequest(mcp, { method: 'POST', headers, body: '{' }),
    await rawRequest(mcp, { method: 'POST', headers: { ...headers, 'x-api-key': [key, key] }, body: '{' }),
    await rawRequest(`${url}/api/keys`, { headers: { authorization: `Bearer ${token}` } }),
    await rawRequest(`${url}/api/keys`, { headers: { authorization: `Bearer ${token}x` } })
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 200, 401])
  const { code, stdout, stderr } = await end()
  expect(code).toBe(0)
  const log = join(data, 'earmark.log')
  const written = [...answers.map(({ body }) => body), stdout, stderr, existsSync(log) ? readFileSync(log, 'utf8') : '']
  for (const text of written) {
    expect(text).not.toContain(key.slice(10))
    expect(text).not.toContain(token)
  }
})

/** A program that takes a port and answers nothing. */
async function listenOn(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function canListenOn(host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(0, host, () => server.close(() => resolve(true)))
  })
}

/** Sets the port of the next start, as the dashboard does. */
async function choosePort({ url, data }: { url: string; data: string }, port: number): Promise<void> {
  const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/settings`, { method: 'PATCH', headers, body: JSON.stringify({ port }) })
  expect(answer.status).toBe(200)
}
