import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { earmark, expectProblem, json, started } from '../support/command-line.ts'
import { launchProgram, type Running, startProgram, withoutKeychain } from '../support/program.ts'
import { rawRequest } from '../support/raw-http.ts'
import { runs } from '../support/runs.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Some machines and containers have no IPv6 at all. */
const ipv6 = await canListenOn('::1')

test('with --idle-exit it ends once nothing was asked for so long, and says so', async () => {
  const service = await startProgram(tempFolder(), ['--idle-exit', '0.05'], { env: withoutKeychain })
  for (let calls = 0; calls < 12; calls++) {
    await sleep(300)
    expect((await fetch(`${service.url}/api/proof?nonce=x`)).status).toBe(200)
  }
  await expect.poll(() => service.child.exitCode, { timeout: 15_000 }).toBe(0)
  expect(service.output.stderr).toMatch(/Nothing was asked for 0\.05 minutes: the service ended\./)
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

describe('serve', () => {
  test('says in one line where it serves', async () => {
    const service = await started()
    const { url, mcp, login, pid, data } = service
    expect(JSON.parse(service.output.stdout)).toStrictEqual({ url, mcp, login, pid, data })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(mcp).toBe(`${url}/api/tools/mcp`)
    expect(login).toMatch(new RegExp(`^${url}/login#[\\w-]{20,}$`))
    expect(pid).toBe(service.child.pid)
    expect((await rawRequest(mcp)).status).toBe(401)
    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.output.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(service.output.stderr).toBe('')
  })

  test('takes the port it is given', async () => {
    const free = await listenOn('127.0.0.1')
    await closed(free.server)
    const service = await startProgram(tempFolder(), ['--port', `${free.port}`], { env: withoutKeychain })
    expect(service.url).toBe(`http://127.0.0.1:${free.port}`)
  })

  test('takes the port in settings where none is given', async () => {
    const free = await listenOn('127.0.0.1')
    await closed(free.server)
    const before = await started()
    await choosePort(before, free.port)
    await before.end('SIGTERM')
    const after = launchProgram(['serve', '--json', '--no-fetch', '--data', before.data], { env: withoutKeychain })
    expect(JSON.parse((await after.firstLine) ?? '')).toMatchObject({ url: `http://127.0.0.1:${free.port}` })
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends cleanly on %s and can be started again', async (signal) => {
    const service = await started()
    expect((await rawRequest(service.mcp)).status).toBe(401)
    expect(existsSync(join(service.data, 'service.json'))).toBe(true)
    expect(await service.end(signal)).toBe(0)
    expect(readdirSync(service.data).filter((name) => !KEPT_FILES.includes(name))).toEqual([])
    expect((await startProgram(service.data, [], { env: withoutKeychain })).pid).not.toBe(service.pid)
  })

  const ENDS = runs(4, 10)

  test(`ends cleanly when it is told to the moment it serves, ${ENDS} times`, async () => {
    const data = tempFolder()
    for (let round = 1; round <= ENDS; round++) {
      const service = launchProgram(['serve', '--json', '--port', '0', '--data', data], { env: withoutKeychain })
      service.child.stdout?.once('data', () => service.child.kill('SIGTERM'))
      expect((await service.ended).code, `round ${round}`).toBe(0)
      expect(existsSync(join(data, 'service.json')), `round ${round}`).toBe(false)
    }
  })

  test('starts again after it was killed, and commands work in between', async () => {
    const service = await started()
    await service.end('SIGKILL')
    expect(await json(['keys', 'list', '--data', service.data])).toEqual({ keys: [] })
    await startProgram(service.data, [], { env: withoutKeychain })
  })

  test('says at once that another serves this library, 5 times', async () => {
    const service = await started()
    for (let round = 1; round <= 5; round++) {
      // A second, or what a busy machine takes for as many starts of the program that do nothing.
      const patience = Math.max(1000, 8 * (await timed(() => earmark(['--version']))))
      const begun = performance.now()
      const second = await earmark(['serve', '--json', '--port', '0', '--data', service.data])
      expect(performance.now() - begun).toBeLessThan(patience)
      expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 1, stderr: '' })
      const { error } = JSON.parse(second.stdout)
      expect(error).toStrictEqual({ code: 'library-in-use', message: expect.stringContaining(service.url) })
      expect(error.message).toContain(`${service.pid}`)
    }
    expect((await rawRequest(service.mcp)).status).toBe(401)
  })

  const STARTS = runs(3, 10)

  test(`started twice at once serves once, ${STARTS} times`, async () => {
    for (let round = 1; round <= STARTS; round++) {
      const data = tempFolder()
      const both = [0, 1].map(() =>
        launchProgram(['serve', '--json', '--port', '0', '--data', data], { env: withoutKeychain })
      )
      const lines = (await Promise.all(both.map(({ firstLine }) => firstLine))).map((line) =>
        JSON.parse(line ?? 'null')
      )
      expect(
        lines.filter((line) => line?.url !== undefined),
        JSON.stringify(lines)
      ).toHaveLength(1)
      expect(lines.find((line) => line?.url === undefined)).toMatchObject({ error: { code: 'library-in-use' } })
      expect((await both[lines.findIndex((line) => line.url === undefined)]?.ended)?.code).toBe(1)
      expect((await rawRequest(lines.find((line) => line.url).mcp)).status).toBe(401)
    }
  })

  test('never moves to another port: it says which is taken and who may have received keys', async () => {
    const data = tempFolder()
    const { port } = await listenOn('127.0.0.1')
    const message = new RegExp(`Port ${port} is taken.*keys.*received`)
    await expectProblem(['serve', '--port', `${port}`, '--data', data], 'port-taken', message)
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    await startProgram(data, [], { env: withoutKeychain })
  })

  test.runIf(ipv6)('warns of a program at the same port of [::1]', async () => {
    const { port } = await listenOn('::1')
    const service = await startProgram(tempFolder(), ['--port', `${port}`], { env: withoutKeychain })
    await expect.poll(() => service.output.stderr).toMatch(new RegExp(`\\[::1\\]:${port}.*127\\.0\\.0\\.1.*keys`))
    expect(service.output.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect((await rawRequest(service.mcp)).status).toBe(401)
  })

  const KEPT_FILES = ['earmark.lock', 'library.sqlite', 'library.seen', 'backups']
})

/** A program that takes a port and says nothing. */
async function listenOn(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve)
  })
  onTestFinished(() => closed(server))
  return { server, port: (server.address() as AddressInfo).port }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

function canListenOn(host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(0, host, () => server.close(() => resolve(true)))
  })
}

/** Sets the port of the next start, as the dashboard does. */
async function choosePort({ url, data }: Running, port: number): Promise<void> {
  const { token } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { token: string }
  const body = JSON.stringify({ port })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': `${body.length}`
  }
  const answer = await rawRequest(url, { method: 'PATCH', path: '/api/settings', headers, body })
  expect(answer.status).toBe(200)
}
